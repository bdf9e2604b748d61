// Groups that are made at run time on NVIDIA: every instruction names the lanes
// that take part, which ballots before the splits have found.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll-lower{target=sm_90})' | FileCheck %s --check-prefixes=CHECK,SM90
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll-lower{target=sm_75})' | FileCheck %s --check-prefixes=CHECK,SM75

// The arm's lanes are voted for by the warp before the branch. Integer sums are
// one redux of the members; other chips go by the ranks' distances.
// CHECK-LABEL: llvm.func @branch
// CHECK-NOT: activemask
// CHECK: %[[ALL:.*]] = llvm.mlir.constant(-1 : i32) : i32
// CHECK: %[[LANES:.*]] = nvvm.vote.sync ballot %[[ALL]], %{{.*}} -> i32
// CHECK: llvm.cond_br
// SM90: nvvm.redux.sync add %{{.*}}, %[[LANES]] : i32 -> i32
// SM75: llvm.intr.cttz
// SM75-COUNT-4: nvvm.shfl.sync idx %[[LANES]]
// CHECK: nvvm.bar.warp.sync %[[LANES]]
coll.kernel @branch workgroup [64, 1, 1] grid [] extents []
    params [#coll.param<name = "x", access = mut, isView = true, type = "i32", leaves = "i32", dims = 8>] {
^bb0(%x: !coll.view<8xi32, global>):
  %c0 = arith.constant 0 : i64
  %i = coll.load %x[%c0] : !coll.view<8xi32, global> -> i32
  %c = arith.trunci %i : i32 to i1
  coll.if %c {
    %g = coll.active
    %s = coll.reduce members(%g) add(%i) : i32
    coll.store (%s) to %x[%c0] : (i32), !coll.view<8xi32, global>
    coll.sync members(%g)
    coll.yield
  }
  coll.return
}

// A part: one match, which the whole group executes, and so do all parts
// together what they tell each other.
// CHECK-LABEL: llvm.func @parts
// CHECK: %[[LANES:.*]] = nvvm.vote.sync ballot
// CHECK: %[[SAME:.*]] = nvvm.match.sync any %[[LANES]], %{{.*}}
// CHECK: %[[PART:.*]] = llvm.and %[[SAME]], %[[LANES]]
// CHECK: nvvm.shfl.sync idx %[[LANES]]
// Not all parts get here: each names its own lanes.
// CHECK: llvm.cond_br
// CHECK: nvvm.shfl.sync idx %[[PART]]
coll.kernel @parts workgroup [64, 1, 1] grid [] extents []
    params [#coll.param<name = "x", access = mut, isView = true, type = "i32", leaves = "i32", dims = 8>] {
^bb0(%x: !coll.view<8xi32, global>):
  %c0 = arith.constant 0 : i64
  %i = coll.load %x[%c0] : !coll.view<8xi32, global> -> i32
  %c = arith.trunci %i : i32 to i1
  coll.if %c {
    %g = coll.active
    %p = coll.partition members(%g) %i : i32
    %f = coll.broadcast members(%p) %i from %i : i32
    %any = coll.vote any members(%p) %c
    coll.if %any {
      %h = coll.broadcast members(%p) %f from %i : i32
      coll.store (%h) to %x[%c0] : (i32), !coll.view<8xi32, global>
      coll.yield
    }
    coll.yield
  }
  coll.return
}

// What the whole warp decides splits nothing: no ballot.
// CHECK-LABEL: llvm.func @uniform
// CHECK-NOT: nvvm.vote.sync
// CHECK: llvm.return
coll.kernel @uniform workgroup [64, 1, 1] grid [] extents []
    params [#coll.param<name = "x", access = mut, isView = true, type = "i32", leaves = "i32", dims = 8>,
            #coll.param<name = "p", access = read, isView = false, type = "bool", leaves = "bool">] {
^bb0(%x: !coll.view<8xi32, global>, %p: i1):
  %c0 = arith.constant 0 : i64
  coll.if %p {
    coll.return
  }
  %g = coll.active
  %n = coll.size members(%g)
  coll.store (%n) to %x[%c0] : (i32), !coll.view<8xi32, global>
  coll.return
}

// A loop: who makes the trip votes on the next one.
// CHECK-LABEL: llvm.func @loop
// CHECK: %[[TRIP:.*]] = llvm.alloca {{.*}} x i64
// CHECK: %[[WHO:.*]] = llvm.load %[[TRIP]]
// CHECK: %[[MEMBERS:.*]] = llvm.trunc %[[WHO]] : i64 to i32
// CHECK: %[[NEXT:.*]] = nvvm.vote.sync ballot %[[MEMBERS]]
// CHECK: %[[WIDE:.*]] = llvm.zext %[[NEXT]] : i32 to i64
// CHECK: llvm.store %[[WIDE]], %[[TRIP]]
// CHECK: llvm.cond_br
coll.kernel @loop workgroup [64, 1, 1] grid [] extents []
    params [#coll.param<name = "x", access = mut, isView = true, type = "i32", leaves = "i32", dims = 8>] {
^bb0(%x: !coll.view<8xi32, global>):
  %c0 = arith.constant 0 : i64
  coll.loop {
    %i = coll.load %x[%c0] : !coll.view<8xi32, global> -> i32
    %c = arith.trunci %i : i32 to i1
    coll.condition %c
  } do {
    %g = coll.active
    %n = coll.size members(%g)
    coll.store (%n) to %x[%c0] : (i32), !coll.view<8xi32, global>
    coll.yield
  } step {
    coll.yield
  }
  coll.return
}
