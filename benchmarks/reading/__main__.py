"""`python -m benchmarks.reading train|measure`."""

import sys

from .run import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
