// Collectives of one thread give their operands or constants.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-expand-thread))' | FileCheck %s

// CHECK-LABEL: coll.kernel @one
// CHECK: ^bb0(%{{.*}}, %[[X:.*]]: i32, %{{.*}}: i64):
// CHECK-NOT: coll.reduce
// CHECK-NOT: coll.sync
// CHECK: %[[INSIDE:.*]] = arith.cmpi eq, %[[X]], %{{.*}} : i32
// CHECK: %[[SHUFFLED:.*]] = arith.select %[[INSIDE]], %[[X]]
// CHECK: coll.store{{ ?}}(%[[X]]) to
// CHECK: coll.store{{ ?}}(%[[SHUFFLED]]) to
coll.kernel @one workgroup [64, 1, 1] grid [] extents ["n"]
    params [#coll.param<name = "y", access = mut, isView = true, type = "i32", leaves = "i32", dims = -1>,
            #coll.param<name = "x", access = read, isView = false, type = "i32", leaves = "i32">] {
^bb0(%y: !coll.view<?xi32, global>, %x: i32, %n: i64):
  %c0 = arith.constant 0 : i64
  %f = arith.constant 7 : i32
  %s = coll.reduce thread add(%x) : i32
  %h = coll.shuffle up tile<1> %x by %x fill(%f : i32) : i32
  coll.sync thread
  coll.store (%s) to %y[%c0] : (i32), !coll.view<?xi32, global>
  coll.store (%h) to %y[%c0] : (i32), !coll.view<?xi32, global>
  coll.return
}

// Parts of one thread's group are that thread too, and nothing compares their labels.
// CHECK-LABEL: coll.kernel @parts
// CHECK: ^bb0(%{{.*}}, %[[V:.*]]: i32, %{{.*}}: i64):
// CHECK-NOT: coll.partition
// CHECK-NOT: coll.reduce
// CHECK: coll.store{{ ?}}(%[[V]]) to
coll.kernel @parts workgroup [64, 1, 1] grid [] extents ["n"]
    params [#coll.param<name = "y", access = mut, isView = true, type = "i32", leaves = "i32", dims = -1>,
            #coll.param<name = "x", access = read, isView = false, type = "i32", leaves = "i32">] {
^bb0(%y: !coll.view<?xi32, global>, %x: i32, %n: i64):
  %c0 = arith.constant 0 : i64
  %p = coll.partition tile<1> %x : i32
  %q = coll.partition members(%p) %x : i32
  %s = coll.reduce members(%q) add(%x) : i32
  coll.store (%s) to %y[%c0] : (i32), !coll.view<?xi32, global>
  coll.return
}
