"""Reads and writes .npy files of plain numbers, without NumPy."""

import ast
import math
import struct

FORMATS = {
    "|b1": "?", "|i1": "b", "<i2": "h", "<i4": "i", "<i8": "q",
    "|u1": "B", "<u2": "H", "<u4": "I", "<u8": "Q",
    "<f2": "e", "<f4": "f", "<f8": "d",
}  # fmt: skip


def write(path, dtype, shape, values):
    """Writes the values, in row-major order, as an array of a type such as '<f4'."""
    assert math.prod(shape) == len(values)
    header = repr({"descr": dtype, "fortran_order": False, "shape": tuple(shape)})
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(struct.pack(f"<{len(values)}{FORMATS[dtype]}", *values))


def read(path):
    """The shape and the values, in row-major order."""
    with open(path, "rb") as file:
        magic, length = file.read(8), struct.unpack("<H", file.read(2))[0]
        assert magic == b"\x93NUMPY\x01\x00", f"{path} is no .npy file of version 1"
        header = ast.literal_eval(file.read(length).decode())
        data = file.read()
    shape = header["shape"]
    assert not header["fortran_order"]
    return shape, list(struct.unpack(f"<{math.prod(shape)}{FORMATS[header['descr']]}", data))


def rows(array):
    """A matrix from `read` as a list of lists."""
    (height, width), values = array
    return [values[i * width : (i + 1) * width] for i in range(height)]
