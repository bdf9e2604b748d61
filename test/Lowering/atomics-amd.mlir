// AMD's scopes, and what lets a float sum be one instruction: only where the
// memory is the device's own and the scope is not the system.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll-lower{target=gfx942})' | FileCheck %s

// CHECK-LABEL: llvm.func @orders
// CHECK: llvm.atomicrmw add %{{.*}} syncscope("agent") acq_rel
// CHECK: llvm.atomicrmw add %{{.*}} syncscope("workgroup") monotonic
// CHECK: llvm.atomicrmw fadd %{{.*}} syncscope("agent") monotonic {rocdl.ignore_denormal_mode, rocdl.no_fine_grained_memory}
// CHECK: llvm.atomicrmw fadd %{{[^{]*}} monotonic : !llvm.ptr<1>, f32
coll.kernel @orders workgroup [64, 1, 1] grid [] extents ["n"]
    params [#coll.param<name = "x", access = mut, isView = true, type = "i32", leaves = "i32", dims = -1>,
            #coll.param<name = "f", access = mut, isView = true, type = "f32", leaves = "f32", dims = -1>] {
^bb0(%x: !coll.view<?xi32, global>, %f: !coll.view<?xf32, global>, %n: i64):
  %c = arith.constant 0 : i64
  %v = arith.constant 1 : i32
  %w = arith.constant 1.0 : f32
  %a = coll.atomic_rmw add acq_rel device %v, %x[%c] : i32, !coll.view<?xi32, global>
  %b = coll.atomic_rmw add relaxed block %v, %x[%c] : i32, !coll.view<?xi32, global>
  %d = coll.atomic_rmw fadd relaxed device %w, %f[%c] : f32, !coll.view<?xf32, global>
  %e = coll.atomic_rmw fadd relaxed system %w, %f[%c] : f32, !coll.view<?xf32, global>
  coll.return
}
