// Lanes that leave a loop at different trips stay until the last one leaves, where an
// atomic in it is better made by the whole warp: trips are under a condition.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-aggregate-atomics))' | FileCheck %s

// CHECK-LABEL: coll.kernel @together
// CHECK: %[[STAYS:.*]] = coll.var "stays" : <i1, private>
// CHECK: %[[TRUE:.*]] = arith.constant true
// CHECK: coll.store(%[[TRUE]]) to %[[STAYS]][]
// CHECK: coll.loop attributes {unroll = 4 : i32} {
// CHECK-NEXT: %[[DID:.*]] = coll.load %[[STAYS]][]
// CHECK-NEXT: %[[DOES:.*]] = coll.if %[[DID]] -> i1 {
// CHECK: %[[C:.*]] = arith.cmpi slt
// CHECK-NEXT: coll.yield %[[C]]
// CHECK-NEXT: } else {
// CHECK-NEXT: %[[FALSE:.*]] = arith.constant false
// CHECK-NEXT: coll.yield %[[FALSE]]
// CHECK: coll.store(%[[DOES]]) to %[[STAYS]][]
// CHECK-NEXT: %[[ANY:.*]] = coll.vote any warp %[[DOES]]
// CHECK-NEXT: coll.condition %[[ANY]]
// CHECK: } do {
// CHECK: %[[HERE:.*]] = coll.load %[[STAYS]][]
// CHECK: %[[ALL:.*]] = coll.if %[[HERE]] -> f32 {
// CHECK: coll.load
// CHECK: } else {
// CHECK: arith.constant -0.000000e+00 : f32
// CHECK: coll.vote any warp %[[HERE]]
// CHECK: coll.reduce warp add(%[[ALL]])
// CHECK: } step {
// CHECK-NEXT: %[[STEPS:.*]] = coll.load %[[STAYS]][]
// CHECK-NEXT: coll.if %[[STEPS]] {
// CHECK: coll.store(%{{.*}}) to %[[I:.*]][]
// CHECK-NOT: coll.active
coll.kernel @together workgroup [64, 1, 1] grid [] extents ["n"]
    params [#coll.param<name = "x", access = mut, isView = true, type = "f32", leaves = "f32", dims = -1>] {
^bb0(%x: !coll.view<?xf32, global>, %n: i64):
  %zero = arith.constant 0 : i64
  %rank = coll.rank block
  %first = arith.extui %rank : i32 to i64
  %i = coll.var "i" : !coll.view<i64, private>
  coll.store(%first) to %i[] : (i64), !coll.view<i64, private>
  coll.loop attributes {unroll = 4 : i32} {
    %now = coll.load %i[] : !coll.view<i64, private> -> i64
    %c = arith.cmpi slt, %now, %n : i64
    coll.condition %c
  } do {
    %now = coll.load %i[] : !coll.view<i64, private> -> i64
    %v = coll.load %x[%now] : !coll.view<?xf32, global> -> f32
    %old = coll.atomic_rmw fadd fast relaxed device %v, %x[%zero] : f32, !coll.view<?xf32, global>
    coll.yield
  } step {
    %now = coll.load %i[] : !coll.view<i64, private> -> i64
    %size = arith.constant 64 : i64
    %next = arith.addi %now, %size : i64
    coll.store(%next) to %i[] : (i64), !coll.view<i64, private>
    coll.yield
  }
  coll.return
}

// All make as many trips; some return from inside; not all come to the loop: as it is.
// CHECK-LABEL: coll.kernel @kept
// CHECK-NOT: "stays"
coll.kernel @kept workgroup [64, 1, 1] grid [] extents ["n"]
    params [#coll.param<name = "x", access = mut, isView = true, type = "f32", leaves = "f32", dims = -1>] {
^bb0(%x: !coll.view<?xf32, global>, %n: i64):
  %zero = arith.constant 0 : i64
  %rank = coll.rank block
  %wide = arith.extui %rank : i32 to i64
  %v = arith.uitofp %rank : i32 to f32
  %less = arith.cmpi slt, %wide, %n : i64
  %none = arith.cmpi eq, %n, %zero : i64
  coll.loop {
    coll.condition %none
  } do {
    %old = coll.atomic_rmw fadd fast relaxed device %v, %x[%zero] : f32, !coll.view<?xf32, global>
    coll.yield
  } step {
    coll.yield
  }
  coll.if %less {
    coll.loop {
      coll.condition %less
    } do {
      %old = coll.atomic_rmw fadd fast relaxed device %v, %x[%zero] : f32, !coll.view<?xf32, global>
      coll.yield
    } step {
      coll.yield
    }
    coll.yield
  }
  coll.loop {
    coll.condition %less
  } do {
    %old = coll.atomic_rmw fadd fast relaxed device %v, %x[%zero] : f32, !coll.view<?xf32, global>
    coll.if %less {
      coll.return
    }
    coll.yield
  } step {
    coll.yield
  }
  coll.return
}
