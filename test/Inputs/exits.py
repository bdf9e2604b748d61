"""Runs a command that must end with one exit code, and soon.

usage: exits.py CODE COMMAND...
"""

import subprocess
import sys

LIMIT = 60  # seconds


def main():
    code, *command = sys.argv[1:]
    got = subprocess.run(command, timeout=LIMIT).returncode
    if got != int(code):
        print(f"{command[0]}: exit code {got}, expected {code}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
