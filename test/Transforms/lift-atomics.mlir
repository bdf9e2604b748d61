// An atomic at one address under conditions is taken out of the branches, which are
// split; the whole warp combines, with neutral values of the lanes that are not there.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-aggregate-atomics))' | FileCheck %s --check-prefixes=CHECK,OLD
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-aggregate-atomics{reduces-members=true}))' | FileCheck %s --check-prefixes=CHECK,NEW

// What is computed before stays under the condition, and is handed on to what comes
// after. The address is computed again outside.
// CHECK-LABEL: coll.kernel @arm
// CHECK: %[[C:.*]] = arith.cmpi eq
// CHECK: %[[PLACE:.*]] = arith.constant 3 : i64
// CHECK: %[[HEAD:.*]]:2 = coll.if %[[C]] -> f32, f32 {
// CHECK: %[[LOADED:.*]] = coll.load
// CHECK: %[[TWICE:.*]] = arith.addf %[[LOADED]], %[[LOADED]]
// CHECK: coll.yield %[[TWICE]], %[[LOADED]]
// CHECK-NEXT: } else {
// CHECK: %[[NEUTRAL:.*]] = arith.constant -0.000000e+00 : f32
// CHECK: coll.yield %[[NEUTRAL]], %{{.*}}
// CHECK: %[[ANY:.*]] = coll.vote any warp %[[C]]
// CHECK: %[[OLD:.*]] = coll.if %[[ANY]] -> f32 {
// CHECK-NEXT: coll.sync warp
// CHECK: %[[R:.*]]:2 = coll.scan_total warp add(%[[HEAD]]#0) first(%{{.*}} : f32) commutative
// CHECK: %[[FIRST:.*]] = coll.elect warp
// CHECK: %[[BASE:.*]] = coll.if %[[FIRST]] -> f32 {
// CHECK: coll.atomic_rmw fadd relaxed device %[[R]]#1, %{{.*}}[%[[PLACE]]]
// CHECK: %[[SPREAD:.*]] = coll.broadcast warp %[[BASE]] from
// CHECK: %[[OWN:.*]] = arith.addf %[[SPREAD]], %[[R]]#0
// CHECK: coll.yield %[[OWN]]
// CHECK: coll.if %[[C]] {
// CHECK: %[[SUM:.*]] = arith.addf %[[OLD]], %[[HEAD]]#1
// CHECK: coll.store(%[[SUM]])
// CHECK: } else {
// CHECK: coll.store
// CHECK-NOT: coll.active
coll.kernel @arm workgroup [64, 1, 1] grid [] extents ["n"]
    params [#coll.param<name = "x", access = mut, isView = true, type = "f32", leaves = "f32", dims = -1>] {
^bb0(%x: !coll.view<?xf32, global>, %n: i64):
  %rank = coll.rank block
  %i = arith.extui %rank : i32 to i64
  %one = arith.constant 1 : i32
  %odd = arith.andi %rank, %one : i32
  %c = arith.cmpi eq, %odd, %one : i32
  coll.if %c {
    %three = arith.constant 3 : i64
    %v = coll.load %x[%i] : !coll.view<?xf32, global> -> f32
    %w = arith.addf %v, %v : f32
    %old = coll.atomic_rmw fadd fast relaxed device %w, %x[%three] : f32, !coll.view<?xf32, global>
    %s = arith.addf %old, %v : f32
    coll.store(%s) to %x[%i] : (f32), !coll.view<?xf32, global>
    coll.yield
  } else {
    %z = arith.constant 0.0 : f32
    coll.store(%z) to %x[%i] : (f32), !coll.view<?xf32, global>
    coll.yield
  }
  coll.return
}

// Out of the other arm, a call, and the branch around that.
// CHECK-LABEL: coll.kernel @nested
// CHECK: %[[OUTER:.*]]:2 = coll.if %{{.*}} -> f64, i1 {
// CHECK: %[[CALL:.*]]:2 = coll.inline "f" -> f64, i1 {
// CHECK: %[[INNER:.*]] = coll.if %[[D:.*]] -> f64 {
// CHECK: arith.constant 0x7FF8000000000000 : f64
// CHECK: } else {
// CHECK: coll.yield %{{.*}} : f64
// CHECK: %[[NOT:.*]] = arith.xori %[[D]]
// CHECK: coll.return %[[INNER]], %[[NOT]]
// CHECK: coll.yield %[[CALL]]#0, %[[CALL]]#1
// CHECK-NEXT: } else {
// CHECK: %[[NAN:.*]] = arith.constant 0x7FF8000000000000 : f64
// CHECK: %[[NOBODY:.*]] = arith.constant false
// CHECK: coll.yield %[[NAN]], %[[NOBODY]]
// CHECK: coll.vote any warp %[[OUTER]]#1
// CHECK: coll.reduce warp minnum(%[[OUTER]]#0) commutative
// CHECK-NOT: coll.active
coll.kernel @nested workgroup [64, 1, 1] grid [] extents ["n"]
    params [#coll.param<name = "x", access = mut, isView = true, type = "f64", leaves = "f64", dims = -1>] {
^bb0(%x: !coll.view<?xf64, global>, %n: i64):
  %zero = arith.constant 0 : i64
  %rank = coll.rank block
  %one = arith.constant 1 : i32
  %odd = arith.andi %rank, %one : i32
  %c = arith.cmpi eq, %odd, %one : i32
  coll.if %c {
    coll.inline "f" {
      %v = arith.uitofp %rank : i32 to f64
      %seven = arith.constant 7 : i32
      %d = arith.cmpi ugt, %rank, %seven : i32
      coll.if %d {
        coll.yield
      } else {
        %old = coll.atomic_rmw fmin fast relaxed device %v, %x[%zero] : f64, !coll.view<?xf64, global>
        coll.yield
      }
      coll.return
    }
    coll.yield
  }
  coll.return
}

// One instruction combines the words of any lanes, and of wide integers none does.
// CHECK-LABEL: coll.kernel @words
// OLD: coll.vote any warp
// OLD: coll.reduce warp xor
// OLD-NOT: coll.active
// NEW: %[[G:.*]] = coll.active
// NEW: coll.reduce members(%[[G]]) xor
// CHECK-LABEL: coll.kernel @wide
// CHECK: coll.vote any warp
// CHECK: coll.reduce warp xor
// CHECK-NOT: coll.active
coll.kernel @words workgroup [64, 1, 1] grid [] extents ["n"]
    params [#coll.param<name = "x", access = mut, isView = true, type = "i32", leaves = "i32", dims = -1>] {
^bb0(%x: !coll.view<?xi32, global>, %n: i64):
  %zero = arith.constant 0 : i64
  %rank = coll.rank block
  %seven = arith.constant 7 : i32
  %c = arith.cmpi ugt, %rank, %seven : i32
  coll.if %c {
    %old = coll.atomic_rmw xor relaxed device %rank, %x[%zero] : i32, !coll.view<?xi32, global>
    coll.yield
  }
  coll.return
}
coll.kernel @wide workgroup [64, 1, 1] grid [] extents ["n"]
    params [#coll.param<name = "x", access = mut, isView = true, type = "i64", leaves = "i64", dims = -1>] {
^bb0(%x: !coll.view<?xi64, global>, %n: i64):
  %zero = arith.constant 0 : i64
  %rank = coll.rank block
  %wide = arith.extui %rank : i32 to i64
  %seven = arith.constant 7 : i32
  %c = arith.cmpi ugt, %rank, %seven : i32
  coll.if %c {
    %old = coll.atomic_rmw xor relaxed device %wide, %x[%zero] : i64, !coll.view<?xi64, global>
    coll.yield
  }
  coll.return
}

// Variables are made before the branch; views and active groups again after it.
// CHECK-LABEL: coll.kernel @shared
// CHECK: %[[VAR:.*]] = coll.var "v"
// CHECK: coll.if %{{.*}} -> f32 {
// CHECK: coll.store(%{{.*}}) to %[[VAR]][]
// CHECK: coll.active
// CHECK: coll.reduce warp add
// CHECK: coll.if
// CHECK: %[[G:.*]] = coll.active
// CHECK: %[[FIELD:.*]] = coll.slice
// CHECK: coll.load %[[VAR]][]
// CHECK: coll.rank members(%[[G]])
// CHECK: coll.store(%{{.*}}) to %[[FIELD]]
coll.kernel @shared workgroup [64, 1, 1] grid [] extents ["n"]
    params [#coll.param<name = "x", access = mut, isView = true, type = "f32", leaves = "f32", dims = -1>] {
^bb0(%x: !coll.view<?xf32, global>, %n: i64):
  %zero = arith.constant 0 : i64
  %rank = coll.rank block
  %i = arith.extui %rank : i32 to i64
  %f = arith.uitofp %rank : i32 to f32
  %seven = arith.constant 7 : i32
  %c = arith.cmpi ugt, %rank, %seven : i32
  coll.if %c {
    %v = coll.var "v" : !coll.view<f32, private>
    coll.store(%f) to %v[] : (f32), !coll.view<f32, private>
    %g = coll.active
    %part = coll.slice %x forms [2] (%i, %n) : !coll.view<?xf32, global> -> !coll.view<?xf32, global>
    %old = coll.atomic_rmw fadd fast relaxed device %f, %x[%zero] : f32, !coll.view<?xf32, global>
    %kept = coll.load %v[] : !coll.view<f32, private> -> f32
    %r = coll.rank members(%g)
    %rf = arith.uitofp %r : i32 to f32
    %sum = arith.addf %kept, %rf : f32
    coll.store(%sum) to %part[%zero] : (f32), !coll.view<?xf32, global>
    coll.yield
  }
  coll.return
}

// Where lanes have left before, or the address is known inside alone, the lanes that
// are there combine.
// CHECK-LABEL: coll.kernel @kept
// CHECK-NOT: coll.vote
// CHECK: coll.active
// CHECK: coll.reduce members
// CHECK: coll.active
// CHECK: coll.reduce members
// CHECK-NOT: coll.vote
coll.kernel @kept workgroup [64, 1, 1] grid [] extents ["n"]
    params [#coll.param<name = "x", access = mut, isView = true, type = "f32", leaves = "f32", dims = -1>] {
^bb0(%x: !coll.view<?xf32, global>, %n: i64):
  %zero = arith.constant 0 : i64
  %rank = coll.rank block
  %f = arith.uitofp %rank : i32 to f32
  %seven = arith.constant 7 : i32
  %nine = arith.constant 9 : i32
  %c = arith.cmpi ugt, %rank, %seven : i32
  %d = arith.cmpi ugt, %rank, %nine : i32
  coll.if %c {
    %place = coll.var "place" : !coll.view<i64, private>
    coll.store(%zero) to %place[] : (i64), !coll.view<i64, private>
    %p = coll.load %place[] : !coll.view<i64, private> -> i64
    %old = coll.atomic_rmw fadd fast relaxed device %f, %x[%p] : f32, !coll.view<?xf32, global>
    coll.if %d {
      coll.return
    }
    %later = coll.atomic_rmw fmax fast relaxed device %f, %x[%zero] : f32, !coll.view<?xf32, global>
    coll.yield
  }
  coll.return
}

// What is handed on from one part of a branch to the other, lanes that were not there
// do not have: no address is computed from that.
// CHECK-LABEL: coll.kernel @places
// CHECK: %[[A:.*]] = arith.extui
// CHECK: %[[A1:.*]] = arith.extui %[[K:.*]] : i32 to i64
// CHECK: %[[A2:.*]] = arith.extui %[[K]] : i32 to i64
// CHECK: coll.atomic_rmw fadd relaxed device %{{.*}}, %{{.*}}[%[[A1]]]
// CHECK: coll.atomic_rmw fmax relaxed device %{{.*}}, %{{.*}}[%[[A2]]]
coll.kernel @places workgroup [64, 1, 1] grid [] extents ["n"]
    params [#coll.param<name = "x", access = mut, isView = true, type = "f32", leaves = "f32", dims = -1>,
            #coll.param<name = "k", access = read, isView = false, type = "u32", leaves = "i32">] {
^bb0(%x: !coll.view<?xf32, global>, %k: i32, %n: i64):
  %rank = coll.rank block
  %i = arith.extui %rank : i32 to i64
  %f = arith.uitofp %rank : i32 to f32
  %seven = arith.constant 7 : i32
  %c = arith.cmpi ugt, %rank, %seven : i32
  coll.if %c {
    %place = arith.extui %k : i32 to i64
    %a = coll.atomic_rmw fadd fast relaxed device %f, %x[%place] : f32, !coll.view<?xf32, global>
    %b = coll.atomic_rmw fmax fast relaxed device %f, %x[%place] : f32, !coll.view<?xf32, global>
    coll.yield
  }
  coll.return
}
