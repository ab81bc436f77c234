"""Words of the names of columns: the only table of their meanings.

`find_roles` and the functions next to it in column_names decide by it.
"""

from __future__ import annotations

import re
from typing import TypeVar

T = TypeVar("T")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _all(text: str, value: T) -> dict[str, T]:
    """Return word -> value for all words of a text."""
    return dict.fromkeys(text.split(), value)


# Name of a unit of time -> seconds.
SECONDS = {
    **_all("s sec secs second seconds", 1.0),
    **_all("cs csec centisec centisecs centisecond centiseconds", 1e-2),
    **_all("ms msec msecs millis millisec millisecs millisecond milliseconds", 1e-3),
    **_all("us µs μs usec usecs microsec microsecs microsecond microseconds", 1e-6),
    **_all("ns nsec nsecs nanosec nanosecs nanosecond nanoseconds", 1e-9),
    **_all("min mins minute minutes", 60.0),
    **_all("h hr hrs hour hours", 3600.0),
    **_all("d day days", 86400.0),
}  # fmt: skip
FRAMES = ("frame", "frames")
PIXELS = ("px", "pixel", "pixels")
LENGTHS = (*PIXELS, "um", "µm", "μm", "micron", "microns", "mm", "cm", "m", "km")
ANGLES = {
    **_all("° deg degs degree degrees", "degrees"),
    **_all("rad rads radian radians", "radians"),
}
"""Units of longitude and latitude."""
ANGLE = "degrees or radians"
"""The unit of longitude and latitude that have none: degrees, unless they could be radians."""
DECIMAL = _words("decimal dec dd")
"""Words of names of decimal degrees."""
UNITS = frozenset((*SECONDS, *LENGTHS, *ANGLES, *FRAMES, "%", "hz"))
ANIMALS = _words(
    "animal individual ind id track fish zebrafish guppy bird starling pigeon mouse rat fly ant "
    "bee locust sheep goat cow horse dog cat monkey baboon bat frog worm larva cell robot drone "
    "agent boid ped person pedestrian player stork gull jackdaw wolf deer elephant whale shark "
    "penguin chick swimmer vehicle"
)  # fmt: skip
_ID = "(?:id|ids|uid|no|nr|num|number|idx|index|label|name|key|code|identifier|local_identifier)"
_ANIMAL = f"(?:{'|'.join(sorted(ANIMALS - {'id', 'track'}))}|agent|subject|target|identity)s?"
_CLOCK = ("(?:gmt|utc|local|gps|trial|recording|video|movie|elapsed|relative|rel|absolute|abs|unix|"
          "epoch|posix|fix|event|acquisition|study_local|system|sys|wall|session|experiment|frame|sample|"
          "capture|study|position|location|solar)")  # fmt: skip
_PLACE = ("(?:pos|pose|position|loc|location|coord|coords|coordinate|centroid|wcentroid|center|"
          "centre|body)")  # fmt: skip
_COUNTED = "|".join({*SECONDS} - {"d", "h", "hr", "min", "us", "ns", "cs"})
_GEO = "(?:gps|location|loc|decimal|dec|geo|fix|argos|pos|position|wgs|wgs_84|wgs84|dd)"
_CENTRE = "(?:center|centre|ctr|mid|c)"
_BOX = "(?:bb|bbox|box|bounding_box|roi|rect|rectangle)"
_LEFT, _TOP, _RIGHT, _BOTTOM = (
    rf"(?:{_BOX}_)?(?:{side}|{side}_?{axis}|{axis}_?(?:{side}|{end}|{corner})|{end}_?{axis}|"
    rf"(?:{corner}|{long})_?{axis})"
    for side, axis, end, corner, long in (
        ("left", "x", "min", "tl|ul|lt", "(?:top|upper)_?left"),
        ("top", "y", "min", "tl|ul|lt", "(?:top|upper)_?left"),
        ("right", "x", "max", "br|lr|rb", "(?:bottom|lower)_?right"),
        ("bottom", "y", "max", "br|lr|rb", "(?:bottom|lower)_?right"),
    )
)
# Role -> patterns of the key of its column (`Column.key`), by priority.
ROLES: dict[str, tuple[str, ...]] = {
    "id": (
        rf"(?:track|tracklet|traj|trajectory)_?(?:{_ID}|n)|track_?objects_label(?:_\d+)?",
        "particle|tid", r"individual_local_identifier", rf"{_ANIMAL}(?:_?{_ID})?",
        "track|tracklet|trajectory|traj",
        rf"(?:tag|collar|logger|device|transmitter|deployment|ring)(?:_?{_ID})?",
        r"object(?:_?(?:id|name))?|name", "ids?|uid|identifier",
    ),
    "frame": (
        r"frames?|fr|fnum", r"(?:(?:video|movie|camera|cam|source)_)?(?:frames?|image|img|slice)_?"
        r"(?:idx|index|id|no|nr|n|num|number|count|counter)",
    ),
    "unit": (r"(?:coordinate|length|position)_?units?|units?",),
    "rate": (r"fps|frame_?rate|frames_per_second",),
    "date": (rf"(?:{_CLOCK}_)?date",),
    "time": (
        "times?|t|seconds|timestamps?|(?:.*_)?stamp",
        r"date_?time|position_t|metadata_t|clock|unix|epoch|elapsed",
        rf"(?:{_CLOCK}_?)+(?:time|time_?stamp|date_?time)|(?:time_?stamp|date_?time|time)_{_CLOCK}|"
        r"time_stamp", rf"(?:{_COUNTED})(?:_by_fps)?|jd|julian_(?:date|days?)|datenum",
    ),
    "x": ("x", rf"(?:{_BOX}_)?(?:x_?{_CENTRE}|{_CENTRE}_?x)", rf"(?:{_PLACE}_?)*x(?:_?{_PLACE})*",
          "(?:utm_)?easting|utm_[ex]"),
    "y": ("y", rf"(?:{_BOX}_)?(?:y_?{_CENTRE}|{_CENTRE}_?y)", rf"(?:{_PLACE}_?)*y(?:_?{_PLACE})*",
          "(?:utm_)?northing|utm_[ny]"),
    "z": ("z", rf"(?:{_PLACE}_?)*z(?:_?{_PLACE})*"),
    "longitude": (rf"(?:{_GEO}_)*(?:lon|long|lng|longitude)(?:_{_GEO})*",),
    "latitude": (rf"(?:{_GEO}_)*(?:lat|latitude)(?:_{_GEO})*",),
    "left": (rf"{_BOX}_?(?:x|x_?1)|{_LEFT}|b_?x", "x_?1"),
    "top": (rf"{_BOX}_?(?:y|y_?1)|{_TOP}|b_?y", "y_?1"),
    "width": (rf"(?:{_BOX}_?)?(?:width|w)",),
    "height": (rf"(?:{_BOX}_?)?(?:height|h)",),
    "right": (rf"{_BOX}_?x_?2|{_RIGHT}", "x_?2"),
    "bottom": (rf"{_BOX}_?y_?2|{_BOTTOM}", "y_?2"),
}  # fmt: skip
BOXES = (("left", "top", "width", "height"), ("left", "top", "right", "bottom"))
"""Roles of boxes around animals, whose centres are the positions."""
CORNERS = frozenset(role for box in BOXES for role in box)
OTHER = "another quantity"
MAX_UNKNOWN = 8  # columns that a note names
# Word in the name of a column that is not a position, even if it mentions x, y or z.
QUANTITIES = {
    **_all("vel velocity speed twist angular vx vy vz", "a velocity"),
    **_all("acc accel acceleration ax ay az", "an acceleration"),
    **_all("error err std sd stdev var variance sem se uncertainty residual cov hdop pdop dop",
           "an error"),
    **_all("score likelihood confidence conf prob probability visibility ncams quality", "a score"),
    **_all("heading angle theta orientation direction dir rot yaw rad deg pitch roll quat "
           "quaternion rotation course", "a direction"),
    **_all("dx dy dz dt displacement delta diff", "a displacement"),
    **_all("width height length size area offset volume radius mass ecc major minor shape",
           "a size"),
    **_all("mag magnetometer gyro force field", "a sensor's reading"),
    **_all("^ ** coef coeff coefficient poly polynomial order degree power fourier knot",
           "a coefficient"),
    **_all("temperature temp battery altitude alt elevation depth light pressure humidity "
           "satcount satellites duration intensity signal color colour", OTHER),
}  # fmt: skip
BODY_PARTS = _words(
    "nose snout head neck throat mouth beak bill eye ear antenna thorax chest abdomen body back "
    "spine torso trunk belly centroid center centre middle mid com hip pelvis rump tail tailbase "
    "tail_base tailtip tail_tip fin wing shoulder elbow wrist hand paw finger thumb knee ankle "
    "foot leg arm forepaw hindpaw dorsal caudal pectoral operculum gill shell claw point pt node "
    "keypoint kp marker corner"
)  # fmt: skip
SIDES = _words("left right l r front hind fore upper lower base tip inner outer mid top bottom")
VERSIONS = SIDES | {*PIXELS, *LENGTHS} | _words(
    "raw smooth smoothed filt filter filtered unfiltered kalman kf ekf ukf rts spline lowess "
    "loess savgol median mean avg average interp interpolated corrected corr clean cleaned orig "
    "original est estimated estimate hat pred predicted prediction true truth gt groundtruth "
    "ground ref reference measured meas obs observed noisy denoised distorted undistorted "
    "rectified warped transformed projected world image img camera cam view screen local global "
    "rel relative abs absolute norm normalized normalised scaled unscaled rotated aligned "
    "centered centred metric start end begin old new prev previous next last first init initial "
    "final goal target setpoint desired cmd command v ver version manual auto tracked detected "
    "fitted fit model sim simulated real resampled calibrated uncalibrated"
)  # fmt: skip
"""Words for versions of one position, views of it, or other points: never animals."""
# Words of a flag -> whether a row with it has a position; None: it has a doubtful one.
FLAGS: dict[str, bool | None] = {
    **_all("lost outlier missing miss missed invalid excluded exclude rejected reject deleted "
           "removed discard discarded ignore ignored outside invisible undetected unseen absent "
           "artifact artefact nofix bad void dropped dropout untracked unreliable erroneous fail "
           "failed offscreen off_screen out_of_frame out_of_view out_of_bounds outofframe "
           "outofview", False),
    **_all("visible valid detected found seen present tracked observed good fix fixed fixtype "
           "gpsgot got in_view in_frame on_screen onscreen inview ok okay pass passed included "
           "usable reliable keep confirmed", True),
    **_all("occluded occlusion generated interpolated predicted imputed estimated extrapolated "
           "hidden truncated crossing manual merged flagged masked censored suspect suspicious",
           None),
}  # fmt: skip
FLAG = re.compile(rf"(?<![^_])({'|'.join(sorted(FLAGS, key=len, reverse=True))})s?(?![^_])")
NOT = _words("not no un non")
TRUE = _words("1 true t yes y on x wahr ja vrai oui si sí sim verdadero verdadeiro vero ✓")
FALSE = _words("0 false f no n off falsch nein faux non não nao falso")
FIXED = _words("2 3 2d 3d")
VOID = {"a": True, "v": False}
"""Values of the status of a fix in NMEA 0183: A, valid; V, void."""
SIGNS = {"n": ("y", 1), "north": ("y", 1), "s": ("y", -1), "south": ("y", -1),
         "e": ("x", 1), "east": ("x", 1), "w": ("x", -1), "west": ("x", -1)}  # fmt: skip
"""A hemisphere -> the axis whose sign it gives, and the sign."""
FIXES = ("gps", "gnss", "argos", "location", "position", "fix")
"""Words in the kinds of a logger's rows that have positions."""
SAMPLED = TRUE | FALSE | FIXED | {*VOID, *SIGNS}
ENCLOSED = re.compile(r"(.*?)[\s_]*(?:[(\[]([^)\]]*)[)\]]|/([a-zµμ°]+))\s*", re.IGNORECASE)
_CORNERS = "|".join(f"(?P<{role}>{ROLES[role][0]})" for role in sorted(CORNERS))
WIDE_BOXES = (re.compile(rf"(?P<who>.+?)_(?:{_CORNERS})"),
              re.compile(rf"(?:{_CORNERS})(?:_(?=.)|(?=\d))(?P<who>.+)"))  # fmt: skip
AXIS = re.compile(r"(?P<axis>[xyz])_?(?P<who>.+)|(?P<who2>.+?)_(?P<axis2>[xyz])")
WORD = re.compile(r"[A-Zµμ]+(?![a-zµμ])|[A-Zµμ]?[a-zµμ]+|[^\W\dA-Za-z_]+|\d+|\^|\*\*")
