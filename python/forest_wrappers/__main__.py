"""The command `forest`."""

import signal
import sys

from ._native import main as run


def main() -> int:
    # The command ends as other commands do when its output is closed or it is interrupted.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run(["forest", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
