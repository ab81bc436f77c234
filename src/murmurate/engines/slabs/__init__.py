"""Engine 'slabs': one flock distributed over the workers of a Ray cluster.

Modules from the engine down: `slab_engine` recovers from lost workers; `coordinator` runs steps;
`decomposition` assigns layers of the grid; `executors` call the workers; `slab_worker` and
`ungridded_flocks` are workers, made of `kernel_table`, `boid_columns` and `boids`.
"""
