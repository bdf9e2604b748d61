// A block's shuffle goes through shared memory, in one of two halves that the kernel's shuffles use in turn; where the values are
// large, between two barriers.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-expand-block{target=sm_90}))' | FileCheck %s

// CHECK-LABEL: coll.kernel @shuffle
// CHECK: ^bb0(%[[X:.*]]: f32, %[[D:.*]]: i32):
// CHECK-DAG: %[[VAR:.*]] = coll.var "half"
// CHECK-DAG: %[[SPACE:.*]] = coll.shared "exchange" {alignment = 16 : i64} : {{(!coll.view)?}}<2x128xf32, shared>
// CHECK: %[[RANK:.*]] = coll.rank block
// CHECK: %[[SOURCE:.*]] = arith.subi %[[RANK]], %[[D]]
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[SOURCE]]
// CHECK-NOT: coll.sync
// CHECK: %[[HALF:.*]] = coll.load %[[VAR]]
// CHECK: %[[OTHER:.*]] = arith.xori %[[HALF]], %{{.*}} : i64
// CHECK: coll.store(%[[OTHER]]) to %[[VAR]]
// CHECK: coll.store{{ ?}}(%[[X]]) to %[[SPACE]][%[[HALF]], %{{.*}}]
// CHECK: coll.sync block
// CHECK-NOT: coll.sync
// CHECK: %[[MOVED:.*]] = coll.load %[[SPACE]][%[[HALF]], %{{.*}}]
// CHECK: arith.select %[[IN]], %[[MOVED]], %{{.*}} : f32
// CHECK: %[[NEXT:.*]] = coll.load %[[VAR]]
// CHECK-NOT: coll.sync
// CHECK: coll.store{{ ?}}(%{{.*}}) to %[[SPACE]][%[[NEXT]], %{{.*}}]
// CHECK: coll.sync block
// CHECK-NOT: coll.sync
coll.kernel @shuffle workgroup [128, 1, 1] grid [] extents []
    params [#coll.param<name = "x", access = read, isView = false, type = "f32", leaves = "f32">,
            #coll.param<name = "d", access = read, isView = false, type = "i32", leaves = "i32">] {
^bb0(%x: f32, %d: i32):
  %f = arith.constant 7.0 : f32
  %y = coll.shuffle up block %x by %d fill(%f : f32) : f32
  %z = coll.shuffle up block %y by %d : f32
  coll.return
}

// CHECK-LABEL: coll.kernel @large
// CHECK: coll.shared "exchange" {alignment = 16 : i64} : {{(!coll.view)?}}<1024xvector<4xf32>, shared>
// CHECK: coll.sync block
// CHECK: coll.store{{ ?}}
// CHECK: coll.sync block
// CHECK-NOT: coll.sync
// CHECK: coll.return
coll.kernel @large workgroup [1024, 1, 1] grid [] extents []
    params [#coll.param<name = "d", access = read, isView = false, type = "i32", leaves = "i32">] {
^bb0(%d: i32):
  %x = arith.constant dense<1.0> : vector<4xf32>
  %y = coll.shuffle up block %x by %d : vector<4xf32>
  coll.return
}

// Shuffles of different types use one place in turn: 8 bytes of 128 threads are its first half, the second one is behind it.
// CHECK-LABEL: coll.kernel @types
// CHECK-DAG: coll.shared "exchange0" overlay 0 {alignment = 16 : i64} : {{(!coll.view)?}}<2x128xf64, shared>
// CHECK-DAG: coll.shared "exchange0" overlay 0 {alignment = 16 : i64} : {{(!coll.view)?}}<2x256xf32, shared>
// CHECK-DAG: coll.shared "exchange0" overlay 0 {alignment = 16 : i64} : {{(!coll.view)?}}<2x512xi16, shared>
// CHECK-NOT: coll.shared
// CHECK: coll.return
coll.kernel @types workgroup [128, 1, 1] grid [] extents []
    params [#coll.param<name = "x", access = read, isView = false, type = "f32", leaves = "f32">,
            #coll.param<name = "d", access = read, isView = false, type = "i32", leaves = "i32">] {
^bb0(%x: f32, %d: i32):
  %w = arith.constant 7.0 : f64
  %h = arith.constant 7 : i16
  %a = coll.shuffle up block %x by %d : f32
  %b = coll.shuffle up block %w by %d : f64
  %c = coll.shuffle up block %h by %d : i16
  coll.return
}

// Leaves of one shuffle alone are each in an array.
// CHECK-LABEL: coll.kernel @leaves
// CHECK-NOT: overlay
// CHECK: coll.return
coll.kernel @leaves workgroup [128, 1, 1] grid [] extents []
    params [#coll.param<name = "x", access = read, isView = false, type = "f32", leaves = "f32">,
            #coll.param<name = "d", access = read, isView = false, type = "i32", leaves = "i32">] {
^bb0(%x: f32, %d: i32):
  %a:2 = coll.shuffle up block %x, %d by %d : f32, i32
  coll.return
}
