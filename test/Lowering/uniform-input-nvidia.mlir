// ptxas drops a shuffle of what it thinks is the same in all lanes, and thinks
// so of what a shuffle's predicate selects: a plan with predicates works on an
// input that it knows nothing about.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll-lower{target=sm_90})' | FileCheck %s

// CHECK-LABEL: llvm.func @constant
// CHECK: %[[LT:.*]] = nvvm.read.ptx.sreg.lanemask.lt
// CHECK: %[[GT:.*]] = nvvm.read.ptx.sreg.lanemask.gt
// CHECK: %[[ZERO:.*]] = llvm.and %[[LT]], %[[GT]]
// CHECK: %[[IN:.*]] = llvm.or %[[ZERO]], %{{.*}}
// CHECK: nvvm.shfl.sync up %{{.*}}, %[[IN]]
coll.kernel @constant workgroup [64, 1, 1] grid [] extents [] params [] {
  %x = arith.constant 1 : i32
  %s = coll.scan warp add(%x) : i32
  coll.return
}

// No predicates: nothing to hide.
// CHECK-LABEL: llvm.func @full
// CHECK-NOT: lanemask
// CHECK: llvm.return
coll.kernel @full workgroup [64, 1, 1] grid [] extents [] params [] {
  %x = arith.constant 1.0 : f32
  %s = coll.reduce warp add(%x) : f32
  coll.return
}

// What comes from the thread's position is not the same in all lanes.
// CHECK-LABEL: llvm.func @rank
// CHECK-NOT: lanemask
// CHECK: llvm.return
coll.kernel @rank workgroup [64, 1, 1] grid [] extents [] params [] {
  %x = coll.rank warp
  %s = coll.scan warp add(%x) : i32
  coll.return
}
