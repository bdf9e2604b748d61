#!/usr/bin/env python3
"""Runs the lit suite of a build folder and prints 'N passed, N failed' last.

usage: run_tests.py BUILD_FOLDER [lit arguments or test paths]
"""

import json
import os
import subprocess
import sys
import tempfile

LIT = "/usr/lib/llvm-22/bin/lit"
FAILURES = {"FAIL", "TIMEOUT", "UNRESOLVED", "XPASS"}


def main():
    build, *rest = sys.argv[1:]
    suite = os.path.join(build, "test")
    paths = [a for a in rest if not a.startswith("-")] or [suite, os.path.join(suite, "unittests")]
    flags = [a for a in rest if a.startswith("-")]
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "results.json")
        lit = os.environ.get("COLL_LIT", LIT)
        command = [lit, "-sv", "--timeout=600", "-o", report, *flags, *paths]
        status = subprocess.run(command).returncode
        if not os.path.exists(report):
            print("lit ended without a report", file=sys.stderr)
            return status or 1
        with open(report) as file:
            codes = [test["code"] for test in json.load(file)["tests"]]
    passed = sum(code in ("PASS", "XFAIL", "FLAKYPASS") for code in codes)
    failed = sum(code in FAILURES for code in codes)
    skipped = len(codes) - passed - failed
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed or status else 0


if __name__ == "__main__":
    sys.exit(main())
