// RUN: coll-opt %s --canonicalize --cse | FileCheck %s
// What folds, and what must not.

// CHECK-LABEL: coll.kernel @division
coll.kernel @division workgroup [32, 1, 1] grid [] extents ["n"]
    params [#coll.param<name = "x", access = mut, isView = true, type = "i32", leaves = "i32", dims = -1>,
            #coll.param<name = "s", access = read, isView = false, type = "i32", leaves = "i32">] {
^bb0(%x: !coll.view<?xi32, global>, %s: i32, %n: i64):
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  // CHECK: ^bb0(%{{.*}}: !coll.view<?xi32, global>, %[[S:.*]]: i32, %{{.*}}: i64):
  // CHECK: %[[ZERO:.*]] = arith.constant 0 : i32
  // CHECK: coll.store(%[[S]])
  %a = coll.div signed %s, %one : i32
  coll.store (%a) to %x[%n] : (i32), !coll.view<?xi32, global>
  // CHECK: coll.store(%[[ZERO]])
  %b = coll.rem %s, %one : i32
  coll.store (%b) to %x[%n] : (i32), !coll.view<?xi32, global>
  // The reference device reports a divisor of 0.
  // CHECK: coll.div %[[S]], %[[ZERO]] : i32
  %c = coll.div %s, %zero : i32
  coll.store (%c) to %x[%n] : (i32), !coll.view<?xi32, global>
  coll.return
}

// CHECK-LABEL: coll.kernel @extents
coll.kernel @extents workgroup [32, 1, 1] grid [] extents ["n"]
    params [#coll.param<name = "x", access = mut, isView = true, type = "i64", leaves = "i64", dims = -1, 7>] {
^bb0(%x: !coll.view<?x7xi64, global>, %n: i64):
  // CHECK: %[[SEVEN:.*]] = arith.constant 7 : i64
  // CHECK: %[[N:.*]] = coll.extent %{{.*}}, 0
  %0 = coll.extent %x, 0 : !coll.view<?x7xi64, global>
  %1 = coll.extent %x, 1 : !coll.view<?x7xi64, global>
  // CHECK: coll.store(%[[SEVEN]]) to %{{.*}}[%[[N]], %[[SEVEN]]]
  coll.store (%1) to %x[%0, %1] : (i64), !coll.view<?x7xi64, global>
  coll.return
}

// CHECK-LABEL: coll.kernel @branches
coll.kernel @branches workgroup [32, 1, 1] grid [] extents []
    params [#coll.param<name = "s", access = read, isView = false, type = "i32", leaves = "i32">] {
^bb0(%s: i32):
  %true = arith.constant true
  %false = arith.constant false
  // CHECK-NOT: coll.if
  // CHECK: coll.sync block
  coll.if %true { coll.sync block coll.yield } else { coll.trap coll.yield }
  // CHECK-NOT: coll.trap
  coll.if %false { coll.trap coll.yield }
  // An arm that leaves early stays.
  // CHECK: coll.if %{{.*}} {
  // CHECK: coll.return
  coll.if %true { coll.return }
  // Collectives are neither merged nor removed, used or not.
  // CHECK: coll.reduce warp add
  // CHECK: coll.reduce warp add
  // CHECK: coll.elect warp
  %0 = coll.reduce warp add(%s) : i32
  %1 = coll.reduce warp add(%s) : i32
  %2 = coll.elect warp
  coll.return
}
