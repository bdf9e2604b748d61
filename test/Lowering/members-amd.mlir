// Groups that are made at run time on AMD: the lanes of ballots, read by
// ds_bpermute; only lanes of the group are.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll-lower{target=gfx942})' | FileCheck %s --check-prefixes=CHECK,W64
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll-lower{target=gfx1100})' | FileCheck %s --check-prefixes=CHECK,W32

// CHECK-LABEL: llvm.func @branch
// W64: %[[BALLOT:.*]] = rocdl.ballot %{{.*}} : i64
// W32: %[[BALLOT:.*]] = rocdl.ballot %{{.*}} : i32
// CHECK: llvm.cond_br
// The nearest rank above, and from one to the next those at 2, 4, ...
// CHECK: llvm.intr.cttz
// W64-COUNT-5: rocdl.ds_bpermute
// W32-COUNT-4: rocdl.ds_bpermute
// A level: the partner's value, combined where there is a partner.
// CHECK: %[[ABOVE:.*]] = rocdl.ds_bpermute
// CHECK: %[[EXISTS:.*]] = llvm.icmp "ult"
// CHECK: %[[SUM:.*]] = llvm.add %[[OWN:.*]], %[[ABOVE]]
// CHECK: llvm.select %[[EXISTS]], %[[SUM]], %[[OWN]]
// W64-COUNT-5: rocdl.ds_bpermute
// W32-COUNT-4: rocdl.ds_bpermute
// The lowest lane has the result.
// CHECK: rocdl.ds_bpermute
// CHECK-NOT: rocdl.ds_bpermute
// CHECK: llvm.return
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
    coll.yield
  }
  coll.return
}
