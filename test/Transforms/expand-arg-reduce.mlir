// arg_reduce becomes a commutative reduction of (value, rank), which says so.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-expand-arg-reduce))' | FileCheck %s

// CHECK-LABEL: coll.kernel @integers
// CHECK: %[[RANK:.*]] = coll.rank warp
// CHECK: coll.reduce warp (%{{.*}}, %[[RANK]]) commutative {arg = #coll<combine smin>} : i32, i32 combiner {
// CHECK: ^bb0(%[[LV:.*]]: i32, %[[LR:.*]]: i32, %[[RV:.*]]: i32, %[[RR:.*]]: i32):
// CHECK: arith.cmpi slt, %[[LV]], %[[RV]]
// CHECK: arith.cmpi slt, %[[RV]], %[[LV]]
// CHECK: arith.cmpi ult, %[[LR]], %[[RR]]
// CHECK-NOT: coll.arg_reduce
coll.kernel @integers workgroup [64, 1, 1] grid [] extents [] params [] {
  %x = arith.constant 1 : i32
  %v, %r = coll.arg_reduce smin warp %x : i32
  coll.return
}

// A number is better than a NaN.
// CHECK-LABEL: coll.kernel @floats
// CHECK: ^bb0(%[[LV:.*]]: f32, %{{.*}}: i32, %[[RV:.*]]: f32, %{{.*}}: i32):
// CHECK: arith.cmpf ogt, %[[LV]], %[[RV]]
// CHECK: arith.cmpf ord, %[[LV]], %[[LV]]
// CHECK: arith.cmpf uno, %[[RV]], %[[RV]]
coll.kernel @floats workgroup [64, 1, 1] grid [] extents [] params [] {
  %x = arith.constant 1.0 : f32
  %v, %r = coll.arg_reduce maxnum block %x : f32
  coll.return
}
