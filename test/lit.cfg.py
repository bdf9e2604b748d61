"""The lit suite. Tools: collc, coll-opt, and LLVM's FileCheck, not, llvm-*.

Features: `ptxas` (NVIDIA's assembler is installed), `cuda` (a CUDA device can
be opened), `hip` (an AMD device can be opened), `sanitizer` (an instrumented
build).
"""

import os
import subprocess

import lit.formats

config.name = "coll"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".coll", ".mlir", ".test"]
config.excludes = ["Inputs", "unittests"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.coll_build_root, "test")

bin_folder = os.path.join(config.coll_build_root, "bin")
config.environment["PATH"] = os.pathsep.join([bin_folder, config.llvm_tools, os.environ["PATH"]])
for name in ("CUDA_VISIBLE_DEVICES", "LD_LIBRARY_PATH", "UBSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

config.substitutions.append(("%examples", os.path.join(config.coll_source_root, "examples")))
config.substitutions.append(("%source", config.coll_source_root))
config.substitutions.append(("%build", config.coll_build_root))
config.substitutions.append(("%ptxas", config.ptxas))

if config.ptxas and not config.ptxas.endswith("NOTFOUND"):
    config.available_features.add("ptxas")
if config.sanitizers:
    config.available_features.add("sanitizer")
    # LLVM's headers poison what its allocators free, and the packaged libraries,
    # which are not instrumented, hand it out again.
    config.environment["ASAN_OPTIONS"] = "allow_user_poisoning=0"


def has_device(kind):
    collc = os.path.join(bin_folder, "collc")
    if not os.path.exists(collc):
        return False
    listing = subprocess.run([collc, "devices"], capture_output=True, text=True).stdout
    return any(line.startswith(kind + ":") for line in listing.splitlines())


for kind in ("cuda", "hip"):
    if has_device(kind):
        config.available_features.add(kind)
