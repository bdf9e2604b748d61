#!/usr/bin/env python3
"""Refuses an #include that goes against the layers of docs/design.md.

A file may include coll headers of its own library and of lower layers; siblings
in a layer do not see each other. Support to Plan include no MLIR. Prints each
wrong line and ends with 1 if there is one.
"""

import os
import re
import sys

LAYERS = {
    "Support": 0,
    "Target": 1, "Bundle": 1, "Syntax": 1, "Std": 1,
    "Sema": 2, "Plan": 2,
    "Dialect": 3,
    "IRGen": 4, "Analysis": 4, "Interpreter": 4,
    "Transforms": 5,
    "Lowering": 6,
    "CodeGen": 7, "Simulator": 7,
    "Driver": 8,
    "Runtime": 9,
    "Commands": 10,
}
NO_MLIR = {"Support", "Target", "Bundle", "Syntax", "Std", "Sema", "Plan"}
# Adapters of the runtime to the compiler: everything else there knows bundles
# and targets only.
RUNTIME_ADAPTERS = ("runtime/lib/reference/", "runtime/lib/simulator/", "runtime/lib/hip-sim/",
                    "runtime/lib/api/")
RUNTIME_USES = {"Bundle", "Target", "Support", "Runtime"}

INCLUDE = re.compile(r'^\s*#include "(coll/(\w+)/[^"]*|mlir/[^"]*)"')


def library_of(path):
    parts = path.split(os.sep)
    if parts[0] == "runtime":
        return "Runtime"
    if parts[0] == "lib":
        return parts[1]
    if parts[:2] == ["include", "coll"]:
        return parts[2]
    return None


def check_file(root, path):
    library = library_of(path)
    if library not in LAYERS:
        return
    with open(os.path.join(root, path), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            header, used = match.group(1), match.group(2)
            if header.startswith("mlir/"):
                if library in NO_MLIR:
                    yield f"{path}:{number}: {library} includes MLIR: {header}"
                continue
            if used == library:
                continue
            if used not in LAYERS:
                yield f"{path}:{number}: {header} is of no known library"
            elif LAYERS[used] >= LAYERS[library]:
                yield (f"{path}:{number}: {library} (layer {LAYERS[library]}) includes "
                       f"{header} of layer {LAYERS[used]}")
            elif library == "Runtime" and used not in RUNTIME_USES and not path.startswith(RUNTIME_ADAPTERS):
                yield f"{path}:{number}: the runtime's core includes {header}"


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "..")
    problems = []
    for top in ("include", "lib", "runtime"):
        for folder, _, files in os.walk(os.path.join(root, top)):
            for name in sorted(files):
                if name.endswith((".h", ".hpp", ".cpp", ".td")):
                    path = os.path.relpath(os.path.join(folder, name), root)
                    problems += check_file(root, path)
    print("\n".join(problems) if problems else "layers: no wrong include")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
