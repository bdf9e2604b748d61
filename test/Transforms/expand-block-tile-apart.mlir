// Tiles that go different ways need barriers of their own: what a chip has too few for is an error.
// RUN: not coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-expand-block{target=gfx1100}))' 2>&1 | FileCheck %s --check-prefix=AMD
// RUN: not coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-expand-block{target=sm_90}))' 2>&1 | FileCheck %s --check-prefix=NVIDIA

// NVIDIA-NOT: error:
coll.kernel @four workgroup [256, 1, 1] grid [] extents [] params [] {
  %i = coll.index tile<64>
  %zero = arith.constant 0 : i32
  %c = arith.cmpi eq, %i, %zero : i32
  coll.if %c {
    // AMD: apart.mlir:[[#@LINE+1]]:5: error: a collective of block.tile(64) that not all tiles of the block reach is not supported yet on gfx1100, which has too few barriers for 4 tiles{{$}}
    coll.sync tile<64>
    coll.yield
  }
  coll.return
}

coll.kernel @sixteen workgroup [1024, 1, 1] grid [] extents [] params [] {
  %i = coll.index tile<64>
  %zero = arith.constant 0 : i32
  %c = arith.cmpi eq, %i, %zero : i32
  coll.if %c {
    // AMD: error: a collective of block.tile(64) {{.*}} for 16 tiles{{$}}
    // NVIDIA: apart.mlir:[[#@LINE+1]]:5: error: a collective of block.tile(64) that not all tiles of the block reach is not supported yet on sm_90, which has too few barriers for 16 tiles{{$}}
    coll.sync tile<64>
    coll.yield
  }
  coll.return
}
