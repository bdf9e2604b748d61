"""Runs arithmetic_check with two kinds of programs more: `different` ends in a row whose results differ between devices, `refused` is
none that compiles."""

import importlib.machinery
import importlib.util
import os
import sys

UTILS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "utils")
sys.path.insert(0, UTILS)
sys.dont_write_bytecode = True

import arithmetic_programs as programs  # noqa: E402

DIFFERENT = [("a + 1.0", "f32"), ("fast.exp(a)", "f32")]
DIFFERENT_VECTOR = [("f32x2(a, a)", "f32x2"), ("f32x2(a, fast.exp(a))", "f32x2")]


def load_tool():
    loader = importlib.machinery.SourceFileLoader("arithmetic_check", os.path.join(UTILS, "arithmetic_check"))
    tool = importlib.util.module_from_spec(importlib.util.spec_from_loader("arithmetic_check", loader))
    loader.exec_module(tool)
    return tool


def make_different(number):
    values = DIFFERENT_VECTOR if number else DIFFERENT
    return [programs.Row(["let a = x_f32[t];"], value, value_type) for value, value_type in values]


def make_refused(_):
    return [programs.Row(["let a = nothing;"], "a", "f32")]


if __name__ == "__main__":
    programs.KINDS.update(different=make_different, refused=make_refused)
    sys.exit(load_tool().main())
