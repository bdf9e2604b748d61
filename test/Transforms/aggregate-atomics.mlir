// An atomic at one address is carried out once a warp.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-aggregate-atomics,coll-resolve-active))' | FileCheck %s

// All lanes are there, and add the same: the sum is a product.
// CHECK-LABEL: coll.kernel @same
// CHECK: %[[SIZE:.*]] = coll.size warp
// CHECK: %[[TOTAL:.*]] = arith.muli %{{.*}}, %[[SIZE]] : i32
// CHECK: %[[LOWEST:.*]] = coll.elect warp
// CHECK: coll.if %[[LOWEST]] {
// CHECK-NEXT: coll.atomic_rmw add relaxed device %[[TOTAL]]
// CHECK: coll.sync warp
// CHECK-NOT: coll.active
coll.kernel @same workgroup [64, 1, 1] grid [] extents ["n"]
    params [#coll.param<name = "x", access = mut, isView = true, type = "u32", leaves = "u32", dims = -1>] {
^bb0(%x: !coll.view<?xi32, global>, %n: i64):
  %zero = arith.constant 0 : i64
  %three = arith.constant 3 : i32
  %old = coll.atomic_rmw add relaxed device %three, %x[%zero] : i32, !coll.view<?xi32, global>
  coll.return
}

// Only some are there, in a loop that the others have left by a break, with values of
// their own, and want the old value.
// CHECK-LABEL: coll.kernel @some
// CHECK: coll.loop
// CHECK: %[[G:.*]] = coll.active
// CHECK: %[[IDENTITY:.*]] = arith.constant -2147483648 : i32
// CHECK: %[[R:.*]]:2 = coll.scan_total members(%[[G]]) smax(%[[V:.*]]) first(%[[IDENTITY]] : i32) commutative
// CHECK: %[[LOWEST:.*]] = coll.elect members(%[[G]])
// CHECK: %[[FIRST:.*]] = coll.if %[[LOWEST]] -> i32 {
// CHECK: coll.atomic_rmw smax relaxed block %[[R]]#1
// CHECK: %[[BASE:.*]] = coll.broadcast members(%[[G]]) %[[FIRST]] from
// CHECK: arith.maxsi %[[BASE]], %[[R]]#0
coll.kernel @some workgroup [64, 1, 1] grid [] extents ["n"]
    params [#coll.param<name = "x", access = mut, isView = true, type = "i32", leaves = "i32", dims = -1>] {
^bb0(%x: !coll.view<?xi32, global>, %n: i64):
  %zero = arith.constant 0 : i64
  %rank = coll.rank block
  %one = arith.constant 1 : i32
  %odd = arith.andi %rank, %one : i32
  coll.loop {
    %true = arith.constant true
    coll.condition %true
  } do {
    %even = arith.cmpi ne, %odd, %one : i32
    coll.if %even {
      coll.break
    }
    %old = coll.atomic_rmw smax relaxed block %rank, %x[%zero] : i32, !coll.view<?xi32, global>
    %i = arith.extui %rank : i32 to i64
    coll.store(%old) to %x[%i] : (i32), !coll.view<?xi32, global>
    coll.yield
  } step {
    coll.yield
  }
  coll.return
}

// Other addresses, other orders, one thread, floats: as they are.
// CHECK-LABEL: coll.kernel @alone
// CHECK-NOT: coll.elect
// CHECK-NOT: coll.active
coll.kernel @alone workgroup [64, 1, 1] grid [] extents ["n", "m"]
    params [#coll.param<name = "x", access = mut, isView = true, type = "i32", leaves = "i32", dims = -1>,
            #coll.param<name = "y", access = mut, isView = true, type = "f32", leaves = "f32", dims = -2>] {
^bb0(%x: !coll.view<?xi32, global>, %y: !coll.view<?xf32, global>, %n: i64, %m: i64):
  %zero = arith.constant 0 : i64
  %z = arith.constant 0 : i32
  %one = arith.constant 1.0 : f32
  %rank = coll.rank block
  %i = arith.extui %rank : i32 to i64
  %a = coll.atomic_rmw add relaxed device %rank, %x[%i] : i32, !coll.view<?xi32, global>
  %b = coll.atomic_rmw add acq_rel device %rank, %x[%zero] : i32, !coll.view<?xi32, global>
  %c = coll.atomic_rmw fadd relaxed device %one, %y[%zero] : f32, !coll.view<?xf32, global>
  %first = arith.cmpi eq, %rank, %z : i32
  coll.if %first {
    %d = coll.atomic_rmw add relaxed device %rank, %x[%zero] : i32, !coll.view<?xi32, global>
    coll.yield
  }
  coll.return
}

// Floats that are `fast`, all there: the same value is multiplied, and the first
// lane's old value is what was there.
// CHECK-LABEL: coll.kernel @fast_same
// CHECK: %[[SIZE:.*]] = coll.size warp
// CHECK: %[[COUNT:.*]] = arith.uitofp %[[SIZE]] : i32 to f32
// CHECK: %[[TOTAL:.*]] = arith.mulf %[[V:.*]], %[[COUNT]] : f32
// CHECK: %[[RANK:.*]] = coll.rank warp
// CHECK: %[[BELOW:.*]] = arith.uitofp %[[RANK]] : i32 to f32
// CHECK: %[[PRODUCT:.*]] = arith.mulf %[[V]], %[[BELOW]] : f32
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[RANK]], %{{.*}} : i32
// CHECK: %[[NOTHING:.*]] = arith.constant -0.000000e+00 : f32
// CHECK: %[[BEFORE:.*]] = arith.select %[[FIRST]], %[[NOTHING]], %[[PRODUCT]] : f32
// CHECK: coll.atomic_rmw fadd relaxed device %[[TOTAL]]
// CHECK: %[[BASE:.*]] = coll.broadcast warp
// CHECK: arith.addf %[[BASE]], %[[BEFORE]] : f32
coll.kernel @fast_same workgroup [64, 1, 1] grid [] extents ["n"]
    params [#coll.param<name = "x", access = mut, isView = true, type = "f32", leaves = "f32", dims = -1>] {
^bb0(%x: !coll.view<?xf32, global>, %n: i64):
  %zero = arith.constant 0 : i64
  %three = arith.constant 3.0 : f32
  %old = coll.atomic_rmw fadd fast relaxed device %three, %x[%zero] : f32, !coll.view<?xf32, global>
  %rank = coll.rank block
  %i = arith.extui %rank : i32 to i64
  coll.store(%old) to %x[%i] : (f32), !coll.view<?xf32, global>
  coll.return
}

// In such a loop, with values of their own: what is neutral bit for bit stands
// before the first lane's value.
// CHECK-LABEL: coll.kernel @fast_some
// CHECK: coll.loop
// CHECK: %[[G:.*]] = coll.active
// CHECK: %[[NOTHING:.*]] = arith.constant -0.000000e+00 : f64
// CHECK: %[[R:.*]]:2 = coll.scan_total members(%[[G]]) add(%{{.*}}) first(%[[NOTHING]] : f64) commutative
// CHECK: coll.atomic_rmw fadd relaxed block %[[R]]#1
// CHECK: %[[G2:.*]] = coll.active
// CHECK: %[[T:.*]] = coll.reduce members(%[[G2]]) maxnum(%{{.*}}) commutative : f64
// CHECK: coll.elect members(%[[G2]])
// CHECK: coll.atomic_rmw fmax relaxed device %[[T]]
// CHECK: coll.sync members(%[[G2]])
// CHECK-NOT: coll.elect
coll.kernel @fast_some workgroup [64, 1, 1] grid [] extents ["n"]
    params [#coll.param<name = "x", access = mut, isView = true, type = "f64", leaves = "f64", dims = -1>] {
^bb0(%x: !coll.view<?xf64, global>, %n: i64):
  %zero = arith.constant 0 : i64
  %rank = coll.rank block
  %one = arith.constant 1 : i32
  %odd = arith.andi %rank, %one : i32
  %v = arith.uitofp %rank : i32 to f64
  coll.loop {
    %true = arith.constant true
    coll.condition %true
  } do {
    %even = arith.cmpi ne, %odd, %one : i32
    coll.if %even {
      coll.break
    }
    %old = coll.atomic_rmw fadd fast relaxed block %v, %x[%zero] : f64, !coll.view<?xf64, global>
    %i = arith.extui %rank : i32 to i64
    coll.store(%old) to %x[%i] : (f64), !coll.view<?xf64, global>
    %m = coll.atomic_rmw fmax fast relaxed device %v, %x[%zero] : f64, !coll.view<?xf64, global>
    %o = coll.atomic_rmw fmax fast acquire device %v, %x[%zero] : f64, !coll.view<?xf64, global>
    %p = coll.atomic_rmw fmax fast relaxed device %v, %x[%i] : f64, !coll.view<?xf64, global>
    coll.yield
  } step {
    coll.yield
  }
  coll.return
}
