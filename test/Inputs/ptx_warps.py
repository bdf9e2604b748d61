"""Executes the PTX of small kernels, one block, warp by warp.

For kernels without loops, shared memory and barriers: what collectives of warps
and tiles become. Registers hold bits as numbers, one for each lane. A value that
PTX does not define is None, and it is an error to store it or to branch on it.
Only instructions that the tests need are known; another one is an error.
"""

import re

from ptx_values import Fault, compute, reduce_words, signed

WARP = 32


class Warp:
    """The first `present` lanes of a warp, at an instruction of a kernel."""

    def __init__(self, statements, params, memory, first, present):
        self.statements, self.params, self.memory = statements, params, memory
        self.first, self.present = first, present
        self.registers = {}
        self.waiting = [None] * present  # The label that a lane went to.

    def run(self):
        for statement in self.statements:
            if statement.endswith(":"):
                self.waiting = [None if label == statement[:-1] else label for label in self.waiting]
            else:
                self.execute(statement)
        if any(self.waiting):
            raise Fault(f"a branch leads back to {self.waiting}")

    def read(self, operand, lane):
        operand = operand.strip()
        if re.fullmatch(r"-?\d+", operand):
            return int(operand) & 0xFFFFFFFFFFFFFFFF
        if re.fullmatch(r"0x[0-9a-fA-F]+U?", operand):
            return int(operand.rstrip("U"), 16)
        if re.fullmatch(r"0[fd][0-9a-fA-F]+", operand):
            return int(operand[2:], 16)
        if operand == "%tid.x":
            return self.first + lane
        if operand == "%laneid":
            return lane
        if operand == "%lanemask_lt":
            return (1 << lane) - 1
        if operand == "%lanemask_le":
            return (2 << lane) - 1
        if operand in ("%tid.y", "%tid.z"):
            return 0
        if operand not in self.registers:
            return None
        return self.registers[operand][lane]

    def write(self, operand, lane, bits):
        if operand.strip() != "_":
            self.registers.setdefault(operand.strip(), [None] * WARP)[lane] = bits

    def execute(self, statement):
        guard = None
        if statement.startswith("@"):
            guard, statement = statement[1:].split(None, 1)
        opcode, _, rest = statement.partition(" ")
        lanes = []
        for lane in range(self.present):
            if self.waiting[lane]:
                continue
            if guard:
                value = self.read(guard.lstrip("!"), lane)
                if value is None:
                    raise Fault(f"'{statement}' depends on an undefined predicate")
                if bool(value) == guard.startswith("!"):
                    continue
            lanes.append(lane)
        parts = opcode.split(".")
        if parts[0] in (".reg", "ret", ""):
            return
        if parts[0] == "bra":
            for lane in lanes:
                self.waiting[lane] = rest.strip()
            return
        operands = split_operands(rest)
        if parts[0] in ("shfl", "vote", "redux"):
            getattr(self, parts[0])(parts, operands, lanes)
            return
        for lane in lanes:
            self.step(parts, operands, lane)

    # Between lanes ---------------------------------------------------------

    def check_members(self, members, lanes, lane, opcode):
        expected = [l for l in range(self.present) if members >> l & 1]
        if lane not in expected or not set(expected) <= set(lanes):
            raise Fault(f"{opcode}: lane {lane} is with {lanes}, not with {expected}")
        return expected

    def shfl(self, parts, operands, lanes):
        mode = parts[2]
        target, _, predicate = operands[0].partition("|")
        results = []
        for lane in lanes:
            b, c, members = (self.read(operand, lane) for operand in operands[2:5])
            members &= 0xFFFFFFFF
            self.check_members(members, lanes, lane, "shfl")
            segment, clamp = c >> 8 & 31, c & 31
            limit = (lane & segment) | (clamp & ~segment & 31)
            b &= 31
            if mode == "up":
                source = lane - b
                inside = source >= limit
            elif mode == "down":
                source = lane + b
                inside = source <= limit
            elif mode == "bfly":
                source = lane ^ b
                inside = source <= limit
            else:
                source = (lane & segment) | (b & ~segment & 31)
                inside = source <= limit
            source = source if inside else lane
            value = self.read(operands[1], source) if source in lanes else None
            results.append((lane, value, inside))
        for lane, value, inside in results:
            self.write(target, lane, value)
            if predicate:
                self.write(predicate, lane, int(inside))

    def vote(self, parts, operands, lanes):
        results = []
        for lane in lanes:
            members = self.read(operands[2], lane) & 0xFFFFFFFF
            group = self.check_members(members, lanes, lane, "vote")
            negated = operands[1].startswith("!")
            votes = [self.read(operands[1].lstrip("!"), l) for l in group]
            if None in votes:
                raise Fault("vote on an undefined predicate")
            votes = [bool(v) != negated for v in votes]
            if parts[2] == "ballot":
                result = sum(vote << l for l, vote in zip(group, votes))
            else:
                result = int(any(votes) if parts[2] == "any" else all(votes))
            results.append((lane, result))
        for lane, result in results:
            self.write(operands[0], lane, result)

    def redux(self, parts, operands, lanes):
        results = []
        for lane in lanes:
            members = self.read(operands[2], lane) & 0xFFFFFFFF
            group = self.check_members(members, lanes, lane, "redux")
            values = [self.read(operands[1], l) for l in group]
            if None in values:
                raise Fault("redux of an undefined value")
            results.append((lane, reduce_words(parts, values)))
        for lane, result in results:
            self.write(operands[0], lane, result)

    # In a lane -------------------------------------------------------------

    def step(self, parts, operands, lane):
        name, kind = parts[0], parts[-1]
        if name == "ld" and parts[1] == "param":
            index = int(re.search(r"param_(\d+)", operands[1]).group(1))
            return self.write(operands[0], lane, self.params[index])
        if name == "ld":
            width = int(kind[1:])
            for i, register in enumerate(split_registers(operands[0])):
                bits = self.load(self.address(operands[1], lane) + i * width // 8, width)
                if kind[0] == "s":
                    bits = signed(bits, width) & 0xFFFFFFFFFFFFFFFF
                self.write(register, lane, bits)
            return None
        if name == "st":
            width = int(kind[1:])
            for i, register in enumerate(split_registers(operands[1])):
                value = self.read(register, lane)
                if value is None:
                    raise Fault(f"lane {lane} stores an undefined value")
                self.store(self.address(operands[0], lane) + i * width // 8, width, value)
            return None
        if name == "mov" and "{" in "".join(operands):
            return self.move_parts(kind, operands, lane)
        if name == "mov":
            return self.write(operands[0], lane, self.read(operands[1], lane))
        values = [self.read(operand, lane) for operand in operands[1:]]
        if name == "selp":
            if values[2] is None:
                return self.write(operands[0], lane, None)
            chosen = values[0] if values[2] else values[1]
            return self.write(operands[0], lane, None if chosen is None else chosen & ((1 << int(kind[1:])) - 1))
        if None in values:
            return self.write(operands[0], lane, None)
        self.write(operands[0], lane, compute(parts, values))

    def address(self, operand, lane):
        base, _, offset = operand.strip("[]").partition("+")
        return self.read(base, lane) + int(offset or 0)

    def load(self, address, width):
        return int.from_bytes(bytes(self.memory[address + i] for i in range(width // 8)), "little")

    def store(self, address, width, value):
        for i in range(width // 8):
            self.memory[address + i] = value >> 8 * i & 0xFF

    def move_parts(self, kind, operands, lane):
        width = int(kind[1:])
        packs = operands[0][0] != "{"
        names = (operands[1] if packs else operands[0]).strip("{} ").split(",")
        half = width // len(names)
        if not packs:
            bits = self.read(operands[1], lane)
            for i, name in enumerate(names):
                self.write(name, lane, None if bits is None else bits >> half * i & ((1 << half) - 1))
            return
        values = [self.read(name, lane) for name in names]
        known = None not in values
        self.write(operands[0], lane, sum((v & ((1 << half) - 1)) << half * i for i, v in enumerate(values)) if known else None)


def split_operands(text):
    """At commas that are not inside braces."""
    return [part.strip() for part in re.findall(r"(?:\{[^}]*\}|[^,{])+", text)]


def split_registers(operand):
    """One register, or those of a vector."""
    return [register.strip() for register in operand.strip("{} ").split(",")]


def read_kernels(ptx):
    """The statements of each kernel, by name."""
    ptx = re.sub(r"//.*", "", ptx)
    kernels = {}
    for match in re.finditer(r"\.entry (\w+)\((.*?)\)\s*(?:\.\w+ [\d, ]+\s*)*\{", ptx, re.S):
        depth, place = 1, match.end()
        while depth:
            depth += {"{": 1, "}": -1}.get(ptx[place], 0)
            place += 1
        body = ptx[match.end() : place - 1]
        # Braces of blocks, not of vectors of registers.
        body = re.sub(r"\{(?=\s*[@.\w][^,}]*;)", "", body)
        body = re.sub(r"(:)\s*\}", r"\1", body)
        body = re.sub(r";\s*\}(?=\s)", ";", body)
        body = re.sub(r"([\w$]+:)", r"\1;", body)
        kernels[match.group(1)] = [" ".join(s.split()) for s in body.split(";") if s.strip()]
    return kernels


def run(statements, params, memory, block_size):
    """Runs one block. `memory` is bytes by address."""
    for first in range(0, block_size, WARP):
        Warp(statements, params, memory, first, min(WARP, block_size - first)).run()
