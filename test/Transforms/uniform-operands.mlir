// What all ranks have needs no exchange: sums are products, idempotent operators
// give the value, and any operator combines the value with itself once a level.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-uniform-operands{target=sm_90}))' | FileCheck %s --implicit-check-not='coll.{{reduce|scan|vote|ballot|broadcast|shuffle|match|arg_reduce}} {{warp|tile|block}}'
// RUN: coll-opt %s -o /dev/null --pass-pipeline='builtin.module(coll.kernel(coll-uniform-operands{target=sm_90 remarks=true}))' 2>&1 | FileCheck %s --check-prefix=REMARK

// A block of 45: warps of 32 and of 13 ranks.
// REMARK: remark: reduce over warp, sm_90: uniform operand
// CHECK-LABEL: coll.kernel @integers
// CHECK: ^bb0(%[[I:.*]]: i32):
// CHECK: %[[SIZE:.*]] = coll.size warp
// CHECK: %[[SUM:.*]] = arith.muli %[[I]], %[[SIZE]] : i32
// CHECK: %[[C45:.*]] = arith.constant 45 : i32
// CHECK: %[[ALL:.*]] = arith.muli %[[I]], %[[C45]] : i32
// CHECK: %[[ODD:.*]] = arith.trunci %{{.*}} : i32 to i1
// CHECK: %[[XOR:.*]] = arith.select %[[ODD]], %[[I]], %{{.*}} : i32
// CHECK: coll.store(%[[SUM]])
// CHECK: coll.store(%[[ALL]])
// CHECK: coll.store(%[[XOR]])
// CHECK: coll.store(%[[I]])
coll.kernel @integers workgroup [45, 1, 1] grid [] extents []
    params [#coll.param<name = "i", access = read, isView = false, type = "i32", leaves = "i32">] {
^bb0(%i: i32):
  %o = coll.shared "o" : !coll.view<i32, shared>
  %sum = coll.reduce warp add(%i) : i32
  %all = coll.reduce block add(%i) : i32
  %xor = coll.reduce block xor(%i) : i32
  %max = coll.reduce warp smax(%i) : i32
  coll.store (%sum) to %o[] : (i32), !coll.view<i32, shared>
  coll.store (%all) to %o[] : (i32), !coll.view<i32, shared>
  coll.store (%xor) to %o[] : (i32), !coll.view<i32, shared>
  coll.store (%max) to %o[] : (i32), !coll.view<i32, shared>
  coll.return
}

// 16 ranks double four times, which is exact; 48 are a tree: blocks of 16 and 32.
// CHECK-LABEL: coll.kernel @floats
// CHECK: ^bb0(%[[F:.*]]: f32):
// CHECK: %[[C16:.*]] = arith.constant 1.600000e+01 : f32
// CHECK: %[[SUM:.*]] = arith.mulf %[[F]], %[[C16]] : f32
// CHECK: %[[X2:.*]] = arith.addf %[[F]], %[[F]] : f32
// CHECK: %[[X4:.*]] = arith.addf %[[X2]], %[[X2]] : f32
// CHECK: %[[X8:.*]] = arith.addf %[[X4]], %[[X4]] : f32
// CHECK: %[[X16:.*]] = arith.addf %[[X8]], %[[X8]] : f32
// CHECK: %[[X32:.*]] = arith.addf %[[X16]], %[[X16]] : f32
// CHECK: %[[ALL:.*]] = arith.addf %[[X32]], %[[X16]] : f32
// CHECK: coll.store(%[[SUM]])
// CHECK: coll.store(%[[ALL]])
coll.kernel @floats workgroup [48, 1, 1] grid [] extents []
    params [#coll.param<name = "f", access = read, isView = false, type = "f32", leaves = "f32">] {
^bb0(%f: f32):
  %o = coll.shared "o" : !coll.view<f32, shared>
  %sum = coll.reduce tile<16> add(%f) : f32
  %all = coll.reduce block add(%f) : f32
  coll.store (%sum) to %o[] : (f32), !coll.view<f32, shared>
  coll.store (%all) to %o[] : (f32), !coll.view<f32, shared>
  coll.return
}

// A user's operator on five ranks: ((x x) (x x)) x, with the sides kept.
// CHECK-LABEL: coll.kernel @custom
// CHECK: ^bb0(%[[A:.*]]: i32):
// CHECK: %[[A2:.*]] = arith.subi %[[A]], %[[A]] : i32
// CHECK: %[[A4:.*]] = arith.subi %[[A2]], %[[A2]] : i32
// CHECK: %[[A5:.*]] = arith.subi %[[A4]], %[[A]] : i32
// CHECK: coll.store(%[[A5]])
coll.kernel @custom workgroup [5, 1, 1] grid [] extents []
    params [#coll.param<name = "a", access = read, isView = false, type = "i32", leaves = "i32">] {
^bb0(%a: i32):
  %o = coll.shared "o" : !coll.view<i32, shared>
  %s = coll.reduce block (%a) : i32 combiner {
  ^bb0(%l: i32, %r: i32):
    %d = arith.subi %l, %r : i32
    coll.yield %d : i32
  }
  coll.store (%s) to %o[] : (i32), !coll.view<i32, shared>
  coll.return
}

// Scans depend on the rank, moves on whether there is a source.
// CHECK-LABEL: coll.kernel @others
// CHECK: ^bb0(%[[I:.*]]: i32, %[[P:.*]]: i1):
// CHECK: %[[RANK:.*]] = coll.rank warp
// CHECK: %[[NEXT:.*]] = arith.addi %[[RANK]], %{{.*}} : i32
// CHECK: %[[SCAN:.*]] = arith.muli %[[I]], %[[NEXT]] : i32
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult
// CHECK: %[[UP:.*]] = arith.select %[[INSIDE]], %[[I]], %{{.*}} : i32
// CHECK: %[[LANES:.*]] = arith.constant 4294967295 : i64
// CHECK: %[[BALLOT:.*]] = arith.select %[[P]], %[[LANES]], %{{.*}} : i64
// CHECK: coll.store(%[[SCAN]])
// CHECK: coll.store(%[[UP]])
// CHECK: coll.store(%[[I]])
// CHECK: coll.store(%[[BALLOT]])
// CHECK: coll.if %[[P]]
coll.kernel @others workgroup [64, 1, 1] grid [] extents []
    params [#coll.param<name = "i", access = read, isView = false, type = "i32", leaves = "i32">,
            #coll.param<name = "p", access = read, isView = false, type = "bool", leaves = "bool">] {
^bb0(%i: i32, %p: i1):
  %o = coll.shared "o" : !coll.view<i32, shared>
  %m = coll.shared "m" : !coll.view<i64, shared>
  %one = arith.constant 1 : i32
  %nine = arith.constant 9 : i32
  %scan = coll.scan warp add(%i) : i32
  %up = coll.shuffle up warp %i by %one fill(%nine : i32) : i32
  %from = coll.broadcast block %i from %nine : i32
  %lanes = coll.ballot warp %p
  %all = coll.vote all block %p
  coll.store (%scan) to %o[] : (i32), !coll.view<i32, shared>
  coll.store (%up) to %o[] : (i32), !coll.view<i32, shared>
  coll.store (%from) to %o[] : (i32), !coll.view<i32, shared>
  coll.store (%lanes) to %m[] : (i64), !coll.view<i64, shared>
  coll.if %all {
    coll.yield
  }
  coll.return
}
