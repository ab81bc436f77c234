"""The definition of a measure: everything that tables, commands and documentation state of it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["number", "curve", "word", "frames", "per animal", "hunt"]

SOURCES = {
    "Attanasi et al. 2014a": "10.1038/nphys3035",
    "Attanasi et al. 2014b": "10.1371/journal.pcbi.1003697",
    "Baldin & Reiss 2016": "10.1016/j.spa.2016.04.014",
    "Ballerini et al. 2008a": "10.1016/j.anbehav.2008.02.004",
    "Ballerini et al. 2008b": "10.1073/pnas.0711437105",
    "Benhamou 2004": "10.1016/j.jtbi.2004.03.016",
    "Binder 1981": "10.1007/BF01293604",
    "Bonett & Wright 2000": "10.1007/BF02294183",
    "Cavagna et al. 2008a": "10.1016/j.anbehav.2008.02.003",
    "Cavagna et al. 2008b": "Mathematical Biosciences 214, 32-37",
    "Cavagna et al. 2010": "10.1073/pnas.1005766107",
    "Cavagna et al. 2013": "10.1098/rspb.2012.2484",
    "Cavagna et al. 2017": "10.1038/nphys4153",
    "Chate et al. 2008": "10.1103/PhysRevE.77.046113",
    "Clark & Evans 1954": "10.2307/1931034",
    "Couzin et al. 2002": "10.1006/jtbi.2002.3065",
    "Epstein & Sobel 1953": "Journal of the American Statistical Association 48, 486-502",
    "Fiedler 1973": "10.21136/CMJ.1973.101168",
    "Ginelli et al. 2010": "10.1103/PhysRevLett.104.184502",
    "Gregoire & Chate 2004": "10.1103/PhysRevLett.92.025702",
    "Hamilton 1971": "10.1016/0022-5193(71)90189-5",
    "Herbert-Read et al. 2013": "10.1098/rspb.2012.2564",
    "Herbert-Read et al. 2015": "10.1098/rsos.140355",
    "Jolles et al. 2017": "10.1016/j.cub.2017.08.004",
    "Kaplan & Meier 1958": "10.1080/01621459.1958.10501452",
    "Kareiva & Shigesada 1983": "10.1007/BF00379695",
    "Katz et al. 2011": "10.1073/pnas.1107583108",
    "Kelley 1935": "10.1073/pnas.21.9.554",
    "Kuramoto 1984": "10.1007/978-3-642-69689-3",
    "Lessells & Boag 1987": "10.2307/4087240",
    "Mohr 1947": "10.2307/2421652",
    "Moran 1950": "10.1093/biomet/37.1-2.17",
    "Nagy et al. 2010": "10.1038/nature08891",
    "Nelson & Halperin 1979": "10.1103/PhysRevB.19.2457",
    "Newman 2003": "10.1103/PhysRevE.67.026126",
    "O'Keeffe, Hong & Strogatz 2017": "10.1038/s41467-017-01190-3",
    "Olfati-Saber 2006": "10.1109/TAC.2005.864190",
    "Pearce et al. 2014": "10.1073/pnas.1402202111",
    "Pearson 1895": "10.1098/rspl.1895.0041",
    "Peruani, Deutsch & Baer 2006": "10.48550/arXiv.cond-mat/0604490",
    "Ramaswamy, Simha & Toner 2003": "10.1209/epl/i2003-00346-7",
    "Rudnick & Gaspari 1986": "10.1088/0305-4470/19/4/004",
    "Spearman 1904": "10.2307/1412159",
    "Steinhardt, Nelson & Ronchetti 1983": "10.1103/PhysRevB.28.784",
    "Torquato 2018": "10.1016/j.physrep.2018.03.001",
    "Tsai, Jewell & Wang 1987": "10.1093/biomet/74.4.883",
    "Tunstrom et al. 2013": "10.1371/journal.pcbi.1002915",
    "Vasarhelyi et al. 2018": "10.1126/scirobotics.aat3536",
    "Vicsek et al. 1995": "10.1103/PhysRevLett.75.1226",
    "Worton 1989": "10.2307/1938423",
}
"""Publication -> DOI, or the journal of one without a DOI."""


@dataclass(frozen=True)
class Measure:
    """A measure, with its facts for tables, commands and documentation.

    Attributes
    ----------
    function : callable
        The function that computes it; `name` is its name.
    kind : str
        What the function maps to what:

        - 'number': FlockFrame -> float
        - 'curve': FlockFrame -> Curve
        - 'word': FlockFrame -> str
        - 'frames': frames of one flock -> Estimate or Curve
        - 'per animal': frames of one flock -> PerAnimal
        - 'hunt': frames with prey and predators -> Estimate
    unit : str
        Unit of the value in the model's units; '1', the default, if dimensionless.
    bounds : str
        Range of the value, as text; '0 up' by default.
    definition : str
        Definition in one line of plain text.
    publications : tuple of str
        Keys of `SOURCES`; empty for the project's own definition. `source` has their DOIs.
    across : str
        For a curve, the quantity on the x axis, a comma and its unit.
    defaults, required : dict, tuple of str
        Options with their default values, and options without one.
    slow : bool
        True if a frame of 1,000 boids takes more than 10 ms. A slow measure is computed only on
        request. A test checks this flag against docs/measure-costs.json.
    event : bool
        True if the measure follows one event, starting from the frame before it. Only the user
        knows that frame, so the measure is computed only on request.
    path : bool
        True if the measure follows each animal along its path, as all of kind 'per animal' do. Its
        value depends on the time between frames, so it is computed only on request.
    population : bool
        True if the measure describes which boids are in the flock, or how they differ. It is
        computed only on request, since most flocks stay the same and have equal boids.
    equal_steps : bool
        True if frames must be at equal intervals of time.
    min_boids : int or str
        Boids that a value needs; the name of an option, such as 'k': more boids than its value.
    missing : str
        Why there is no value although there are enough boids: a clause, such as 'all boids fly
        alike'. '' if there always is one.
    collector : callable or None
        For kinds 'frames', 'per animal' and 'hunt': makes an object with `add(...)` and `result()`.
    """

    name: str
    function: Callable[..., Any]
    kind: Kind
    definition: str
    unit: str = "1"
    bounds: str = "0 up"
    publications: tuple[str, ...] = ()
    across: str = ""
    defaults: dict[str, Any] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    slow: bool = False
    event: bool = False
    path: bool = False
    population: bool = False
    equal_steps: bool = False
    min_boids: int | str = 1
    missing: str = ""
    collector: Callable[..., Any] | None = None

    @property
    def source(self) -> str:
        """The DOIs of the publications, separated by blanks."""
        sources = [SOURCES[name] for name in self.publications]
        return " ".join(doi for doi in sources if doi.startswith("10."))

    @property
    def for_one_frame(self) -> bool:
        """True if the function takes one flock at one time."""
        return self.kind in ("number", "curve", "word")

    @property
    def on_request(self) -> bool:
        """True if the measure is computed only when it is named."""
        return self.slow or self.event or self.path or self.population

    @property
    def limits(self) -> tuple[float, float]:
        """Smallest and largest value, for the axes of plots; infinite where `bounds` has none."""
        low = re.match(r"(?:above )?(-?[\d.]+),? (?:to|up)", self.bounds)
        high = re.search(r"\bto (\d+)(?:/(\d+))?(?![\w.])", self.bounds)
        if "about" in self.bounds or not (low or high):
            return -math.inf, math.inf
        return (
            float(low[1]) if low else -math.inf,
            int(high[1]) / int(high[2] or 1) if high else math.inf,
        )

    def why_missing(self, boids: int, frames: int, options: Mapping[str, Any]) -> str:
        """Return why the measure has no value for a flock, as a clause.

        Parameters
        ----------
        boids : int
            Largest number of boids that a frame has.
        frames : int
            Number of frames.
        options : mapping
            Option -> value.
        """
        if frames == 0:
            return "there is no frame"
        if boids == 0:
            return "the flock has no boid in any frame"
        needed, why = self.min_boids, ""
        if isinstance(needed, str):
            k = options.get(needed)
            needed, why = (1 if k is None else int(k) + 1), f", for {needed} = {k}"
        if boids < needed:
            return f"it needs {needed} boids or more{why}; the flock has {boids}"
        return self.missing or "no frame has a value"

    def __repr__(self) -> str:
        return f"<Measure {self.name}: {self.definition}>"
