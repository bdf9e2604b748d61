// What follows a branch from which some lanes leave is its other arm, where an atomic
// in it is better made by the whole warp.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-aggregate-atomics))' | FileCheck %s

// Two returns of a kernel.
// CHECK-LABEL: coll.kernel @returns
// CHECK: %[[ALL:.*]]:3 = coll.if %[[C:.*]] -> f32, i1, i1 {
// CHECK: } else {
// CHECK: %[[D:.*]] = arith.cmpi ugt
// CHECK: coll.if %[[D]] -> f32
// CHECK: coll.vote any warp %[[ALL]]#1
// CHECK: coll.reduce warp add(%[[ALL]]#0)
// CHECK: coll.if %[[C]] {
// CHECK-NEXT: coll.store
// CHECK-NEXT: coll.yield
// CHECK-NEXT: } else {
// CHECK-NEXT: coll.if %[[ALL]]#2 {
// CHECK-NEXT: coll.store
// CHECK-NOT: coll.active
// CHECK: coll.return
// CHECK-NEXT: }
coll.kernel @returns workgroup [64, 1, 1] grid [] extents ["n"]
    params [#coll.param<name = "x", access = mut, isView = true, type = "f32", leaves = "f32", dims = -1>] {
^bb0(%x: !coll.view<?xf32, global>, %n: i64):
  %zero = arith.constant 0 : i64
  %rank = coll.rank block
  %i = arith.extui %rank : i32 to i64
  %f = arith.uitofp %rank : i32 to f32
  %seven = arith.constant 7 : i32
  %nine = arith.constant 9 : i32
  %c = arith.cmpi ult, %rank, %seven : i32
  coll.if %c {
    coll.store(%f) to %x[%i] : (f32), !coll.view<?xf32, global>
    coll.return
  }
  %d = arith.cmpi ugt, %rank, %nine : i32
  coll.if %d {
    coll.yield
  } else {
    coll.return
  }
  %old = coll.atomic_rmw fadd fast relaxed device %f, %x[%zero] : f32, !coll.view<?xf32, global>
  coll.store(%f) to %x[%i] : (f32), !coll.view<?xf32, global>
  coll.return
}

// Of a function with a value, in a loop of which some skip a trip.
// CHECK-LABEL: coll.kernel @values
// CHECK: coll.loop
// CHECK: } do {
// CHECK: coll.if %[[C:.*]] -> f64, i1, i1 {
// CHECK: coll.inline "f" -> f64, i1, i1 {
// CHECK: coll.vote any warp
// CHECK: coll.scan_total warp add
// CHECK: coll.if %[[C]] {
// CHECK: } else {
// CHECK: %[[VALUE:.*]] = coll.inline "f" -> f64 {
// CHECK-NEXT: %[[ARM:.*]] = coll.if %{{.*}} -> f64 {
// CHECK-NEXT: coll.yield
// CHECK-NEXT: } else {
// CHECK-NEXT: coll.yield
// CHECK-NEXT: }
// CHECK-NEXT: coll.return %[[ARM]]
// CHECK: coll.store(%[[VALUE]])
// CHECK-NOT: coll.continue
// CHECK: } step {
coll.kernel @values workgroup [64, 1, 1] grid [] extents ["n"]
    params [#coll.param<name = "x", access = mut, isView = true, type = "f64", leaves = "f64", dims = -1>] {
^bb0(%x: !coll.view<?xf64, global>, %n: i64):
  %zero = arith.constant 0 : i64
  %rank = coll.rank block
  %i = arith.extui %rank : i32 to i64
  %v = arith.uitofp %rank : i32 to f64
  %seven = arith.constant 7 : i32
  %nine = arith.constant 9 : i32
  coll.loop {
    %goes = arith.cmpi sgt, %n, %zero : i64
    coll.condition %goes
  } do {
    %c = arith.cmpi ult, %rank, %seven : i32
    coll.if %c {
      coll.continue
    }
    %r = coll.inline "f" -> f64 {
      %d = arith.cmpi ugt, %rank, %nine : i32
      coll.if %d {
        coll.return %v : f64
      }
      %old = coll.atomic_rmw fadd fast relaxed device %v, %x[%zero] : f64, !coll.view<?xf64, global>
      coll.return %old : f64
    }
    coll.store(%r) to %x[%i] : (f64), !coll.view<?xf64, global>
    coll.yield
  } step {
    coll.yield
  }
  coll.return
}

// Who breaks does not come back for the next trip. What all of a warp take stays.
// CHECK-LABEL: coll.kernel @kept
// CHECK: coll.if %{{.*}} {
// CHECK-NEXT: coll.return
// CHECK: coll.break
// CHECK: coll.active
// CHECK-NOT: coll.vote
coll.kernel @kept workgroup [64, 1, 1] grid [] extents ["n"]
    params [#coll.param<name = "x", access = mut, isView = true, type = "f32", leaves = "f32", dims = -1>] {
^bb0(%x: !coll.view<?xf32, global>, %n: i64):
  %zero = arith.constant 0 : i64
  %rank = coll.rank block
  %f = arith.uitofp %rank : i32 to f32
  %seven = arith.constant 7 : i32
  %none = arith.cmpi eq, %n, %zero : i64
  coll.if %none {
    coll.return
  }
  coll.loop {
    %goes = arith.cmpi sgt, %n, %zero : i64
    coll.condition %goes
  } do {
    %c = arith.cmpi ult, %rank, %seven : i32
    coll.if %c {
      coll.break
    }
    %old = coll.atomic_rmw fadd fast relaxed device %f, %x[%zero] : f32, !coll.view<?xf32, global>
    coll.yield
  } step {
    coll.yield
  }
  coll.return
}
