"""Public names of murmurate.record, imported at first use."""

from .input_log import Input as Input
from .input_log import InputLog as InputLog
from .recording import Frames as Frames
from .recording import Recording as Recording
from .recording import frames_of as frames_of
from .recording import open as open
from .writer import Writer as Writer
