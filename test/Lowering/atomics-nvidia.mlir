// LLVM drops scope and order of atomicrmw for NVPTX: updates of global memory that have one are PTX text.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll-lower{target=sm_90})' | FileCheck %s

// CHECK-LABEL: llvm.func @orders
// CHECK: llvm.atomicrmw add %{{.*}} syncscope("device") monotonic
// CHECK: llvm.inline_asm has_side_effects {{.*}}"atom.acq_rel.gpu.global.max.u32 $0, [$1], $2;", "=r,l,r,~{memory}"
// CHECK: llvm.fence syncscope("block") seq_cst
// CHECK-NEXT: llvm.inline_asm has_side_effects {{.*}}"atom.acquire.cta.global.xor.b32 $0, [$1], $2;", "=r,l,r,~{memory}"
// CHECK: llvm.inline_asm has_side_effects {{.*}}"atom.release.sys.global.min.s32 $0, [$1], $2;", "=r,l,r,~{memory}"
// CHECK: llvm.inline_asm has_side_effects {{.*}}"atom.relaxed.sys.global.add.f32 $0, [$1], $2;", "=f,l,f,~{memory}"
// CHECK: llvm.cmpxchg %{{.*}} syncscope("device") acq_rel acquire
// CHECK: llvm.load %{{.*}} atomic acquire
// CHECK: llvm.fence syncscope("device") acq_rel
coll.kernel @orders workgroup [64, 1, 1] grid [] extents ["n"]
    params [#coll.param<name = "x", access = mut, isView = true, type = "i32", leaves = "i32", dims = -1>,
            #coll.param<name = "f", access = mut, isView = true, type = "f32", leaves = "f32", dims = -1>] {
^bb0(%x: !coll.view<?xi32, global>, %f: !coll.view<?xf32, global>, %n: i64):
  %c = arith.constant 0 : i64
  %v = arith.constant 1 : i32
  %w = arith.constant 1.0 : f32
  %a = coll.atomic_rmw add relaxed device %v, %x[%c] : i32, !coll.view<?xi32, global>
  %b = coll.atomic_rmw umax acq_rel device %v, %x[%c] : i32, !coll.view<?xi32, global>
  %d = coll.atomic_rmw xor seq_cst block %v, %x[%c] : i32, !coll.view<?xi32, global>
  %e = coll.atomic_rmw smin release system %v, %x[%c] : i32, !coll.view<?xi32, global>
  %g = coll.atomic_rmw fadd relaxed system %w, %f[%c] : f32, !coll.view<?xf32, global>
  %h = coll.atomic_cas acq_rel device %v, %v, %x[%c] : i32, !coll.view<?xi32, global>
  %l = coll.atomic_load acquire system %x[%c] : !coll.view<?xi32, global> -> i32
  coll.fence acq_rel device
  coll.return
}

// Float minimum by integer keys: signed for positive operands, unsigned the
// other way round for negative ones; a NaN becomes the largest key.
// CHECK-LABEL: llvm.func @keys
// CHECK: %[[NAN:.*]] = llvm.fcmp "uno"
// CHECK: %[[LARGEST:.*]] = llvm.mlir.constant(2147483647 : i32)
// CHECK: llvm.select %[[NAN]], %[[LARGEST]]
// CHECK: llvm.cond_br
// CHECK: llvm.atomicrmw min
// CHECK: llvm.atomicrmw umax
coll.kernel @keys workgroup [64, 1, 1] grid [] extents ["n"]
    params [#coll.param<name = "f", access = mut, isView = true, type = "f32", leaves = "f32", dims = -1>,
            #coll.param<name = "v", access = read, isView = false, type = "f32", leaves = "f32">] {
^bb0(%f: !coll.view<?xf32, global>, %v: f32, %n: i64):
  %c = arith.constant 0 : i64
  %g = coll.atomic_rmw fmin relaxed device %v, %f[%c] : f32, !coll.view<?xf32, global>
  coll.store (%g) to %f[%c] : (f32), !coll.view<?xf32, global>
  coll.return
}
