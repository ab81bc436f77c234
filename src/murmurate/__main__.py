"""`python -m murmurate` is the command `murmurate`."""

import sys

from murmurate.cli import main

if __name__ == "__main__":
    sys.exit(main())
