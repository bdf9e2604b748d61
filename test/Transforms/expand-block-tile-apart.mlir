// Tiles that go different ways need barriers of their own: where a chip has too few for them, they count.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-expand-block{target=gfx1100}))' | FileCheck %s --check-prefixes=CHECK,AMD
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-expand-block{target=sm_90}))' | FileCheck %s --check-prefixes=CHECK,NVIDIA

// CHECK-LABEL: coll.kernel @four
// AMD: %[[COUNTERS:.*]] = coll.shared "arrivals" {alignment = 4 : i64} : <4xi32, shared>
// AMD: coll.atomic_rmw add relaxed block %{{.*}}, %[[COUNTERS]]
// AMD-NOT: coll.sync tile
// NVIDIA-NOT: coll.shared
// NVIDIA: coll.sync tile<64> barrier 1
coll.kernel @four workgroup [256, 1, 1] grid [] extents [] params [] {
  %i = coll.index tile<64>
  %zero = arith.constant 0 : i32
  %c = arith.cmpi eq, %i, %zero : i32
  coll.if %c {
    coll.sync tile<64>
    coll.yield
  }
  coll.return
}

// More tiles than NVIDIA has barriers.
// CHECK-LABEL: coll.kernel @sixteen
// CHECK: %[[ARRIVALS:.*]] = coll.shared "arrivals" {alignment = 4 : i64} : <16xi32, shared>
// CHECK: coll.sync block shared_only
// CHECK: %[[RANK:.*]] = coll.rank block
// CHECK: %[[SIZE:.*]] = arith.constant 64 : i32
// CHECK: arith.divui %[[RANK]], %[[SIZE]]
// CHECK: coll.atomic_rmw add relaxed block %{{.*}}, %[[ARRIVALS]]
// CHECK-NOT: coll.sync tile
coll.kernel @sixteen workgroup [1024, 1, 1] grid [] extents [] params [] {
  %i = coll.index tile<64>
  %zero = arith.constant 0 : i32
  %c = arith.cmpi eq, %i, %zero : i32
  coll.if %c {
    coll.sync tile<64>
    coll.yield
  }
  coll.return
}
