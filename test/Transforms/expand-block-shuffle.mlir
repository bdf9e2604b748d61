// A block's shuffle goes through shared memory, between two barriers.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-expand-block{target=sm_90}))' | FileCheck %s

// CHECK: ^bb0(%[[X:.*]]: f32, %[[D:.*]]: i32):
// CHECK: %[[SPACE:.*]] = coll.shared "exchange" {alignment = 16 : i64} : {{(!coll.view)?}}<128xf32, shared>
// CHECK: %[[RANK:.*]] = coll.rank block
// CHECK: %[[SOURCE:.*]] = arith.subi %[[RANK]], %[[D]]
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[SOURCE]]
// CHECK: coll.sync block
// CHECK: coll.store{{ ?}}(%[[X]]) to %[[SPACE]]
// CHECK: coll.sync block
// CHECK: %[[MOVED:.*]] = coll.load %[[SPACE]]
// CHECK: arith.select %[[IN]], %[[MOVED]], %{{.*}} : f32
coll.kernel @shuffle workgroup [128, 1, 1] grid [] extents []
    params [#coll.param<name = "x", access = read, isView = false, type = "f32", leaves = "f32">,
            #coll.param<name = "d", access = read, isView = false, type = "i32", leaves = "i32">] {
^bb0(%x: f32, %d: i32):
  %f = arith.constant 7.0 : f32
  %y = coll.shuffle up block %x by %d fill(%f : f32) : f32
  coll.return
}
