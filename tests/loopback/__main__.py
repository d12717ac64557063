"""`python -m tests.loopback [--port N] [--delay SECONDS] [--play]`: serves until killed.

Prints the port.
"""

from __future__ import annotations

import argparse
import signal

from .player import playing
from .server import LoopbackServer


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.loopback", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--delay", type=float, default=0.0, metavar="SECONDS")
    parser.add_argument("--play", action="store_true", help="reply by the rules of each step")
    options = parser.parse_args()
    default = playing() if options.play else None
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
    with LoopbackServer(options.port, default=default, delay_s=options.delay) as server:
        print(server.port, flush=True)
        signal.sigwait({signal.SIGTERM, signal.SIGINT})


if __name__ == "__main__":
    main()
