// A reverse scan is a scan between two reversals; rank 0 of the reversed order
// is the last rank, which gets the first values.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-expand-reverse))' | FileCheck %s

// CHECK-LABEL: coll.kernel @scans
// CHECK-DAG: %[[X:.*]] = arith.constant 5 : i32
// CHECK: %[[SIZE:.*]] = coll.size warp
// CHECK: %[[LAST:.*]] = arith.subi %[[SIZE]]
// CHECK: %[[OPPOSITE:.*]] = arith.subi %[[LAST]]
// CHECK: %[[M:.*]] = coll.shuffle idx warp %[[X]] by %[[OPPOSITE]]
// CHECK: %[[S:.*]] = coll.scan warp add(%[[M]]) : i32
// CHECK: coll.shuffle idx warp %[[S]] by %[[OPPOSITE]]
// CHECK: %[[E:.*]] = coll.exclusive_scan warp add(%{{.*}}) : i32
// CHECK: %[[B:.*]] = coll.shuffle idx warp %[[E]]
// CHECK: %[[ISLAST:.*]] = arith.cmpi eq
// CHECK: arith.select %[[ISLAST]], %{{.*}}, %[[B]]
// CHECK-NOT: reverse
coll.kernel @scans workgroup [45, 1, 1] grid [] extents [] params [] {
  %x = arith.constant 5 : i32
  %z = arith.constant 0 : i32
  %s = coll.scan warp add(%x) reverse : i32
  %e = coll.exclusive_scan warp add(%x) first(%z : i32) reverse : i32
  coll.return
}
