"""What device_check and simulator_check share: the runs of the programs under test/device and test/examples."""

import os
import re
import shlex
import subprocess
import time

import collc_batch

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COLLC = os.path.join(SOURCE, "build", "bin", "collc")
DEVICE_TESTS = os.path.join(SOURCE, "test", "device")
EXAMPLE_TESTS = os.path.join(SOURCE, "test", "examples")
TIMEOUT = 120


def list_files(folder, suffix):
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(suffix)]


def find_commands(path, program, prefix=""):
    """The arguments of `program` in the RUN lines of a test; `prefix` is what %t stands for."""
    with open(path, encoding="utf-8") as file:
        text = file.read().replace("\\\n//", " ")
    names = {"%s": path, "%S": os.path.dirname(path), "%t": prefix, "%examples": os.path.join(SOURCE, "examples")}
    commands = re.findall(rf"^(?:// )?RUN: *{program} (.*)$", text, re.MULTILINE)
    return [[re.sub(r"%\w+", lambda name: names.get(name[0], name[0]), word) for word in shlex.split(line)]
            for line in commands]


def find_runs(path, device, prefix=""):
    """The arguments of collc in the 'collc run' lines of a test, with the device replaced and --check added. Lines that
    then are the same are found once."""
    runs = []
    for words in find_commands(path, "collc", prefix):
        if words[0] != "run":
            continue
        words = [word for word in words if not word.startswith(("--device=", "--check"))]
        words += [f"--device={device}", "--check"]
        if words not in runs:
            runs.append(words)
    return runs


def run(command):
    """The seconds it took, and what it printed if it failed, else None."""
    begin = time.monotonic()
    try:
        result = collc_batch.run(command, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return TIMEOUT, f"no end after {TIMEOUT} s"
    seconds = time.monotonic() - begin
    if result.returncode == 0:
        return seconds, None
    return seconds, f"exit code {result.returncode}\n{result.stdout}{result.stderr}".rstrip()
