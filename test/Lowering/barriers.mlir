// s_barrier orders nothing by itself, so it stands between fences; a tile's
// barrier names the tile's lanes.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll-lower{target=sm_90})' | FileCheck %s --check-prefix=NVIDIA
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll-lower{target=gfx1100})' | FileCheck %s --check-prefix=AMD

// NVIDIA: nvvm.barrier
// NVIDIA: %[[ALL:.*]] = llvm.mlir.constant(-1 : i32)
// NVIDIA: nvvm.bar.warp.sync %[[ALL]]
// NVIDIA: %[[OWN:.*]] = llvm.shl %{{.*}}, %{{.*}} : i32
// NVIDIA: nvvm.bar.warp.sync %[[OWN]]
// AMD: llvm.fence syncscope("workgroup") release
// AMD-NEXT: rocdl.s.barrier
// AMD-NEXT: llvm.fence syncscope("workgroup") acquire
// AMD: llvm.fence syncscope("wavefront") release
// AMD-NEXT: llvm.call_intrinsic "llvm.amdgcn.wave.barrier"
// AMD-NEXT: llvm.fence syncscope("wavefront") acquire
coll.kernel @barriers workgroup [64, 1, 1] grid [] extents [] params [] {
  coll.sync block
  coll.sync warp
  coll.sync tile<8>
  coll.return
}
