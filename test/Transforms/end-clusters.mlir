// No block ends before all of its cluster have read its memory.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-end-clusters))' | FileCheck %s

// CHECK-LABEL: coll.kernel @reads
// CHECK: coll.if
// CHECK-NEXT: coll.sync cluster divergent
// CHECK-NEXT: coll.return
// CHECK: coll.sync cluster divergent
// CHECK-NEXT: coll.return
coll.kernel @reads workgroup [256, 1, 1] grid [] extents [] params [#coll.param<name = "c", access = read, isView = false, type = "bool", leaves = "bool">] attributes {cluster = 4 : i32} {
^bb0(%c: i1):
  %array = coll.shared "cluster" : <2xf32, shared>
  %block = arith.constant 1 : i32
  %peer = coll.peer %array of %block : <2xf32, shared> -> <2xf32, peer>
  coll.if %c {
    coll.return
  }
  coll.return
}

// A barrier alone needs nothing at the end.
// CHECK-LABEL: coll.kernel @barrier
// CHECK: coll.sync cluster{{$}}
// CHECK-NEXT: coll.return
coll.kernel @barrier workgroup [256, 1, 1] grid [] extents [] params [] attributes {cluster = 2 : i32} {
  coll.sync cluster
  coll.return
}
