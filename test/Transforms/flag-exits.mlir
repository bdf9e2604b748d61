// Exits from nested branches become flags, where a coll.active asks who is
// still there.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-flag-exits))' | FileCheck %s

// A return from a nested branch: what follows is skipped.
// CHECK-LABEL: coll.kernel @returns
// CHECK: %[[LEFT:.*]] = coll.var "has_left"
// CHECK: coll.if
// CHECK-NEXT: coll.if
// CHECK-NEXT: %[[TRUE:.*]] = arith.constant true
// CHECK-NEXT: coll.store{{ ?}}(%[[TRUE]]) to %[[LEFT]]
// CHECK-NEXT: coll.yield
// CHECK: %[[HAS:.*]] = coll.load %[[LEFT]]
// CHECK: %[[STAYS:.*]] = arith.xori %[[HAS]], %{{.*}} : i1
// CHECK: coll.if %[[STAYS]] {
// CHECK-NEXT: coll.active
// CHECK: coll.return
// CHECK-NOT: coll.return
// CHECK-LABEL: coll.kernel @tight
coll.kernel @returns workgroup [64, 1, 1] grid [] extents []
    params [#coll.param<name = "x", access = read, isView = true, type = "bool", leaves = "bool", dims = 8>] {
^bb0(%x: !coll.view<8xi1, global>):
  %c0 = arith.constant 0 : i64
  %c = coll.load %x[%c0] : !coll.view<8xi1, global> -> i1
  %d = coll.load %x[%c0] : !coll.view<8xi1, global> -> i1
  coll.if %c {
    coll.if %d {
      coll.return
    }
    coll.yield
  }
  %g = coll.active
  coll.sync members(%g)
  coll.return
}

// Who leaves is known before: nothing changes.
// CHECK-NOT: coll.var
// CHECK-LABEL: coll.kernel @loop
coll.kernel @tight workgroup [64, 1, 1] grid [] extents []
    params [#coll.param<name = "x", access = read, isView = true, type = "bool", leaves = "bool", dims = 8>] {
^bb0(%x: !coll.view<8xi1, global>):
  %c0 = arith.constant 0 : i64
  %c = coll.load %x[%c0] : !coll.view<8xi1, global> -> i1
  coll.loop {
    coll.condition %c
  } do {
    coll.if %c {
      coll.break
    }
    %g = coll.active
    coll.sync members(%g)
    coll.yield
  } step {
    coll.yield
  }
  coll.return
}

// Some continue and others return: both wait for the end of the trip, and the
// return goes on after the loop.
// CHECK: %[[GONE:.*]] = coll.var "has_left"
// CHECK: coll.loop
// CHECK: } do {
// CHECK: %[[SKIP:.*]] = coll.var "has_left"
// CHECK: %[[ENDS:.*]] = coll.var "breaks"
// CHECK: coll.if
// CHECK-NEXT: arith.constant true
// CHECK-NEXT: coll.store{{.*}} to %[[SKIP]]
// CHECK-NEXT: coll.yield
// CHECK: coll.load %[[SKIP]]
// CHECK: coll.if
// CHECK: coll.if
// CHECK: coll.store{{.*}} to %[[GONE]]
// CHECK: coll.store{{.*}} to %[[SKIP]]
// CHECK: coll.store{{.*}} to %[[ENDS]]
// CHECK: coll.load %[[SKIP]]
// CHECK: coll.active
// CHECK: %[[DONE:.*]] = coll.load %[[ENDS]]
// CHECK-NEXT: coll.if %[[DONE]] {
// CHECK-NEXT: coll.break
// CHECK: } step {
// CHECK: coll.load %[[GONE]]
// CHECK: coll.active
// CHECK-LABEL: coll.kernel @elsewhere
coll.kernel @loop workgroup [64, 1, 1] grid [] extents []
    params [#coll.param<name = "x", access = read, isView = true, type = "bool", leaves = "bool", dims = 8>] {
^bb0(%x: !coll.view<8xi1, global>):
  %c0 = arith.constant 0 : i64
  %true = arith.constant true
  %c = coll.load %x[%c0] : !coll.view<8xi1, global> -> i1
  %d = coll.load %x[%c0] : !coll.view<8xi1, global> -> i1
  coll.loop {
    coll.condition %true
  } do {
    coll.if %c {
      coll.continue
    }
    coll.if %d {
      coll.return
    }
    %g = coll.active
    coll.sync members(%g)
    coll.yield
  } step {
    coll.yield
  }
  %h = coll.active
  coll.sync members(%h)
  coll.return
}

// A loop without a coll.active stays as it is.
// CHECK-NOT: coll.var
coll.kernel @elsewhere workgroup [64, 1, 1] grid [] extents []
    params [#coll.param<name = "x", access = read, isView = true, type = "bool", leaves = "bool", dims = 8>] {
^bb0(%x: !coll.view<8xi1, global>):
  %c0 = arith.constant 0 : i64
  %c = coll.load %x[%c0] : !coll.view<8xi1, global> -> i1
  coll.loop {
    coll.condition %c
  } do {
    coll.if %c {
      coll.if %c {
        coll.break
      }
      coll.yield
    }
    coll.yield
  } step {
    coll.yield
  }
  %g = coll.active
  coll.sync members(%g)
  coll.return
}
