// Views are addresses: extents and strides are values, bools take a byte, leaves
// of a struct have their offsets and alignments.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll-lower{target=sm_90})' | FileCheck %s
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll-lower{target=sm_90 bounds=true})' | FileCheck %s --check-prefix=BOUNDS

!S = !coll.struct<"S", size = 8, align = 4, (f32 at 0, i1 at 5)>

// CHECK-DAG: llvm.mlir.global external @views$buf() {addr_space = 3 : i32, alignment = 16 : i64{{.*}}} : !llvm.array<0 x i8>
// CHECK-DAG: llvm.mlir.global internal @views$tile() {addr_space = 3 : i32, alignment = 16 : i64{{.*}}} : !llvm.array<4224 x i8>
// CHECK: llvm.func @views(%[[X:.*]]: !llvm.ptr<1> {{.*}}, %[[P:.*]]: !llvm.ptr<1> {{.*}}, %[[I:.*]]: i64, %[[ROWS:.*]]: i64, %[[COLS:.*]]: i64, %[[LD:.*]]: i64)
// CHECK: %[[FOUR:.*]] = llvm.mlir.constant(4 : i64)
// CHECK: %[[STRIDE:.*]] = llvm.mul %[[LD]], %[[FOUR]]
// CHECK: %[[EIGHT:.*]] = llvm.mlir.constant(8 : i64)
// CHECK: %[[ROW:.*]] = llvm.mul %[[I]], %[[STRIDE]]
// CHECK: %[[BASE:.*]] = llvm.getelementptr inbounds %[[X]][%[[ROW]]]
// CHECK: %[[COLUMN:.*]] = llvm.mul %[[I]], %[[FOUR]]
// CHECK: %[[A:.*]] = llvm.getelementptr inbounds %[[BASE]][%[[COLUMN]]]
// CHECK: llvm.load %[[A]] {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK: %[[OFFSET:.*]] = llvm.mul %[[I]], %[[EIGHT]]
// CHECK: %[[E:.*]] = llvm.getelementptr inbounds %[[P]][%[[OFFSET]]]
// CHECK: llvm.store %{{.*}}, %[[E]] {alignment = 4 : i64} : f32
// CHECK: %[[BYTE:.*]] = llvm.zext %{{.*}} : i1 to i8
// CHECK: llvm.store %[[BYTE]], %{{.*}} {alignment = 1 : i64} : i8
// BOUNDS: %[[OUT:.*]] = llvm.icmp "uge" %{{.*}}, %{{.*}} : i64
// BOUNDS: llvm.cond_br %[[OUT]]
// BOUNDS: llvm.intr.trap
coll.kernel @views workgroup [64, 1, 1] grid [] extents ["rows", "cols", "ld"]
    params [#coll.param<name = "x", access = read, isView = true, type = "f32", leaves = "f32", dims = -1, -2, pitch = 2>,
            #coll.param<name = "p", access = mut, isView = true, type = "S", leaves = "f32", "bool", dims = -1>,
            #coll.param<name = "i", access = read, isView = false, type = "i64", leaves = "i64">] {
^bb0(%x: !coll.view<?x?xf32, global>, %p: !coll.view<?x!S, global>, %i: i64, %rows: i64, %cols: i64, %ld: i64):
  %tile = coll.shared "tile" : !coll.view<32x33xf32, shared>
  %buf = coll.shared "buf"(%cols) bytes "(* cols 4)" : !coll.view<?xf32, shared>
  %row = coll.slice %x forms [1, 0] (%i) : !coll.view<?x?xf32, global> -> !coll.view<?xf32, global>
  %v = coll.load %row[%i] : !coll.view<?xf32, global> -> f32
  coll.store (%v) to %tile[%i, %i] : (f32), !coll.view<32x33xf32, shared>
  coll.store (%v) to %buf[%i] : (f32), !coll.view<?xf32, shared>
  %b = arith.cmpf oeq, %v, %v : f32
  coll.store (%v, %b) to %p[%i] : (f32, i1), !coll.view<?x!S, global>
  coll.return
}
