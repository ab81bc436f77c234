"""A Ray cluster, for sweeps and for flocks in slabs."""
