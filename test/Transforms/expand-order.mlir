// sort becomes comparisons with other ranks: through shuffles in a warp, through shared memory between warps.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-expand-order{target=sm_90}))' | FileCheck %s

// Two ranks: one comparison. The upper one keeps the greater key.
// CHECK-LABEL: coll.kernel @pair
// CHECK: %[[RANK:.*]] = coll.rank tile<2>
// CHECK: %[[OTHER:.*]] = coll.shuffle xor tile<2> %[[OWN:.*]] by %{{.*}} : i32
// CHECK: %[[SIDE:.*]] = arith.andi %{{.*}}, %{{.*}} : i32
// CHECK: %[[UPPER:.*]] = arith.cmpi ne, %[[SIDE]], %{{.*}} : i32
// CHECK: %[[LESS:.*]] = arith.cmpi ult, %[[OTHER]], %[[OWN]] : i32
// CHECK: %[[TAKES:.*]] = arith.xori %[[LESS]], %[[UPPER]] : i1
// CHECK: arith.select %[[TAKES]], %[[OTHER]], %[[OWN]] : i32
// CHECK-NOT: coll.sort
coll.kernel @pair workgroup [64, 1, 1] grid [] extents [] params [] {
  %x = arith.constant 1 : i32
  %s = coll.sort tile<2> (%x) : i32 -> i32
  coll.return
}

// A warp of 32 compares 15 times, and needs no memory.
// CHECK-LABEL: coll.kernel @warp
// CHECK-NOT: coll.shared
// CHECK-COUNT-15: coll.shuffle xor warp
// CHECK-NOT: coll.shuffle
// CHECK-NOT: coll.sync
// CHECK: coll.return
coll.kernel @warp workgroup [64, 1, 1] grid [] extents [] params [] {
  %x = arith.constant 1.0 : f32
  %s = coll.sort warp (%x) : f32 -> f32
  coll.return
}

// No more levels than the threads that exist need: 3 ranks are 2 levels.
// CHECK-LABEL: coll.kernel @short
// CHECK-COUNT-3: coll.shuffle xor warp
// CHECK-NOT: coll.shuffle
// CHECK: coll.return
coll.kernel @short workgroup [3, 1, 1] grid [] extents [] params [] {
  %x = arith.constant 1.0 : f32
  %s = coll.sort warp (%x) : f32 -> f32
  coll.return
}

// Two warps: 20 comparisons inside, one between them. That is one barrier, and none after it as nobody writes again.
// CHECK-LABEL: coll.kernel @block
// CHECK: coll.shared "list" overlay 0 {alignment = 16 : i64} : <128xi32, shared>
// CHECK-COUNT-15: coll.shuffle xor warp
// CHECK-NOT: coll.shuffle
// CHECK: coll.store
// CHECK: coll.sync block
// CHECK: coll.load
// CHECK-COUNT-5: coll.shuffle xor warp
// CHECK-NOT: coll.sync
// CHECK: coll.return
coll.kernel @block workgroup [64, 1, 1] grid [] extents [] params [] {
  %x = arith.constant 1.0 : f32
  %s = coll.sort block (%x) : f32 -> f32
  coll.return
}

// In a loop there is a barrier before the next trip writes.
// CHECK-LABEL: coll.kernel @loop
// CHECK: coll.sync block
// CHECK: coll.load
// CHECK: coll.sync block
// CHECK-NOT: coll.sync
// CHECK: coll.return
coll.kernel @loop workgroup [64, 1, 1] grid [] extents [] params [] {
  %x = arith.constant 1.0 : f32
  %true = arith.constant true
  coll.loop {
    coll.condition %true
  } do {
    %s = coll.sort block (%x) : f32 -> f32
    coll.break
  } step {
    coll.yield
  }
  coll.return
}

// A sort with values sends keys and places in one integer where they fit: 27 bits and 5 are one word, 32 and 5 are two.
// CHECK-LABEL: coll.kernel @values
// CHECK-COUNT-15: coll.shuffle xor warp %{{.*}} by %{{.*}} : i32
// CHECK: coll.shuffle idx warp %{{.*}} by %{{.*}} : f64
// CHECK-COUNT-15: coll.shuffle xor warp %{{.*}} by %{{.*}} : i64
// CHECK: coll.shuffle idx warp %{{.*}} by %{{.*}} : f64
// CHECK-COUNT-15: coll.shuffle xor warp %{{.*}}, %{{.*}} by %{{.*}} : i64, i32
// CHECK: coll.shuffle idx warp %{{.*}} by %{{.*}} : f64
coll.kernel @values workgroup [64, 1, 1] grid [] extents [] params [] {
  %h = arith.constant 1.0 : f16
  %x = arith.constant 1.0 : f32
  %v = arith.constant 1.0 : f64
  %0:2 = coll.sort warp (%h) values(%v : f64) : f16 -> f16, f64
  %1:2 = coll.sort warp (%x) values(%v : f64) : f32 -> f32, f64
  %2:2 = coll.sort warp (%v) values(%v : f64) : f64 -> f64, f64
  coll.return
}

// exchange stores at the places, and loads the own one after a barrier of the group.
// CHECK-LABEL: coll.kernel @exchange
// CHECK: coll.store
// CHECK: coll.sync tile<8>
// CHECK: coll.load
// CHECK-NOT: coll.sync
// CHECK-NOT: coll.exchange
// CHECK: coll.return
coll.kernel @exchange workgroup [64, 1, 1] grid [] extents [] params [] {
  %x = arith.constant 1.0 : f32
  %p = coll.rank tile<8>
  %y = coll.exchange tile<8> (%x) to %p : f32
  coll.return
}

// Values of one width share an array, whatever their types and the group. The block waits for its warps before it writes.
// CHECK-LABEL: coll.kernel @sharing
// CHECK: coll.shared "list" overlay 0 {alignment = 16 : i64} : <128xi32, shared>
// CHECK-NOT: coll.shared
// CHECK: coll.sync block
// CHECK: coll.store
// CHECK: coll.sync block
// CHECK: coll.load
// CHECK: coll.sync block
// CHECK: coll.store
// CHECK: coll.store
// CHECK: coll.sync warp
// CHECK: coll.load
// CHECK: coll.load
// CHECK: coll.sync warp
// CHECK-NOT: coll.sync
// CHECK: coll.return
coll.kernel @sharing workgroup [64, 1, 1] grid [] extents [] params [] {
  %x = arith.constant 1.0 : f32
  %i = arith.constant 1 : i32
  %p = coll.rank block
  %0 = coll.exchange block (%x) to %p : f32
  %q = coll.rank warp
  %1:2 = coll.exchange warp (%i, %i) to %q, %q : i32, i32
  coll.return
}

// Values of all widths share memory. A tile of 8 has 16 bytes, then from byte 16 on 16
// doubles: 144 bytes, 18 a thread, which become 24, so that the doubles of all tiles are
// aligned. The last tile needs no more than its 144: 56 * 24 + 144 are 1488 bytes.
// CHECK-LABEL: coll.kernel @widths
// CHECK-DAG: arith.constant 24 : i32
// CHECK-DAG: arith.constant 3 : i32
// CHECK-DAG: coll.shared "list" overlay 0 {alignment = 16 : i64} : <372xi32, shared>
// CHECK-DAG: coll.shared "list" overlay 0 {alignment = 16 : i64} : <1488xi8, shared>
// CHECK-DAG: coll.shared "list" overlay 16 {alignment = 16 : i64} : <184xi64, shared>
// CHECK-NOT: coll.shared
// CHECK: coll.return
coll.kernel @widths workgroup [64, 1, 1] grid [] extents [] params [] {
  %x = arith.constant 1.0 : f32
  %p = coll.rank block
  %0 = coll.exchange block (%x) to %p : f32
  %c = arith.constant 1 : i8
  %d = arith.constant 1.0 : f64
  %q = coll.rank tile<8>
  %1:4 = coll.exchange tile<8> (%c, %d, %c, %d) to %q, %q : i8, f64, i8, f64
  coll.return
}

// CHECK-LABEL: coll.kernel @histogram
// CHECK: coll.atomic_rmw add relaxed block %{{.*}}, %{{.*}}[%{{.*}}] : i32, <4xi32, shared>
// CHECK: coll.atomic_rmw add relaxed block
// CHECK-NOT: coll.histogram
coll.kernel @histogram workgroup [64, 1, 1] grid [] extents [] params [] {
  %s = coll.shared "counts" : !coll.view<4xi32, shared>
  %b = arith.constant 3 : i64
  coll.histogram block %s[%b, %b] : !coll.view<4xi32, shared>
  coll.return
}
