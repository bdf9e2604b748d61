// Blocks of a cluster read each other's results in shared memory, after one barrier.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-expand-grid{target=sm_90}))' | FileCheck %s

// CHECK-LABEL: coll.kernel @reduce
// CHECK: %[[ARRAY:.*]] = coll.shared "cluster"
// CHECK: %[[OWN:.*]] = coll.reduce block add(%{{.*}}) : f32
// CHECK: coll.store(%[[OWN]]) to %[[ARRAY]][%{{.*}}] : (f32), <2xf32, shared>
// CHECK: coll.sync cluster{{$}}
// CHECK-COUNT-4: coll.peer %[[ARRAY]] of %{{.*}} : <2xf32, shared> -> <2xf32, peer>
// CHECK-NOT: coll.peer
// CHECK: %[[LOW:.*]] = arith.addf
// CHECK: %[[HIGH:.*]] = arith.addf
// CHECK: arith.addf %[[LOW]], %[[HIGH]]
coll.kernel @reduce workgroup [256, 1, 1] grid [] extents [] params [#coll.param<name = "c", access = read, isView = false, type = "bool", leaves = "bool">] attributes {cluster = 4 : i32} {
^bb0(%c: i1):
  %x = arith.constant 3.0 : f32
  %s = coll.reduce cluster add(%x) : f32
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

// Ranks count through the blocks of the cluster.
// CHECK-LABEL: coll.kernel @ranks
// CHECK: %[[BLOCK:.*]] = coll.block_id x
// CHECK: arith.remui %[[BLOCK]], %{{.*}} : i64
// CHECK: %[[ID:.*]] = coll.block_id x
// CHECK: arith.divui %[[ID]], %{{.*}} : i64
coll.kernel @ranks workgroup [64, 1, 1] grid [] extents [] params [#coll.param<name = "y", access = mut, isView = true, type = "i32", leaves = "i32", dims = 8>] attributes {cluster = 8 : i32} {
^bb0(%y: !coll.view<8xi32, global>):
  %r = coll.rank cluster
  %i = coll.cluster_id x
  coll.store (%r) to %y[%i] : (i32), !coll.view<8xi32, global>
  coll.return
}
