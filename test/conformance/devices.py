"""Runs batches on one device by `collc run`, and compares every element of every output with what is expected."""

import copy
import importlib.machinery
import importlib.util
import json
import os
import re
import subprocess
import sys

import arithmetic as ar
from collectives import PROBES
from programs import GUARD

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "utils"))
import collc_batch  # noqa: E402

TIMEOUT = 120
PASSED, FAILED, UNSUPPORTED = "passed", "failed", "unsupported"
NOT_YET = "is not supported yet"
TOO_LARGE = "bytes of shared memory"


class Device:
    """A device's name for collc, with '@O0' behind it for an optimisation level, '@forced' where each kernel forces a strategy;
    'compile:CHIP' compiles and runs nothing."""

    def __init__(self, name, collc):
        self.place, *options = name.split("@")
        self.forces = "forced" in options
        self.flags = [f"--device={self.place}", *(f"-{option}" for option in options if option != "forced")]
        self.collc = collc

    def forcing(self, strategy):
        """The device with this strategy wherever it applies."""
        other = copy.copy(self)
        other.flags = [*self.flags, f"--strategy={strategy}"]
        return other

    def only_compiles(self):
        return self.place.startswith("compile:")

    def command(self, path, arguments):
        if not self.only_compiles():
            return [self.collc, "run", path, *self.flags, *arguments]
        chip = self.place.partition(":")[2]
        return [self.collc, "compile", path, f"--target={chip}", "--emit=asm", "-o", os.devnull, *self.flags[1:]]

    def width(self):
        """Threads of a warp."""
        if self.place.startswith("reference"):
            return 64 if self.place.endswith(":64") else 32
        if self.place.startswith(("sim:", "compile:")):
            return 64 if self.place.endswith(":64") or ":gfx9" in self.place else 32
        if self.place.startswith("cuda"):
            return 32
        listing = subprocess.run([self.collc, "devices"], capture_output=True, text=True, check=False).stdout
        index = self.place.partition(":")[2] or "0"
        line = next((line for line in listing.splitlines() if line.startswith(f"hip:{index}:")), "")
        return 64 if "warps of 64" in line else 32


def read_array(path):
    """The bytes of a .npy file of version 1."""
    with open(path, "rb") as file:
        content = file.read()
    return content[10 + int.from_bytes(content[8:10], "little"):]


def write(path, content):
    with open(path, "wb") as file:
        file.write(content)


def write_batch(text, buffers, folder):
    """The program and the data that it reads; the arguments that name the data."""
    write(os.path.join(folder, "batch.coll"), text.encode())
    arguments = ["--arg=p1=1", "--arg=p3=3"]
    for kind in buffers.inputs:
        write(os.path.join(folder, f"in_{kind}.raw"), buffers.input_bytes(kind))
        arguments.append(f"--arg=in_{kind}=@in_{kind}.raw:{kind}")
    for kind, count in buffers.scratch.items():
        arguments += [f"--arg=scratch_{kind}=zeros", f"--extent=k_{kind}={count}"]
    for kind in buffers.outputs:
        write(os.path.join(folder, f"guard_{kind}.raw"), buffers.guard_bytes(kind))
        arguments += [f"--arg=out_{kind}=@guard_{kind}.raw:{kind}", f"--out=out_{kind}=out_{kind}.npy"]
    return arguments


def expected_outputs(programs, buffers, width):
    """The bytes of each output after the programs."""
    outputs = {kind: bytearray(buffers.guard_bytes(kind)) for kind in buffers.outputs}
    for program in programs:
        results = program.expected(width)
        for kind, first, index, leaf, _ in program.regions:
            size = ar.byte_size(kind)
            output = outputs[kind]
            for at, value in enumerate(results, first):
                if value is not None:
                    output[at * size:(at + 1) * size] = value[index][leaf].to_bytes(size, "little")
    return outputs


def plans_taken(batch, device, abilities, folder):
    """(collective, strategy) of each plan in the code of a batch, as `--remarks=json` has it."""
    programs = [program for program in batch.programs if program.fits(abilities.width, abilities.has_clusters)]
    if not programs:
        return []
    if abilities.strategies:
        device = device.forcing(abilities.strategies[batch.index % len(abilities.strategies)])
    text, _ = batch.emit(programs)
    write(os.path.join(folder, "batch.coll"), text.encode())
    result = subprocess.run(device.command("batch.coll", []) + ["--remarks=json"], cwd=folder, capture_output=True, text=True,
                            timeout=TIMEOUT, errors="replace", check=False)
    remarks = [json.loads(line) for line in result.stderr.splitlines() if line.startswith("{")]
    return [(remark["collective"], remark["strategy"]) for remark in remarks if remark["strategy"]]


def find_difference(program, outputs, got, width):
    """The first element of a program's regions, guard words with them, that is not as expected, in words, or None."""
    results = program.expected(width)
    for kind, first, index, leaf, exact in program.regions:
        size = ar.byte_size(kind)
        for at in range(first - GUARD, first + program.total + GUARD):
            want = int.from_bytes(outputs[kind][at * size:(at + 1) * size], "little")
            have = int.from_bytes(got[kind][at * size:(at + 1) * size], "little")
            inside = 0 <= at - first < program.total and results[at - first] is not None
            if want == have or (inside and not exact and ar.same(kind, want, have)):
                continue
            thread = at - first
            what = f"result {index}, scalar {leaf}" if inside else "a guard word"
            threads = program.shape.threads
            return f"thread {thread % threads} of block {thread // threads}: {what} of {kind} is {have:#x}, " \
                   f"expected {want:#x}"
    return None


def run(programs, text_and_buffers, device, folder):
    """None and the outputs, or what went wrong and nothing."""
    text, buffers = text_and_buffers
    arguments = write_batch(text, buffers, folder)
    try:
        result = collc_batch.run(device.command("batch.coll", arguments), folder, TIMEOUT)
    except subprocess.TimeoutExpired:
        return f"no end after {TIMEOUT} s", None
    if result.returncode:
        return f"exit code {result.returncode} with {' '.join(device.flags)}: {result.stderr.strip()}", None
    if device.only_compiles():
        return None, None
    return None, {kind: read_array(os.path.join(folder, f"out_{kind}.npy")) for kind in buffers.outputs}


def verdicts(batch, programs, device, width, folder):
    """(program, verdict, why) of each."""
    emitted = batch.emit(programs)
    problem, got = run(programs, emitted, device, folder)
    if problem and len(programs) > 1:
        # One of them is to blame: each alone, then. What only all together do is a fault too, unless a chip has no room for all.
        alone = [verdict for program in programs for verdict in verdicts(batch, [program], device, width, folder)]
        if TOO_LARGE not in problem and not any(verdict == FAILED for _, verdict, _ in alone):
            alone.append((programs[0], FAILED, f"{len(programs)} programs in a kernel, each of which passes alone: {problem}"))
        return alone
    if problem:
        lacks = NOT_YET in problem or TOO_LARGE in problem
        return [(programs[0], UNSUPPORTED if lacks else FAILED, problem)]
    if got is None:
        return [(program, PASSED, None) for program in programs]
    outputs = expected_outputs(programs, emitted[1], width)
    if all(bytes(outputs[kind]) == got[kind] for kind in outputs):
        return [(program, PASSED, None) for program in programs]
    found = []
    for program in programs:
        difference = find_difference(program, outputs, got, width)
        why = difference and f"{difference}, with {' '.join(device.flags)}"
        found.append((program, FAILED if difference else PASSED, why))
    return found


def probe(device, folder, statement, clauses="workgroup(64) grid(1)"):
    """What the compiler says against a kernel, or None."""
    kernel = f"kernel probe(out: mut [256]i32) {clauses} {{ {statement} out[thread.rank] = 0; }}\n"
    write(os.path.join(folder, "probe.coll"), kernel.encode())
    result = subprocess.run(device.command("probe.coll", []), cwd=folder, capture_output=True, text=True, timeout=TIMEOUT,
                            errors="replace", check=False)
    return result.stderr.strip() if result.returncode else None


class Abilities:
    """What a device can do: its warps' width, whether it has clusters, the strategies of its chip, and the collectives and kinds
    of groups that the compiler does not support yet, with its words."""

    def __init__(self, device, folder):
        self.width = device.width()
        self.has_clusters = probe(device, folder, "cluster.sync();", "workgroup(64) grid(2) cluster(2)") is None
        self.strategies = []
        if device.forces:
            listing = probe(device.forcing("unknown"), folder, "") or ""
            self.strategies = re.findall("'([^']+)'", listing.partition("there are")[2])
        self.missing = {}
        for feature, statement in PROBES.items():
            problem = probe(device, folder, statement)
            if problem and NOT_YET in problem:
                self.missing[feature] = problem


def run_batch(batch, device, abilities, folder):
    """(program, verdict, why) of each program that fits the device."""
    width, missing = abilities.width, abilities.missing
    if abilities.strategies:
        device = device.forcing(abilities.strategies[batch.index % len(abilities.strategies)])
    programs, found = [], []
    for program in batch.programs:
        lacking = next((missing[feature] for feature in program.features() if feature in missing), None)
        if lacking:
            found.append((program, UNSUPPORTED, lacking))
        elif program.fits(width, abilities.has_clusters):
            programs.append(program)
    return found + (verdicts(batch, programs, device, width, folder) if programs else [])


def run_cases(device, check):
    """(name, verdict, why) of each command of the programs in cases/, as utils/device_check runs them."""
    if device.only_compiles():
        return []
    spec = importlib.util.spec_from_loader("device_check", importlib.machinery.SourceFileLoader("device_check", check))
    commands = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(commands)
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cases")
    found = []
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".coll"):
            continue
        for words in commands.find_runs(os.path.join(folder, name), device.place):
            _, problem = commands.run([device.collc, *words, *device.flags[1:]])
            verdict = PASSED if not problem else UNSUPPORTED if NOT_YET in problem else FAILED
            found.append((f"cases/{name}", verdict, problem))
    return found
