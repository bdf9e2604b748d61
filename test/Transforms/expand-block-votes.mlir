// NVIDIA's barrier carries out votes; for AMD they are combined in shared memory.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-expand-block{target=sm_90}))' | FileCheck %s --check-prefix=NVIDIA
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-expand-block{target=gfx942}))' | FileCheck %s --check-prefix=AMD

// NVIDIA: coll.vote any block
// NVIDIA: coll.population block
// AMD: coll.vote any warp
// AMD: coll.sync block
// AMD: coll.reduce warp or
// AMD: coll.population warp
// AMD: coll.sync block
// AMD: coll.reduce tile<4> add
coll.kernel @votes workgroup [256, 1, 1] grid [] extents [] params [] {
  %p = arith.constant true
  %a = coll.vote any block %p
  %n = coll.population block %p
  coll.return
}
