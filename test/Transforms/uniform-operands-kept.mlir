// What may differ between the group's ranks is exchanged, and so is what depends on
// the order: a float scan, and an operator that may stop in a short group.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-uniform-operands{target=sm_90}))' | FileCheck %s

// CHECK-LABEL: coll.kernel @kept
// CHECK: coll.reduce block add(%{{.*}}) : i32
// CHECK: coll.reduce warp add(%{{.*}}) : i32
// CHECK: coll.scan warp add(%{{.*}}) : f32
// CHECK: coll.reduce warp (%{{.*}}) : i32 combiner
coll.kernel @kept workgroup [45, 1, 1] grid [] extents []
    params [#coll.param<name = "f", access = read, isView = false, type = "f32", leaves = "f32">,
            #coll.param<name = "i", access = read, isView = false, type = "i32", leaves = "i32">] {
^bb0(%f: f32, %i: i32):
  %warp = coll.index warp
  %rank = coll.rank warp
  %a = coll.reduce block add(%warp) : i32
  %b = coll.reduce warp add(%rank) : i32
  %c = coll.scan warp add(%f) : f32
  %d = coll.reduce warp (%i) : i32 combiner {
  ^bb0(%l: i32, %r: i32):
    %yes = arith.cmpi sgt, %l, %r : i32
    coll.assert %yes, "falls" signs []
    coll.yield %l : i32
  }
  coll.return
}

// A tile that the chip does not have stays an error.
// CHECK-LABEL: coll.kernel @wide
// CHECK: coll.reduce tile<64> add
coll.kernel @wide workgroup [96, 1, 1] grid [] extents []
    params [#coll.param<name = "i", access = read, isView = false, type = "i32", leaves = "i32">] {
^bb0(%i: i32):
  %a = coll.reduce tile<64> add(%i) : i32
  coll.return
}
