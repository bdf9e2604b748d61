// A block's reduction: one store a warp, one barrier, then the partials in the
// order of an aligned tree.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-expand-block{target=sm_90}))' | FileCheck %s

// CHECK-LABEL: coll.kernel @few
// CHECK: %[[PARTS:.*]] = coll.shared "partials" {alignment = 16 : i64} : {{(!coll.view)?}}<3xf32, shared>
// CHECK: %[[W:.*]] = coll.reduce warp add(%{{.*}}) for first : f32
// CHECK: coll.if %{{.*}} {
// CHECK: coll.store{{ ?}}(%[[W]]) to %[[PARTS]]
// CHECK: coll.sync block
// CHECK: %[[A:.*]] = coll.load %[[PARTS]]
// CHECK: %[[B:.*]] = coll.load %[[PARTS]]
// CHECK: %[[C:.*]] = coll.load %[[PARTS]]
// CHECK: %[[AB:.*]] = arith.addf %[[A]], %[[B]]
// CHECK: arith.addf %[[AB]], %[[C]]
// CHECK-NOT: coll.sync
// CHECK: coll.return
coll.kernel @few workgroup [96, 1, 1] grid [] extents [] params [] {
  %x = arith.constant 1.0 : f32
  %s = coll.reduce block add(%x) : f32
  coll.return
}

// Many partials are reduced by lanes, if every warp has enough of them.
// CHECK-LABEL: coll.kernel @many
// CHECK: coll.sync block
// CHECK: coll.rank tile<32>
// CHECK: coll.load
// CHECK: coll.reduce tile<32> add
coll.kernel @many workgroup [1024, 1, 1] grid [] extents [] params [] {
  %x = arith.constant 1.0 : f32
  %s = coll.reduce block add(%x) : f32
  coll.return
}

// 21 warps, of which the last has 5 lanes: every thread reads all partials.
// CHECK-LABEL: coll.kernel @odd
// CHECK: coll.sync block
// CHECK-COUNT-21: coll.load
// CHECK-COUNT-20: arith.addf
// CHECK-NOT: coll.reduce tile
// CHECK: coll.return
coll.kernel @odd workgroup [645, 1, 1] grid [] extents [] params [] {
  %x = arith.constant 1.0 : f32
  %s = coll.reduce block add(%x) : f32
  coll.return
}

// A block of one warp needs no shared memory; its barrier stays a block's.
// CHECK-LABEL: coll.kernel @single
// CHECK-NOT: coll.shared
// CHECK: coll.reduce warp add
// CHECK: coll.sync block
coll.kernel @single workgroup [20, 1, 1] grid [] extents [] params [] {
  %x = arith.constant 1.0 : f32
  %s = coll.reduce block add(%x) : f32
  coll.sync block
  coll.return
}

// In a loop the site uses two halves in turn instead of a second barrier.
// CHECK-LABEL: coll.kernel @loop
// CHECK-DAG: %[[HALF:.*]] = coll.var "half"
// CHECK-DAG: coll.shared "partials" {alignment = 16 : i64} : {{(!coll.view)?}}<2x2xf32, shared>
// CHECK: coll.loop
// CHECK: } do {
// CHECK: %[[H:.*]] = coll.load %[[HALF]]
// CHECK: %[[OTHER:.*]] = arith.xori %[[H]]
// CHECK: coll.store{{ ?}}(%[[OTHER]]) to %[[HALF]]
// CHECK: coll.sync block
// CHECK-NOT: coll.sync
// CHECK: coll.return
coll.kernel @loop workgroup [64, 1, 1] grid [] extents [] params [] {
  %x = arith.constant 1.0 : f32
  %yes = arith.constant true
  coll.loop {
    coll.condition %yes
  } do {
    %s = coll.reduce block add(%x) : f32
    coll.yield
  } step {
    coll.yield
  }
  coll.return
}

// Three in a row: the first and the last use the same memory, which the barrier of the one between allows.
// CHECK-LABEL: coll.kernel @in_turn
// CHECK-DAG: coll.shared "partials0" overlay 0 {alignment = 16 : i64} : {{(!coll.view)?}}<8xf64, shared>
// CHECK-DAG: coll.shared "partials1" overlay 0 {alignment = 16 : i64} : {{(!coll.view)?}}<8xi32, shared>
// CHECK-DAG: coll.shared "partials0" overlay 0 {alignment = 16 : i64} : {{(!coll.view)?}}<8xi32, shared>
// CHECK-DAG: coll.shared "partials0" overlay 32 {alignment = 16 : i64} : {{(!coll.view)?}}<8xi64, shared>
// CHECK-NOT: coll.shared
// CHECK: coll.return
coll.kernel @in_turn workgroup [256, 1, 1] grid [] extents [] params [] {
  %x = arith.constant 1.0 : f64
  %i = arith.constant 1 : i32
  %l = arith.constant 1 : i64
  %a = coll.reduce block add(%x) : f64
  %b = coll.reduce block add(%i) : i32
  %c:2 = coll.reduce block(%i, %l) commutative : i32, i64 combiner {
  ^bb0(%li: i32, %ll: i64, %ri: i32, %rl: i64):
    coll.yield %li, %rl : i32, i64
  }
  coll.return
}

// Two need no more than they have, and in a loop each keeps its own.
// CHECK-LABEL: coll.kernel @apart
// CHECK-NOT: overlay
// CHECK: coll.return
coll.kernel @apart workgroup [256, 1, 1] grid [] extents [] params [] {
  %i = arith.constant 1 : i32
  %true = arith.constant true
  %a = coll.reduce block add(%i) : i32
  %b = coll.reduce block add(%a) : i32
  coll.loop {
    coll.condition %true
  } do {
    %c = coll.reduce block add(%i) : i32
    %d = coll.reduce block add(%c) : i32
    %e = coll.reduce block add(%d) : i32
    coll.break
  } step {
    coll.yield
  }
  coll.return
}
