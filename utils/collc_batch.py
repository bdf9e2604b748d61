"""Runs collc. What runs on a GPU goes to a `collc batch` of each thread: making a context takes longer than most tests."""

import json
import os
import select
import subprocess
import threading
import time

# Of collc: the device or its driver failed, after which a context may be of no more use.
DEVICE_FAILED = 3
_own = threading.local()


class Batch:
    """A process that runs one command after the other."""

    def __init__(self, collc):
        self.process = subprocess.Popen([collc, "batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.read = b""

    def run(self, arguments, directory, timeout):
        """As subprocess.run: the exit code and what was printed; TimeoutExpired. The batch is over if is_over says so."""
        request = {"directory": os.path.abspath(directory or "."), "arguments": arguments}
        try:
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()
            line = self.read_line(time.monotonic() + timeout)
        except BrokenPipeError:
            line = b""
        if line is None:
            self.end()
            raise subprocess.TimeoutExpired(arguments, timeout)
        if not line:
            errors = self.process.stderr.read().decode(errors="replace")
            return subprocess.CompletedProcess(arguments, self.process.wait(), "", errors)
        answer = json.loads(line)
        if answer["exit_code"] == DEVICE_FAILED:
            self.end()
        return subprocess.CompletedProcess(arguments, answer["exit_code"], answer["stdout"], answer["stderr"])

    def read_line(self, end):
        """A line; nothing if the process has ended, None if there is none at the time `end`."""
        while b"\n" not in self.read:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                return None
            found = os.read(self.process.stdout.fileno(), 1 << 16)
            if not found:
                return b""
            self.read += found
        line, _, self.read = self.read.partition(b"\n")
        return line

    def end(self):
        self.process.kill()
        self.process.wait()

    def is_over(self):
        return self.process.poll() is not None


def run(command, directory=None, timeout=None):
    """subprocess.run of a collc, its arguments and nothing else."""
    if not any(word.startswith(("--device=cuda", "--device=hip")) for word in command):
        return subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=timeout, errors="replace", check=False)
    batches = _own.__dict__.setdefault("batches", {})
    if command[0] not in batches or batches[command[0]].is_over():
        batches[command[0]] = Batch(command[0])
    return batches[command[0]].run(command[1:], directory, timeout)
