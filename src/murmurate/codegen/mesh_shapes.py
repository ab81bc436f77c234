"""Compute distances from meshes: closed surfaces of triangles, which may be concave.

Plain functions, compiled into the kernels of models with a mesh. The row of a mesh in the table of
obstacles holds its kind, its centre, and the address of its words: see mesh_data.py. Positions are
relative to the centre.

A tree of boxes finds the nearest triangle. The side of the surface follows from the pseudonormal of
the nearest face, edge or corner: Baerentzen and Aanaes 2005, doi:10.1109/TVCG.2005.49.
"""

import math

from murmurate.codegen.intrinsic_names import float_of, number
from murmurate.codegen.mesh_data import (
    CELL,
    CHUNK,
    CORNERS,
    CORNERS_AT,
    EXTENT,
    FAR,
    GRID_AT,
    GRID_LOWER,
    GRID_SIDES,
    GRID_STEP,
    N_NODES,
    NODE,
    NODES_AT,
    PERIODS,
    THICKNESS,
    TRIANGLE,
    TRIANGLES_AT,
)
from murmurate.model.shapes import inlined
from murmurate.model.shapes.geometry import clamp, max2

FACE, EDGE, CORNER = 0, 1, 4
"""Parts of a triangle: its face, the edges 1 to 3, the corners 4 to 6. Edge k begins at corner
k + 3."""

ON_SURFACE = 1e-13
"""Distance from an edge or corner, as a part of the mesh's size, that has no direction."""

MAX_EXIT_PIECES = 256
"""Number of spheres with which a ray is followed out of a mesh."""


@inlined
def mesh_address(obstacle):
    """Return the address of a mesh's words."""
    high = (int(obstacle[6]) << CHUNK) + int(obstacle[5])
    return (high << CHUNK) + int(obstacle[4])


def mesh_extent(obstacle):
    """Return half the sides of a box around a mesh's centre that holds it."""
    mesh = mesh_address(obstacle)
    return float_of(mesh, EXTENT), float_of(mesh, EXTENT + 1), float_of(mesh, EXTENT + 2)


@inlined
def vector_at(mesh, k):
    """Return three numbers of a mesh's words."""
    return float_of(mesh, k), float_of(mesh, k + 1), float_of(mesh, k + 2)


@inlined
def node_gap(mesh, at, x, y, z):
    """Return the squared distance from a position to the box of a node; `at` is its first word."""
    gx = max2(max2(float_of(mesh, at) - x, x - float_of(mesh, at + 3)), 0.0)
    gy = max2(max2(float_of(mesh, at + 1) - y, y - float_of(mesh, at + 4)), 0.0)
    gz = max2(max2(float_of(mesh, at + 2) - z, z - float_of(mesh, at + 5)), 0.0)
    return gx * gx + gy * gy + gz * gz


def from_triangle(mesh, k, x, y, z):
    """Return the vector from the nearest point of triangle k to a position, and its part there.

    Ericson 2005, Real-Time Collision Detection, section 5.1.5.
    """
    at = number(mesh, CORNERS_AT) + CORNERS * k
    ax, ay, az = vector_at(mesh, at)
    bx, by, bz = vector_at(mesh, at + 3)
    cx, cy, cz = vector_at(mesh, at + 6)
    px, py, pz = x - ax, y - ay, z - az
    bx, by, bz = bx - ax, by - ay, bz - az
    cx, cy, cz = cx - ax, cy - ay, cz - az
    d1 = bx * px + by * py + bz * pz
    d2 = cx * px + cy * py + cz * pz
    if d1 <= 0.0 and d2 <= 0.0:
        return px, py, pz, CORNER
    qx, qy, qz = px - bx, py - by, pz - bz
    d3 = bx * qx + by * qy + bz * qz
    d4 = cx * qx + cy * qy + cz * qz
    if d3 >= 0.0 and d4 <= d3:
        return qx, qy, qz, CORNER + 1
    if d1 * d4 - d3 * d2 <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        t = d1 / (d1 - d3)
        return px - t * bx, py - t * by, pz - t * bz, EDGE
    rx, ry, rz = px - cx, py - cy, pz - cz
    d5 = bx * rx + by * ry + bz * rz
    d6 = cx * rx + cy * ry + cz * rz
    if d6 >= 0.0 and d5 <= d6:
        return rx, ry, rz, CORNER + 2
    if d5 * d2 - d1 * d6 <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        t = d2 / (d2 - d6)
        return px - t * cx, py - t * cy, pz - t * cz, EDGE + 2
    if d3 * d6 - d5 * d4 <= 0.0 and d4 >= d3 and d5 >= d6:
        t = (d4 - d3) / ((d4 - d3) + (d5 - d6))
        return qx - t * (cx - bx), qy - t * (cy - by), qz - t * (cz - bz), EDGE + 1
    nx, ny, nz = vector_at(mesh, number(mesh, TRIANGLES_AT) + TRIANGLE * k)
    h = px * nx + py * ny + pz * nz
    return h * nx, h * ny, h * nz, FACE


@inlined
def pseudonormal(mesh, k, part):
    """Return the pseudonormal of a part of triangle k."""
    return vector_at(mesh, number(mesh, TRIANGLES_AT) + TRIANGLE * k + 3 * part)


def grid_cell(mesh, x, y, z):
    """Return the first word of the grid's cell that is nearest to a position."""
    step = float_of(mesh, GRID_STEP)
    nx = number(mesh, GRID_SIDES)
    ny = number(mesh, GRID_SIDES + 1)
    nz = number(mesh, GRID_SIDES + 2)
    i = int(clamp((x - float_of(mesh, GRID_LOWER)) / step, 0.0, nx - 1.0))
    j = int(clamp((y - float_of(mesh, GRID_LOWER + 1)) / step, 0.0, ny - 1.0))
    k = int(clamp((z - float_of(mesh, GRID_LOWER + 2)) / step, 0.0, nz - 1.0))
    return number(mesh, GRID_AT) + CELL * ((i * ny + j) * nz + k)


def nearest_triangle(mesh, x, y, z):
    """Return the index of the triangle nearest to a position."""
    nearest = number(mesh, grid_cell(mesh, x, y, z) + 1)
    dx, dy, dz, _ = from_triangle(mesh, nearest, x, y, z)
    best = dx * dx + dy * dy + dz * dz
    first, node = number(mesh, NODES_AT), 0
    while node < number(mesh, N_NODES):
        at = first + NODE * node
        if node_gap(mesh, at, x, y, z) >= best:
            node = number(mesh, at + 6)
        else:
            begin = number(mesh, at + 7)
            for k in range(begin, begin + number(mesh, at + 8)):
                dx, dy, dz, _ = from_triangle(mesh, k, x, y, z)
                d2 = dx * dx + dy * dy + dz * dz
                if d2 < best:
                    best, nearest = d2, k
            node += 1
    return nearest


def mesh_clearance(obstacle, x, y, z):
    """Return the distance from a mesh's surface, negative in the solid, and the unit normal."""
    mesh = mesh_address(obstacle)
    k = nearest_triangle(mesh, x, y, z)
    dx, dy, dz, part = from_triangle(mesh, k, x, y, z)
    nx, ny, nz = pseudonormal(mesh, k, part)
    side = dx * nx + dy * ny + dz * nz
    if part == FACE:
        return side, nx, ny, nz
    distance = math.sqrt(dx * dx + dy * dy + dz * dz)
    if distance <= ON_SURFACE * float_of(mesh, THICKNESS):
        return 0.0 * side, nx, ny, nz
    distance = math.copysign(distance, side)
    return distance, dx / distance, dy / distance, dz / distance


def is_beyond_mesh(obstacle, x, y, z, way):
    """Return whether a position is farther than `way` from a mesh and its images, outside of it.

    The test is fast, and false for some positions beyond `way`.
    """
    mesh = mesh_address(obstacle)
    for k in range(1, 8):
        if image_gap(mesh, k, x, y, z) <= way * way:
            return False
    if image_gap(mesh, 0, x, y, z) > way * way:
        return True
    step = float_of(mesh, GRID_STEP)
    for axis in range(3):
        at = x if axis == 0 else y if axis == 1 else z
        cell = (at - float_of(mesh, GRID_LOWER + axis)) / step
        if cell < 0.0 or cell >= 1.0 * number(mesh, GRID_SIDES + axis):
            return False
    return float_of(mesh, grid_cell(mesh, x, y, z)) > way


def image_shift(mesh, k, x, y, z):
    """Return the shift from a mesh to its image k near a position, whose bits choose the axes."""
    return (
        math.copysign(float_of(mesh, PERIODS), x) if k & 1 else 0.0,
        math.copysign(float_of(mesh, PERIODS + 1), y) if k & 2 else 0.0,
        math.copysign(float_of(mesh, PERIODS + 2), z) if k & 4 else 0.0,
    )


def image_gap(mesh, k, x, y, z):
    """Return the squared distance of a position from the box around image k: see image_shift."""
    sx, sy, sz = image_shift(mesh, k, x, y, z)
    gx = max2(abs(x - sx) - float_of(mesh, EXTENT), 0.0)
    gy = max2(abs(y - sy) - float_of(mesh, EXTENT + 1), 0.0)
    gz = max2(abs(z - sz) - float_of(mesh, EXTENT + 2), 0.0)
    return gx * gx + gy * gy + gz * gz


def nearest_mesh_image(obstacle, x, y, z):
    """Return a position relative to the image of a mesh that is nearest to it.

    The position is relative to the image with the nearest centre; the next one may be nearer.
    """
    mesh = mesh_address(obstacle)
    is_alone = True
    for axis in range(3):
        is_alone = is_alone and float_of(mesh, PERIODS + axis) >= FAR
    if is_alone:
        return x, y, z
    best, nearest = mesh_clearance(obstacle, x, y, z)[0], 0
    for k in range(1, 8):
        if image_gap(mesh, k, x, y, z) < best * max2(best, 0.0):
            sx, sy, sz = image_shift(mesh, k, x, y, z)
            distance = mesh_clearance(obstacle, x - sx, y - sy, z - sz)[0]
            if distance < best:
                best, nearest = distance, k
    sx, sy, sz = image_shift(mesh, nearest, x, y, z)
    return x - sx, y - sy, z - sz


def mesh_exit(obstacle, x, e, skin):
    """Return the distance along the unit vector e from x, in a mesh, to a skin outside of it.

    The result is -1 if spheres of the distance to the surface do not lead there.
    """
    a, b, c = mesh_extent(obstacle)
    t, limit = 0.0, 2.0 * (a + b + c) + abs(x[0]) + abs(x[1]) + abs(x[2]) + skin
    for _ in range(MAX_EXIT_PIECES):
        distance = mesh_clearance(obstacle, x[0] + t * e[0], x[1] + t * e[1], x[2] + t * e[2])[0]
        if distance >= 0.999 * skin:
            return t
        t += max2(skin - distance, 0.01 * skin)
        if t > limit:
            break
    return -1.0
