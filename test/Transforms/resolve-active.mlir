// An active group in control flow that is the same in the warp is the warp.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-resolve-active))' | FileCheck %s

// CHECK-LABEL: coll.kernel @k
// CHECK-NOT: coll.active
// CHECK: coll.partition warp
// CHECK: coll.reduce warp add
// CHECK: coll.rank warp
// CHECK: coll.if
// CHECK: %[[G:.*]] = coll.active
// CHECK: coll.sync members(%[[G]])
coll.kernel @k workgroup [64, 1, 1] grid [] extents []
    params [#coll.param<name = "x", access = mut, isView = true, type = "i32", leaves = "i32", dims = 8>,
            #coll.param<name = "q", access = read, isView = false, type = "bool", leaves = "bool">] {
^bb0(%x: !coll.view<8xi32, global>, %q: i1):
  %c0 = arith.constant 0 : i64
  %i = coll.load %x[%c0] : !coll.view<8xi32, global> -> i32
  %c = arith.trunci %i : i32 to i1
  coll.if %q {
    coll.return
  }
  %g = coll.active
  %p = coll.partition members(%g) %i : i32
  %s = coll.reduce members(%g) add(%i) : i32
  %r = coll.rank members(%g)
  %t = coll.reduce members(%p) add(%r) : i32
  %u = arith.addi %s, %t : i32
  coll.store (%u) to %x[%c0] : (i32), !coll.view<8xi32, global>
  coll.if %c {
    %h = coll.active
    coll.sync members(%h)
    coll.yield
  }
  coll.return
}
