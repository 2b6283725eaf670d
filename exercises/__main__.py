"""``python -m exercises``."""

import sys

from exercises.engine.command_line import main

if __name__ == "__main__":
    sys.exit(main())
