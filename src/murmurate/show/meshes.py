"""Place, project and draw the meshes of many boids in compiled code.

A mesh is drawn on samples, LINES x LINES in a pixel, before it is composited onto the canvas. A
word has a bit for each sample of a line in a strip of WIDE pixels. Of eight lines, in two rows of
pixels, eight words say which samples are covered, and eight words each bit of their tones: the loop
over these lines is vectorised.
"""

from __future__ import annotations

import math

import numpy as np

from murmurate.jit import njit, stored
from murmurate.show.body import Body
from murmurate.show.canvas import BLOCK, Canvas
from murmurate.show.projection import Array, Orthographic, Perspective, Projection

FAR_LENGTH = 16.0  # pixels; shorter boids are drawn with the few faces that are visible
LINES = 4  # of samples in a pixel, and samples on a line
WIDE = 15  # pixels of a strip
PLANES = 6  # bits of a sample: whether it is covered, and TONES
SIZE = 2 * LINES * PLANES  # words of a strip of two rows
TONES = (1 << (PLANES - 1)) - 1  # largest tone
_GROUPS = 300  # strips of two rows that are drawn at a time, which fit in the processor's cache
# The samples of each line are shifted, in samples, so that steep edges are smooth.
_SHIFTS = np.array([-0.125, 0.375, -0.375, 0.125] * 2, np.float32)
_ONES, _TWOS, _FOURS = (
    np.uint64(n) for n in (0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F)
)
_LIGHT = np.array([0.25, -0.35, 0.9]) / np.linalg.norm([0.25, -0.35, 0.9])  # direction to the light


# --- placing


def place_bodies(
    projection: Projection, posed: Array, size: Array, axes: Array, rows: Array
) -> tuple[Array, Array, Array, Array]:
    """Rotate, scale and project posed meshes.

    posed  (3, K, V) corners of boids of length 1 in their own axes
    size  (K,) lengths of the boids, length units
    axes  (3, 3, K) forward, left and up of each boid, in the axes of the model
    rows  (D, K) offsets of the boids from the centre of the view, length units
    x, y  (K, V) corners in pixels, nan behind the camera
    depth  (K, V) their distance along the axis of the camera, length units
    corners  (3, K, V) corners relative to the boids, in the axes of the model
    """
    corners, x = np.empty_like(posed), np.empty(posed.shape[1:], np.float32)
    y, depth = np.empty_like(x), np.empty_like(x)
    offsets = np.zeros((3, len(size)), np.float32)
    offsets[: len(rows)] = rows
    if isinstance(projection, Perspective):
        camera, scale = projection.axes().astype(np.float32), projection.focal
        distance, near = projection.distance, projection.near
    else:
        assert isinstance(projection, Orthographic)
        camera, scale, distance, near = np.eye(3, dtype=np.float32), projection.zoom, 0.0, 0.0
    lens = np.array([scale, distance, near, 0.5 * projection.width, projection.middle], np.float32)
    _place_corners(
        posed, np.ascontiguousarray(size, np.float32), np.ascontiguousarray(axes, np.float32),
        offsets, camera, lens, corners, x, y, depth,
    )  # fmt: skip
    return x, y, depth, corners


@stored(error_model="numpy")
def _place_corners(posed, size, axes, rows, camera, lens, corners, x, y, depth):  # type: ignore[no-untyped-def]
    """Fill x, y, depth and corners. The distance in `lens` is 0 for a 2-D space seen from above."""
    scale, distance, near, middle_x, middle_y = lens[0], lens[1], lens[2], lens[3], lens[4]
    for i in range(len(size)):
        for k in range(3):
            a, b, c = size[i] * axes[0, k, i], size[i] * axes[1, k, i], size[i] * axes[2, k, i]
            _combine(posed[:, i], a, b, c, np.float32(0.0), corners[k, i])
        for k, line in enumerate((x[i], y[i], depth[i])):
            a, b, c = camera[k, 0], camera[k, 1], camera[k, 2]
            middle = a * rows[0, i] + b * rows[1, i] + c * rows[2, i]
            _combine(corners[:, i], a, b, c, middle + distance if k > 1 else middle, line)
        for v in range(posed.shape[2]):
            z = depth[i, v] if depth[i, v] > near else np.float32(np.nan)
            depth[i, v] = z if distance > 0.0 else -corners[2, i, v]
            pixels = scale / z if distance > 0.0 else scale
            x[i, v], y[i, v] = middle_x + x[i, v] * pixels, middle_y - y[i, v] * pixels


@njit()
def _combine(points, a, b, c, start, line):  # type: ignore[no-untyped-def]
    """Fill a line with a combination of the axes of points (3, V): a loop that is vectorised."""
    for v in range(len(line)):
        line[v] = start + (a * points[0, v] + b * points[1, v] + c * points[2, v])


# --- drawing


def draw_meshes(
    canvas: Canvas, x: Array, y: Array, depth: Array, corners: Array, body: Body, length: Array,
    strength: Array, colour: Array, relief: float,
) -> None:  # fmt: skip
    """Draw N meshes of V corners, each over those before it.

    x, y  (N, V) corners in pixels. Meshes with a nan are left out.
    depth  (N, V) distance from the camera, length units
    corners  (3, N, V) corners in the axes of the model, for the light
    length  (N,) pixels
    strength  (N,) from 0 to 1
    colour  (N,)
    relief  see Style
    """
    faces = body.triangles, body.thin, body.tones
    count, groups = len(body.triangles), max(_GROUPS, -(-canvas.width // WIDE))
    _draw_meshes(
        x, y, depth, corners, faces, body.far or faces, length < FAR_LENGTH, strength, colour,
        relief, _LIGHT, *canvas.plane(), np.zeros(groups * SIZE, np.uint64),
        np.empty(count, np.int64), np.empty(count), np.empty(count, np.float32),
    )  # fmt: skip


@njit()
def _bounds(x, y, width, height):  # type: ignore[no-untyped-def]
    """Return left, top, right and bottom of a mesh in the picture; empty for a nan."""
    left, right, top, bottom = math.inf, -math.inf, math.inf, -math.inf
    for k in range(len(x)):
        if not (abs(x[k]) < 1e9 and abs(y[k]) < 1e9):
            return 0, 0, 0, 0
        left, right = min(left, x[k]), max(right, x[k])
        top, bottom = min(top, y[k]), max(bottom, y[k])
    return (
        max(0, math.floor(left)), max(0, math.floor(top)),
        min(width, math.floor(right) + 1), min(height, math.floor(bottom) + 1),
    )  # fmt: skip


@njit(error_model="numpy")
def _sort_triangles(  # type: ignore[no-untyped-def]
    x, y, depth, corners, triangles, thin, tones, relief, light, order, distance, shade
):
    """Write the visible triangles of a mesh into `order`, the farthest first, and their distances
    and shades. Return their number."""
    visible = 0
    for t in range(len(triangles)):
        a, b, c = triangles[t]
        area = (x[b] - x[a]) * (y[c] - y[a]) - (x[c] - x[a]) * (y[b] - y[a])
        if area == 0.0 or (area > 0.0 and not thin[t]):  # seen from behind
            continue
        lit, length = 0.0, 0.0
        for k in range(3):
            p, q = (k + 1) % 3, (k + 2) % 3
            n = (corners[p, b] - corners[p, a]) * (corners[q, c] - corners[q, a])
            n -= (corners[q, b] - corners[q, a]) * (corners[p, c] - corners[p, a])
            lit += n * light[k]
            length += n * n
        if length == 0.0:
            continue
        shade[t] = 1.0 - relief + math.copysign(relief, -area) * lit / math.sqrt(length)
        shade[t] *= tones[t]
        distance[t] = depth[a] + depth[b] + depth[c]
        at = visible
        while at > 0 and distance[order[at - 1]] < distance[t]:
            order[at] = order[at - 1]
            at -= 1
        order[at] = t
        visible += 1
    return visible


@stored(error_model="numpy")
def _draw_meshes(  # type: ignore[no-untyped-def]
    x, y, depth, corners, near_faces, far_faces, far, strength, colour, relief, light, flat,
    touched, row, border, width, height, words, order, distance, shade,
):  # fmt: skip
    """Draw the meshes, each in bands of rows for which the empty `words` suffice.

    order, distance, shade  of the triangles of a mesh, which are overwritten
    """
    for i in range(len(x)):
        left, top, right, bottom = _bounds(x[i], y[i], width, height)
        wide = right - left
        if wide <= 0 or bottom <= top:
            continue
        triangles, thin, tones = far_faces if far[i] else near_faces
        visible = _sort_triangles(
            x[i], y[i], depth[i], corners[:, i], triangles, thin, tones, relief, light,
            order, distance, shade,
        )  # fmt: skip
        strips = (wide + WIDE - 1) // WIDE
        rows = 2 * (len(words) // SIZE // strips)
        for low in range(top, bottom, rows):
            high = min(rows, bottom - low)
            for k in range(visible):
                t = order[k]
                a, b, c = triangles[t]
                _fill(
                    x[i, a] - left, y[i, a] - low, x[i, b] - left, y[i, b] - low,
                    x[i, c] - left, y[i, c] - low, strips, high, shade[t], words,
                )  # fmt: skip
            at = (low + border) * row + left + border
            _resolve(words, wide, high, np.float32(strength[i]), colour[i], flat, touched, row, at)


@njit(error_model="numpy")
def _fill(ax, ay, bx, by, cx, cy, strips, high, shade, words):  # type: ignore[no-untyped-def]
    """Fill the samples in a triangle of float32 corners with a shade."""
    ax, ay, bx, by, cx, cy = (
        np.float32(ax), np.float32(ay), np.float32(bx), np.float32(by), np.float32(cx),
        np.float32(cy),
    )  # fmt: skip
    if by < ay:
        ax, ay, bx, by = bx, by, ax, ay
    if cy < by:
        bx, by, cx, cy = cx, cy, bx, by
        if by < ay:
            ax, ay, bx, by = bx, by, ax, ay
    upper, lower, long = (bx - ax) / (by - ay), (cx - bx) / (cy - by), (cx - ax) / (cy - ay)
    none, half, lines = np.float32(0.0), np.float32(0.5), np.float32(LINES)
    edge, step = np.float32(LINES * WIDE), np.float32(1.0 / LINES)
    tone, bit, zero = int(min(max(shade, 0.0), 1.0) * TONES + 0.5), np.uint64(1), np.uint64(0)
    t0, t1, t2 = (
        zero - np.uint64(tone & 1),
        zero - np.uint64(tone >> 1 & 1),
        zero - np.uint64(tone >> 2 & 1),
    )
    t3, t4 = zero - np.uint64(tone >> 3 & 1), zero - np.uint64(tone >> 4)
    first = max(0, int(max(min(ax, bx, cx), none))) // WIDE
    last = min(strips - 1, int(max(ax, bx, cx, none)) // WIDE)
    for group in range(int(max(ay, none)) // 2, min(high - 1, int(max(cy, -half))) // 2 + 1):
        y = np.float32(2 * group) + half * step
        for strip in range(first, last + 1):
            start = (group * strips + strip) * SIZE
            plane, left = words[start : start + SIZE], np.float32(WIDE * strip)
            for k in range(2 * LINES):
                at = y + np.float32(k) * step
                side = ax + (at - ay) * long
                other = ax + (at - ay) * upper if at < by else bx + (at - by) * lower
                begin = (min(side, other) - left) * lines + _SHIFTS[k]
                end = (max(side, other) - left) * lines + _SHIFTS[k]
                inside = (ay <= at) & (at < cy)
                begin, end = begin if inside else none, end if inside else none
                begin, end = min(max(begin, none), edge), min(max(end, none), edge)
                mask = bit << np.uint64(np.int32(end + half))
                mask -= bit << np.uint64(np.int32(begin + half))
                plane[k] |= mask
                plane[8 + k] ^= (plane[8 + k] ^ t0) & mask
                plane[16 + k] ^= (plane[16 + k] ^ t1) & mask
                plane[24 + k] ^= (plane[24 + k] ^ t2) & mask
                plane[32 + k] ^= (plane[32 + k] ^ t3) & mask
                plane[40 + k] ^= (plane[40 + k] ^ t4) & mask


@njit()
def _count(plane, line):  # type: ignore[no-untyped-def]
    """Return the number of samples in each pixel of four lines: bytes of even and of odd pixels."""
    even, odd = np.uint64(0), np.uint64(0)
    for k in range(line, line + LINES):
        n = plane[k] - ((plane[k] >> np.uint64(1)) & _ONES)
        n = (n & _TWOS) + ((n >> np.uint64(2)) & _TWOS)
        even += n & _FOURS
        odd += (n >> np.uint64(4)) & _FOURS
    return even, odd


@njit(error_model="numpy")
def _resolve(words, wide, high, strength, colour, flat, touched, row, at):  # type: ignore[no-untyped-def]
    """Blend the samples onto the canvas from index `at` on, and clear them."""
    strips = (wide + WIDE - 1) // WIDE
    share = np.float32(1.0 / (LINES * LINES))
    scale = strength * np.float32(255.0 / (LINES * LINES * TONES))
    w1, w2, w3, w4 = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
    for v in range(high):
        for strip in range(strips):
            start = ((v >> 1) * strips + strip) * SIZE + LINES * (v & 1)
            plane = words[start : start + SIZE - LINES]
            even, odd = _count(plane, 0)
            if even | odd == 0:
                continue
            (a, e), (b, f), (c, g), (d, h) = (
                _count(plane, 8), _count(plane, 16), _count(plane, 24), _count(plane, 32)
            )  # fmt: skip
            even_tone = a + (b << w1) + (c << w2) + (d << w3)
            odd_tone = e + (f << w1) + (g << w2) + (h << w3)
            even_high, odd_high = _count(plane, 40)
            begin = at + v * row + strip * WIDE
            for u in range(min(WIDE, wide - WIDE * strip)):
                if even | odd == 0:
                    break
                count = even & np.uint64(255)
                if count != 0:
                    tone = (even_tone & np.uint64(255)) + ((even_high & np.uint64(255)) << w4)
                    below = np.int64(flat[begin + u])
                    own = np.float32(tone) * scale
                    old = (np.float32(1.0) - np.float32(count) * share) * np.float32(below >> 8)
                    number = np.int64(colour) if own >= old else below & 0xFF
                    flat[begin + u] = (np.int64(own + old + np.float32(0.5)) << 8) | number
                    touched[(begin + u) >> BLOCK] = True
                even, odd = odd, even >> np.uint64(8)
                even_tone, odd_tone = odd_tone, even_tone >> np.uint64(8)
                even_high, odd_high = odd_high, even_high >> np.uint64(8)
    words[: (high + 1) // 2 * strips * SIZE] = 0
