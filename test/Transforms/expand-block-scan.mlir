// A block's scan: segments of 32 ranks, whatever the warp's width.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-expand-block{target=sm_90}))' | FileCheck %s --check-prefixes=CHECK,W32
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-expand-block{target=gfx942}))' | FileCheck %s --check-prefixes=CHECK,W64

// CHECK-LABEL: coll.kernel @full
// CHECK: coll.shared "partials" {alignment = 16 : i64} : {{(!coll.view)?}}<16xf32, shared>
// W32: %[[IN:.*]] = coll.scan warp add(%{{.*}}) : f32
// W64: %[[IN:.*]] = coll.scan tile<32> add(%{{.*}}) : f32
// CHECK: coll.store{{ ?}}(%[[IN]]) to
// CHECK: coll.sync block
// CHECK: %[[T:.*]] = coll.load
// W32: %[[P:.*]] = coll.scan warp add(%[[T]]) : f32
// W64: %[[P:.*]] = coll.scan tile<32> add(%[[T]]) : f32
// CHECK: %[[BEFORE:.*]] = coll.broadcast {{.*}} %[[P]] from
// CHECK: %[[SUM:.*]] = arith.addf %[[BEFORE]], %[[IN]]
// CHECK: arith.select %{{.*}}, %[[SUM]], %[[IN]]
// CHECK-NOT: coll.sync
// CHECK: coll.return
coll.kernel @full workgroup [512, 1, 1] grid [] extents [] params [] {
  %x = arith.constant 1.0 : f32
  %s = coll.scan block add(%x) : f32
  coll.return
}

// The last segment has 2 lanes for 10 totals: the first one scans them for all.
// CHECK-LABEL: coll.kernel @short
// CHECK: coll.sync block
// CHECK: coll.if
// CHECK: coll.scan
// CHECK: coll.store
// CHECK: coll.sync block
// CHECK: coll.load
// CHECK: arith.addf
coll.kernel @short workgroup [290, 1, 1] grid [] extents [] params [] {
  %x = arith.constant 1.0 : f32
  %s = coll.scan block add(%x) : f32
  coll.return
}

// Rank 0 gets the first value, a later segment's first rank what is before it; on AMD the sum of that and of -0.0.
// CHECK-LABEL: coll.kernel @exclusive
// CHECK: ^bb0(%[[FIRST:.*]]: f32):
// W64: %[[NOTHING:.*]] = arith.constant -0.000000e+00 : f32
// W32: %[[UP:.*]] = coll.shuffle up
// W64: %[[UP:.*]] = coll.shuffle up {{.*}}fill(%[[NOTHING]] : f32)
// CHECK: %[[BEFORE:.*]] = coll.broadcast
// CHECK: %[[TOTAL:.*]] = coll.broadcast
// CHECK: %[[SUM:.*]] = arith.addf %[[BEFORE]], %[[UP]]
// W32: %[[R:.*]] = arith.select %{{.*}}, %[[BEFORE]]
// W64: %[[R:.*]] = arith.select %{{.*}}, %[[SUM]], %[[UP]]
// CHECK: arith.select %{{.*}}, %[[FIRST]], %[[R]]
coll.kernel @exclusive workgroup [512, 1, 1] grid [] extents []
    params [#coll.param<name = "first", access = read, isView = false, type = "f32", leaves = "f32">] {
^bb0(%first: f32):
  %x = arith.constant 1.0 : f32
  %e, %t = coll.scan_total block add(%x) first(%first : f32) : f32 -> f32, f32
  %o = coll.shared "o" : !coll.view<f32, shared>
  coll.store (%e) to %o[] : (f32), !coll.view<f32, shared>
  coll.return
}

// Of integer sums the own value is taken away again, and rank 0 has 0 by itself.
// CHECK-LABEL: coll.kernel @exclusive_integers
// CHECK: %[[X:.*]] = arith.constant 7 : i32
// CHECK: %[[IN:.*]] = coll.scan {{.*}} add(%[[X]]) : i32
// CHECK: %[[UP:.*]] = arith.subi %[[IN]], %[[X]]
// CHECK: coll.sync block
// CHECK: %[[BEFORE:.*]] = coll.broadcast
// CHECK: %[[SUM:.*]] = arith.addi %[[BEFORE]], %[[UP]]
// CHECK: %[[R:.*]] = arith.select %{{.*}}, %[[SUM]], %[[UP]]
// CHECK: coll.store{{ ?}}(%[[R]])
coll.kernel @exclusive_integers workgroup [512, 1, 1] grid [] extents [] params [] {
  %x = arith.constant 7 : i32
  %zero = arith.constant 0 : i32
  %e = coll.exclusive_scan block add(%x) first(%zero : i32) : i32
  %o = coll.shared "o" : !coll.view<i32, shared>
  coll.store (%e) to %o[] : (i32), !coll.view<i32, shared>
  coll.return
}
