// Warp collectives as instructions: one redux for integers, ascending
// butterflies for floats, votes and population counts of ballots.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-lower-collectives{target=sm_90}),coll-lower-kernels{target=sm_90},coll-convert-to-llvm{target=sm_90})' | FileCheck %s --check-prefixes=CHECK,SM90
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-lower-collectives{target=sm_75}),coll-lower-kernels{target=sm_75},coll-convert-to-llvm{target=sm_75})' | FileCheck %s --check-prefixes=CHECK,SM75

// CHECK-LABEL: llvm.func @warp
// SM90: nvvm.redux.sync add %{{.*}}, %{{.*}} : i32 -> i32
// SM75-COUNT-5: nvvm.shfl.sync bfly
// CHECK-COUNT-5: nvvm.shfl.sync bfly
// CHECK: nvvm.vote.sync any
// CHECK: nvvm.vote.sync ballot
// CHECK: llvm.intr.ctpop
// CHECK: nvvm.vote.sync ballot
// CHECK: nvvm.read.ptx.sreg.lanemask.lt
// CHECK: llvm.intr.ctpop
// CHECK: nvvm.match.sync any
coll.kernel @warp workgroup [64, 1, 1] grid [] extents ["n"]
    params [#coll.param<name = "y", access = mut, isView = true, type = "i32", leaves = "i32", dims = -1>,
            #coll.param<name = "i", access = read, isView = false, type = "i32", leaves = "i32">,
            #coll.param<name = "f", access = read, isView = false, type = "f32", leaves = "f32">] {
^bb0(%y: !coll.view<?xi32, global>, %i: i32, %f: f32, %n: i64):
  %s = coll.reduce warp add(%i) : i32
  %t = coll.reduce warp add(%f) : f32
  %p = arith.cmpf olt, %f, %t : f32
  %a = coll.vote any warp %p
  %c = coll.population warp %p
  %r = coll.rank_among warp %p
  %m = coll.match warp %i : i32
  %o0 = coll.shared "o" : !coll.view<i32, shared>
  coll.store (%c) to %o0[] : (i32), !coll.view<i32, shared>
  %o1 = coll.shared "o" : !coll.view<i32, shared>
  coll.store (%r) to %o1[] : (i32), !coll.view<i32, shared>
  coll.return
}

// A word of 64 bits is two of 32; 16 bits are padded with zeros.
// CHECK-LABEL: llvm.func @widths
// CHECK: llvm.bitcast %{{.*}} : f64 to i64
// CHECK: llvm.trunc %{{.*}} : i64 to i32
// CHECK: llvm.lshr
// CHECK: nvvm.shfl.sync idx
// CHECK: nvvm.shfl.sync idx
// CHECK: llvm.bitcast %{{.*}} : i64 to f64
// CHECK: llvm.bitcast %{{.*}} : f16 to i16
// CHECK: llvm.zext %{{.*}} : i16 to i32
// CHECK: nvvm.shfl.sync idx
// CHECK: llvm.trunc %{{.*}} : i32 to i16
coll.kernel @widths workgroup [64, 1, 1] grid [] extents []
    params [#coll.param<name = "d", access = read, isView = false, type = "f64", leaves = "f64">,
            #coll.param<name = "h", access = read, isView = false, type = "f16", leaves = "f16">,
            #coll.param<name = "k", access = read, isView = false, type = "i32", leaves = "i32">] {
^bb0(%d: f64, %h: f16, %k: i32):
  %a = coll.shuffle idx warp %d by %k : f64
  %b = coll.shuffle idx warp %h by %k : f16
  %o0 = coll.shared "o" : !coll.view<f64, shared>
  coll.store (%a) to %o0[] : (f64), !coll.view<f64, shared>
  %o1 = coll.shared "o" : !coll.view<f16, shared>
  coll.store (%b) to %o1[] : (f16), !coll.view<f16, shared>
  coll.return
}

// A tile's collective under a condition of its own is executed by the tile
// alone: its lanes are the members. Where the whole warp arrives, all lanes are.
// CHECK-LABEL: llvm.func @members
// CHECK: %[[ALL:.*]] = llvm.mlir.constant(-1 : i32)
// CHECK: nvvm.shfl.sync bfly %[[ALL]]
// CHECK: llvm.cond_br
// CHECK: %[[TOO:.*]] = llvm.mlir.constant(-1 : i32)
// CHECK: nvvm.shfl.sync bfly %[[TOO]]
// CHECK: llvm.cond_br
// CHECK: %[[OWN:.*]] = llvm.shl
// CHECK: nvvm.shfl.sync bfly %[[OWN]]
coll.kernel @members workgroup [64, 1, 1] grid [] extents []
    params [#coll.param<name = "i", access = read, isView = false, type = "i32", leaves = "i32">,
            #coll.param<name = "p", access = read, isView = false, type = "bool", leaves = "bool">] {
^bb0(%i: i32, %p: i1):
  %a = coll.reduce tile<2> add(%i) : i32
  coll.if %p {
    %b = coll.reduce tile<2> add(%i) : i32
    coll.yield
  }
  %tile = coll.index tile<2>
  %is_own = arith.cmpi eq, %tile, %i : i32
  coll.if %is_own {
    %c = coll.reduce tile<2> add(%i) : i32
    coll.yield
  }
  coll.return
}

// An operator of the user's that could loop for ever on values that nobody
// asked to combine runs under a branch.
// CHECK-LABEL: llvm.func @guarded
// CHECK: nvvm.shfl.sync {{up|down}} {{.*}}return_value_and_is_valid
// CHECK: llvm.extractvalue %{{.*}}[1]
// CHECK: llvm.cond_br
coll.kernel @guarded workgroup [45, 1, 1] grid [] extents []
    params [#coll.param<name = "i", access = read, isView = false, type = "i32", leaves = "i32">,
            #coll.param<name = "p", access = read, isView = false, type = "bool", leaves = "bool">] {
^bb0(%i: i32, %p: i1):
  %a = coll.scan warp (%i) : i32 combiner {
  ^bb0(%l: i32, %r: i32):
    coll.loop { coll.condition %p } do { coll.yield } step { coll.yield }
    %s = arith.muli %l, %r : i32
    coll.yield %s : i32
  }
  coll.return
}
