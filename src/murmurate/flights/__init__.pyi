"""Public names of murmurate.flights, imported at first use."""

from .check import check_flight as check_flight
from .limits import Certificate as Certificate
from .limits import Finding as Finding
from .limits import Limits as Limits
from .options import FlightOptions as FlightOptions
from .options import FlightReport as FlightReport
