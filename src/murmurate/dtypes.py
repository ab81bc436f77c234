"""The precisions that flocks can be simulated in, the only place that lists them."""

from typing import Literal, get_args

Dtype = Literal["float32", "float64"]
DTYPES: tuple[str, ...] = get_args(Dtype)
