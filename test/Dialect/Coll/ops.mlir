// RUN: coll-opt %s | coll-opt | FileCheck %s
// Every operation is printed and read back.

// CHECK-LABEL: coll.kernel @structure named "structure<1>" workgroup [64, 2, 1] grid ["(ceil_div n 64)"] extents ["n"]
// CHECK-SAME: params [#coll.param<name = "x", access = mut, isView = true, type = "f32", leaves = "f32", dims = -1>, #coll.param<name = "s", access = read, isView = false, type = "u32", leaves = "u32">]
// CHECK-SAME: attributes {max_registers = 32 : i32, min_blocks = 2 : i32}
coll.kernel @structure named "structure<1>" workgroup [64, 2, 1] grid ["(ceil_div n 64)"] extents ["n"]
    params [#coll.param<name = "x", access = mut, isView = true, type = "f32", leaves = "f32", dims = -1>,
            #coll.param<name = "s", access = read, isView = false, type = "u32", leaves = "u32">]
    attributes {max_registers = 32 : i32, min_blocks = 2 : i32} {
^bb0(%x: !coll.view<?xf32, global>, %s: i32, %n: i64):
  %true = arith.constant true
  // CHECK: coll.inline "f" -> i32, i32 {
  %r:2 = coll.inline "f" -> i32, i32 {
    // CHECK: coll.if %{{.*}} {
    coll.if %true {
      // CHECK: coll.return %{{.*}}, %{{.*}} : i32, i32
      coll.return %s, %s : i32, i32
    }
    coll.return %s, %s : i32, i32
  }
  // CHECK: coll.if %{{.*}} -> i32 {
  // CHECK:   coll.yield %{{.*}} : i32
  // CHECK: } else {
  %m = coll.if %true -> i32 { coll.yield %s : i32 } else { coll.yield %r#1 : i32 }
  // CHECK: coll.loop attributes {unroll = 4 : i32} {
  // CHECK:   coll.condition %{{.*}}
  // CHECK: } do {
  // CHECK:   coll.break
  // CHECK:   coll.continue
  // CHECK: } step {
  // CHECK:   coll.yield
  coll.loop attributes {unroll = 4 : i32} {
    coll.condition %true
  } do {
    coll.if %true { coll.break } else { coll.continue }
    coll.yield
  } step {
    coll.yield
  }
  coll.return
}

// CHECK-LABEL: coll.kernel @queries
coll.kernel @queries workgroup [64, 1, 1] grid [] extents [] params [] {
  // CHECK: coll.rank thread
  %0 = coll.rank thread
  // CHECK: coll.size warp
  %1 = coll.size warp
  // CHECK: coll.index tile<8>
  %2 = coll.index tile<8>
  // CHECK: coll.group_count warp
  %3 = coll.group_count warp
  // CHECK: coll.thread_id x
  %4 = coll.thread_id x
  // CHECK: coll.block_id y
  %5 = coll.block_id y
  // CHECK: coll.block_count z
  %6 = coll.block_count z
  coll.return
}

// CHECK-LABEL: coll.kernel @memory
coll.kernel @memory workgroup [64, 1, 1] grid [] extents ["r", "c"]
    params [#coll.param<name = "x", access = inout, isView = true, type = "f32", leaves = "f32", dims = -1, -2, pitch = 1>] {
^bb0(%x: !coll.view<?x?xf32, global>, %r: i64, %c: i64):
  // CHECK: %[[V:.*]] = coll.var "v" : <4x!coll.struct<"S", size = 8, align = 4, (i32 at 0, i8 at 4)>, private>
  %v = coll.var "v" : !coll.view<4x!coll.struct<"S", size = 8, align = 4, (i32 at 0, i8 at 4)>, private>
  // CHECK: coll.shared "t" {alignment = 16 : i64} : <32x33xvector<4xf32>, shared>
  %t = coll.shared "t" {alignment = 16} : !coll.view<32x33xvector<4xf32>, shared>
  // CHECK: coll.shared "d"(%{{.*}}) bytes "(* c 4)" : <?xf32, shared>
  %d = coll.shared "d"(%c) bytes "(* c 4)" : !coll.view<?xf32, shared>
  // CHECK: coll.extent %{{.*}}, 1 : <?x?xf32, global>
  %e = coll.extent %x, 1 : !coll.view<?x?xf32, global>
  // CHECK: coll.slice %{{.*}} forms [1, 2](%{{.*}}, %{{.*}}, %{{.*}}) : <?x?xf32, global> -> <?xf32, global>
  %s = coll.slice %x forms [1, 2] (%r, %c, %e) : !coll.view<?x?xf32, global> -> !coll.view<?xf32, global>
  // CHECK: coll.field %[[V]] at 4 : {{.*}} -> <4xi8, private>
  %f = coll.field %v at 4 : !coll.view<4x!coll.struct<"S", size = 8, align = 4, (i32 at 0, i8 at 4)>, private> -> !coll.view<4xi8, private>
  // CHECK: coll.flat %{{.*}} : <?x?xf32, global> -> <?xf32, global>
  %g = coll.flat %x : !coll.view<?x?xf32, global> -> !coll.view<?xf32, global>
  // CHECK: coll.recast %{{.*}} : <?xf32, global> -> <?xvector<4xf32>, global>
  %h = coll.recast %g : !coll.view<?xf32, global> -> !coll.view<?xvector<4xf32>, global>
  // CHECK: coll.recast %[[V]] : {{.*}} -> <4xi64, private>
  %i = coll.recast %v : !coll.view<4x!coll.struct<"S", size = 8, align = 4, (i32 at 0, i8 at 4)>, private> -> !coll.view<4xi64, private>
  // CHECK: %[[L:.*]]:2 = coll.load %[[V]][%{{.*}}] : {{.*}} -> i32, i8
  %l:2 = coll.load %v[%r] : !coll.view<4x!coll.struct<"S", size = 8, align = 4, (i32 at 0, i8 at 4)>, private> -> i32, i8
  // CHECK: coll.store(%[[L]]#0, %[[L]]#1) to %[[V]][%{{.*}}] : (i32, i8)
  coll.store (%l#0, %l#1) to %v[%c] : (i32, i8), !coll.view<4x!coll.struct<"S", size = 8, align = 4, (i32 at 0, i8 at 4)>, private>
  coll.return
}

// CHECK-LABEL: coll.kernel @atomics
coll.kernel @atomics workgroup [64, 1, 1] grid [] extents ["n"]
    params [#coll.param<name = "x", access = mut, isView = true, type = "i64", leaves = "i64", dims = -1>] {
^bb0(%x: !coll.view<?xi64, global>, %n: i64):
  // CHECK: coll.atomic_rmw umax relaxed device %{{.*}}, %{{.*}}[%{{.*}}] : i64, <?xi64, global>
  %0 = coll.atomic_rmw umax relaxed device %n, %x[%n] : i64, !coll.view<?xi64, global>
  // CHECK: coll.atomic_cas acq_rel system %{{.*}}, %{{.*}}, %{{.*}}[%{{.*}}] : i64, <?xi64, global>
  %1 = coll.atomic_cas acq_rel system %n, %0, %x[%n] : i64, !coll.view<?xi64, global>
  // CHECK: coll.atomic_load acquire block %{{.*}}[%{{.*}}] : <?xi64, global> -> i64
  %2 = coll.atomic_load acquire block %x[%n] : !coll.view<?xi64, global> -> i64
  // CHECK: coll.atomic_store release cluster %{{.*}}, %{{.*}}[%{{.*}}] : i64, <?xi64, global>
  coll.atomic_store release cluster %2, %x[%n] : i64, !coll.view<?xi64, global>
  // CHECK: coll.fence seq_cst warp
  coll.fence seq_cst warp
  coll.return
}

// CHECK-LABEL: coll.kernel @arithmetic
coll.kernel @arithmetic workgroup [64, 1, 1] grid [] extents []
    params [#coll.param<name = "f", access = read, isView = false, type = "f32", leaves = "f32">,
            #coll.param<name = "i", access = read, isView = false, type = "i32", leaves = "i32">] {
^bb0(%f: f32, %i: i32):
  // CHECK: coll.div signed %{{.*}}, %{{.*}} : i32
  %0 = coll.div signed %i, %i : i32
  // CHECK: coll.rem %{{.*}}, %{{.*}} : i32
  %1 = coll.rem %i, %i : i32
  // CHECK: coll.fptoint signed %{{.*}} : f32 -> i8
  %2 = coll.fptoint signed %f : f32 -> i8
  // CHECK: coll.minnum %{{.*}}, %{{.*}} : f32
  %3 = coll.minnum %f, %f : f32
  // CHECK: coll.maxnum %{{.*}}, %{{.*}} : f32
  %4 = coll.maxnum %f, %f : f32
  // CHECK: coll.fast rsqrt %{{.*}} : f32
  %5 = coll.fast rsqrt %f : f32
  %true = arith.constant true
  // CHECK: coll.assert %{{.*}}, "row {}"(%{{.*}} : i32) signs [true]
  coll.assert %true, "row {}"(%i : i32) signs [true]
  // CHECK: coll.assert %{{.*}}, "plain" signs []
  coll.assert %true, "plain" signs []
  // CHECK: coll.pause
  coll.pause
  // CHECK: coll.trap
  coll.trap
  coll.return
}
