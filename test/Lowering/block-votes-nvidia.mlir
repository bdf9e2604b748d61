// Votes over the block are one barrier.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-lower-collectives{target=sm_90}),coll-lower-kernels{target=sm_90},coll-convert-to-llvm{target=sm_90})' | FileCheck %s

// CHECK: nvvm.barrier #nvvm.reduction<or> %{{.*}} -> i32
// CHECK: llvm.icmp "ne"
// CHECK: nvvm.barrier #nvvm.reduction<popc> %{{.*}} -> i32
coll.kernel @votes workgroup [256, 1, 1] grid [] extents ["n"]
    params [#coll.param<name = "y", access = mut, isView = true, type = "i32", leaves = "i32", dims = -1>,
            #coll.param<name = "p", access = read, isView = false, type = "bool", leaves = "bool">] {
^bb0(%y: !coll.view<?xi32, global>, %p: i1, %n: i64):
  %c = arith.constant 0 : i64
  %a = coll.vote any block %p
  %k = coll.population block %a
  coll.store (%k) to %y[%c] : (i32), !coll.view<?xi32, global>
  coll.return
}
