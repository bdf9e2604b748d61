// On AMD with waves of 32, rows of 16 lanes store what they have reduced, and one row combines that.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-expand-block{target=gfx1100}))' | FileCheck %s

// 16 rows: a result a lane.
// CHECK-LABEL: coll.kernel @one_each
// CHECK: %[[ROWS:.*]] = coll.shared "partials" {{.*}}<16xf32, shared>
// CHECK: %[[ROW:.*]] = coll.reduce tile<16> add(%{{.*}}) for first : f32
// CHECK: %[[LANE:.*]] = coll.rank tile<16>
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[LANE]], %
// CHECK: coll.if %[[FIRST]] {
// CHECK: %[[INDEX:.*]] = arith.shrui
// CHECK: coll.store{{ ?}}(%[[ROW]]) to %[[ROWS]]
// CHECK: coll.sync block
// CHECK: coll.rank tile<16>
// CHECK: %[[PART:.*]] = coll.load %[[ROWS]]
// CHECK: coll.reduce tile<16> add(%[[PART]]) : f32
// CHECK-NOT: coll.sync
// CHECK: coll.return
coll.kernel @one_each workgroup [256, 1, 1] grid [] extents [] params [] {
  %x = arith.constant 1.0 : f32
  %s = coll.reduce block add(%x) : f32
  coll.return
}

// 64 rows: each lane of a row combines four neighbours first, in pairs.
// CHECK-LABEL: coll.kernel @four_each
// CHECK: %[[ROWS:.*]] = coll.shared "partials" {{.*}}<64xf32, shared>
// CHECK: coll.sync block
// CHECK: %[[A:.*]] = coll.load %[[ROWS]]
// CHECK: %[[B:.*]] = coll.load %[[ROWS]]
// CHECK: %[[C:.*]] = coll.load %[[ROWS]]
// CHECK: %[[D:.*]] = coll.load %[[ROWS]]
// CHECK: %[[AB:.*]] = arith.addf %[[A]], %[[B]]
// CHECK: %[[CD:.*]] = arith.addf %[[C]], %[[D]]
// CHECK: %[[ALL:.*]] = arith.addf %[[AB]], %[[CD]]
// CHECK: coll.reduce tile<16> add(%[[ALL]]) : f32
coll.kernel @four_each workgroup [1024, 1, 1] grid [] extents [] params [] {
  %x = arith.constant 1.0 : f32
  %s = coll.reduce block add(%x) : f32
  coll.return
}

// Few warps, short ones, and operators that give the result to one lane alone exchange the warps' results.
// CHECK-LABEL: coll.kernel @few
// CHECK: coll.reduce warp add
// CHECK-NOT: tile<16>
// CHECK-LABEL: coll.kernel @short
// CHECK: coll.reduce warp add
// CHECK-NOT: tile<16>
// CHECK-LABEL: coll.kernel @custom
// CHECK: coll.reduce warp
// CHECK-NOT: tile<16>
coll.kernel @few workgroup [64, 1, 1] grid [] extents [] params [] {
  %x = arith.constant 1.0 : f32
  %s = coll.reduce block add(%x) : f32
  coll.return
}
coll.kernel @short workgroup [250, 1, 1] grid [] extents [] params [] {
  %x = arith.constant 1.0 : f32
  %s = coll.reduce block add(%x) : f32
  coll.return
}
coll.kernel @custom workgroup [256, 1, 1] grid [] extents [] params [] {
  %x = arith.constant 1.0 : f32
  %s = coll.reduce block(%x) : f32 combiner {
  ^bb0(%a: f32, %b: f32):
    %c = arith.mulf %a, %b : f32
    coll.yield %c : f32
  }
  coll.return
}

// A scan of 32 segments: lanes scan the totals exclusively, from -0.0 on, and every segment takes its own from a lane.
// CHECK-LABEL: coll.kernel @scan
// CHECK: %[[TOTALS:.*]] = coll.shared "partials" {{.*}}<32xf32, shared>
// CHECK: %[[INCLUSIVE:.*]] = coll.scan warp add
// CHECK: coll.store{{ ?}}(%[[INCLUSIVE]]) to %[[TOTALS]]
// CHECK: coll.sync block
// CHECK: %[[TOTAL:.*]] = coll.load %[[TOTALS]]
// CHECK: %[[NOTHING:.*]] = arith.constant -0.000000e+00 : f32
// CHECK: %[[BEFORE:.*]] = coll.exclusive_scan warp add(%[[TOTAL]]) first(%[[NOTHING]] : f32)
// CHECK: %[[SEGMENT:.*]] = arith.shrui
// CHECK: %[[OWN:.*]] = coll.broadcast warp %[[BEFORE]] from %[[SEGMENT]]
// CHECK: arith.addf %[[OWN]], %[[INCLUSIVE]]
// CHECK-NOT: arith.select
// CHECK: coll.return
coll.kernel @scan workgroup [1024, 1, 1] grid [] extents [] params [] {
  %x = arith.constant 1.0 : f32
  %s = coll.scan block add(%x) : f32
  coll.return
}

// Up to 16 segments in a row of lanes.
// CHECK-LABEL: coll.kernel @scan_in_row
// CHECK: coll.exclusive_scan tile<16> add
coll.kernel @scan_in_row workgroup [256, 1, 1] grid [] extents [] params [] {
  %x = arith.constant 1.0 : f32
  %s = coll.scan block add(%x) : f32
  coll.return
}
