"""Public names of murmurate.show, imported at first use."""

from .film import FilmReport as FilmReport
from .film import write_film as write_film
from .film import write_still as write_still
from .output import check_output as check_output
from .output import check_passes_output as check_passes_output
from .output import check_view as check_view
from .page import Page as Page
from .page import check_page as check_page
from .page import page_of as page_of
from .painter import Painter as Painter
from .passes import check_passes as check_passes
from .scene import path_lines as path_lines
