"""One flock on several workers: the grid cut into slabs, a stretch of its layers each."""
