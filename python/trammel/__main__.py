# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""``python -m trammel`` is the program ``trammel``."""

import signal
import sys

from . import _core


def main() -> int:
    """Runs the program with the arguments of the command line."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # the program has its own handler
    return _core.run_program(["trammel", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
