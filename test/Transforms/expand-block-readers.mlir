// Where rank 0 alone needs a block's result, it alone combines the warps' results;
// where one warp needs it, that warp. NVIDIA's plans bring a warp's result to
// rank 0 first, those of gfx9 to the last rank, a constant where no warp is short.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-expand-block{target=sm_90}))' | FileCheck %s --check-prefixes=CHECK,NVIDIA
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-expand-block{target=gfx942}))' | FileCheck %s --check-prefixes=CHECK,AMD

// CHECK-LABEL: coll.kernel @first
// CHECK: %[[PARTS:.*]] = coll.shared "partials"
// NVIDIA: %[[W:.*]] = coll.reduce warp add(%{{.*}}) for first : f32
// AMD: %[[W:.*]] = coll.reduce warp add(%{{.*}}) for last : f32
// CHECK: %[[LANE:.*]] = coll.rank warp
// NVIDIA: %[[C:.*]] = arith.constant 0 : i32
// AMD: %[[C:.*]] = arith.constant 63 : i32
// CHECK: %[[HOLDS:.*]] = arith.cmpi eq, %[[LANE]], %[[C]] : i32
// CHECK: coll.if %[[HOLDS]] {
// CHECK: coll.store(%[[W]]) to %[[PARTS]]
// CHECK: coll.sync block
// CHECK: %[[RANK:.*]] = coll.rank block
// CHECK: %[[IS_FIRST:.*]] = arith.cmpi eq, %[[RANK]]
// CHECK: coll.if %[[IS_FIRST]] -> f32 {
// CHECK-COUNT-2: coll.load
// CHECK: } else {
// CHECK-NEXT: coll.yield %[[W]] : f32
coll.kernel @first workgroup [128, 1, 1] grid [] extents []
    params [#coll.param<name = "f", access = read, isView = false, type = "f32", leaves = "f32">] {
^bb0(%f: f32):
  %s = coll.reduce block add(%f) for first : f32
  coll.return
}

// The lanes of the first warp combine many partials; the others' rank 0 is not asked.
// CHECK-LABEL: coll.kernel @lanes
// CHECK: coll.sync block
// CHECK: %[[WARP:.*]] = coll.index warp
// CHECK: %[[IN:.*]] = arith.cmpi eq
// CHECK: coll.if %[[IN]] -> f32 {
// CHECK: coll.load
// CHECK: coll.reduce tile<{{32|16}}> add(%{{.*}}) for first : f32
coll.kernel @lanes workgroup [1024, 1, 1] grid [] extents []
    params [#coll.param<name = "f", access = read, isView = false, type = "f32", leaves = "f32">] {
^bb0(%f: f32):
  %s = coll.reduce block add(%f) for first : f32
  coll.return
}

// CHECK-LABEL: coll.kernel @warp
// CHECK: coll.sync block
// CHECK: coll.index warp
// CHECK: coll.if %{{.*}} -> f32 {
// CHECK: coll.reduce tile<{{32|16}}> add(%{{.*}}) : f32
coll.kernel @warp workgroup [1024, 1, 1] grid [] extents []
    params [#coll.param<name = "f", access = read, isView = false, type = "f32", leaves = "f32">] {
^bb0(%f: f32):
  %s = coll.reduce block add(%f) for first_warp : f32
  coll.return
}

// The last warp has 13 ranks, so that its last one is another.
// CHECK-LABEL: coll.kernel @short
// AMD: %[[SIZE:.*]] = coll.size warp
// AMD: %[[LAST:.*]] = arith.subi %[[SIZE]]
// AMD: arith.cmpi eq, %{{.*}}, %[[LAST]] : i32
// CHECK: coll.sync block
coll.kernel @short workgroup [77, 1, 1] grid [] extents []
    params [#coll.param<name = "f", access = read, isView = false, type = "f32", leaves = "f32">] {
^bb0(%f: f32):
  %s = coll.reduce block add(%f) for first : f32
  coll.return
}
