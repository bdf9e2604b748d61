// Rows of 16 by DPP, across rows what the family has; ds_bpermute only where the
// source is not known.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-lower-collectives{target=gfx942}),coll-lower-kernels{target=gfx942},coll-convert-to-llvm{target=gfx942})' | FileCheck %s --check-prefixes=CHECK,GFX9
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-lower-collectives{target=gfx1100}),coll-lower-kernels{target=gfx1100},coll-convert-to-llvm{target=gfx1100})' | FileCheck %s --check-prefixes=CHECK,W32
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-lower-collectives{target=gfx1100:64}),coll-lower-kernels{target=gfx1100:64},coll-convert-to-llvm{target=gfx1100:64})' | FileCheck %s --check-prefixes=CHECK,W64

// CHECK-LABEL: llvm.func @sum
// CHECK-COUNT-4: rocdl.update.dpp
// GFX9-COUNT-2: rocdl.update.dpp
// GFX9: rocdl.readlane
// W32: rocdl.permlanex16
// W64: rocdl.permlanex16
// W64: llvm.amdgcn.permlane64
// CHECK-NOT: bpermute
coll.kernel @sum workgroup [256, 1, 1] grid [] extents []
    params [#coll.param<name = "f", access = read, isView = false, type = "f32", leaves = "f32">] {
^bb0(%f: f32):
  %t = coll.reduce warp add(%f) : f32
  coll.return
}

// In waves of 64 of this family ds_bpermute stays in its half: words go through LDS.
// CHECK-LABEL: llvm.func @shuffle
// GFX9: rocdl.ds_bpermute
// W32: rocdl.ds_bpermute
// W64-NOT: bpermute
// W64: llvm.store %{{.*}} : i32, !llvm.ptr<3>
// W64: llvm.load %{{.*}} : !llvm.ptr<3> -> i32
coll.kernel @shuffle workgroup [256, 1, 1] grid [] extents []
    params [#coll.param<name = "f", access = read, isView = false, type = "f32", leaves = "f32">,
            #coll.param<name = "k", access = read, isView = false, type = "i32", leaves = "i32">] {
^bb0(%f: f32, %k: i32):
  %t = coll.shuffle idx warp %f by %k : f32
  coll.return
}

// A ballot has one bit a lane; ranks below count with mbcnt.
// CHECK-LABEL: llvm.func @votes
// GFX9: rocdl.ballot %{{.*}} : i64
// W32: rocdl.ballot %{{.*}} : i32
// W64: rocdl.ballot %{{.*}} : i64
// CHECK: rocdl.mbcnt.lo
// GFX9: rocdl.mbcnt.hi
// W32-NOT: rocdl.mbcnt.hi
// W64: rocdl.mbcnt.hi
coll.kernel @votes workgroup [256, 1, 1] grid [] extents []
    params [#coll.param<name = "p", access = read, isView = false, type = "bool", leaves = "bool">] {
^bb0(%p: i1):
  %t = coll.rank_among warp %p
  %o0 = coll.shared "o" : !coll.view<i32, shared>
  coll.store (%t) to %o0[] : (i32), !coll.view<i32, shared>
  coll.return
}
