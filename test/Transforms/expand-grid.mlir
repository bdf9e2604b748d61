// Collectives of the grid are those of the block, and a barrier with an exchange through the workspace.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-expand-grid{target=sm_90}))' | FileCheck %s
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-expand-grid{target=gfx942}))' | FileCheck %s --check-prefix=AMD

// A barrier alone: the first thread counts its block at one of sixteen counters, and as many threads wait until the generation of
// each changes. AMD's waves order their accesses themselves.
// CHECK-LABEL: coll.kernel @barrier
// CHECK-SAME: workspace = "4096"
// CHECK: %[[OWN:.*]] = coll.workspace at %{{.*}} extent %{{.*}} : <?xi32, global>
// CHECK: %[[BEFORE:.*]] = coll.atomic_load relaxed device %[[OWN]][%{{.*}}]
// CHECK: coll.store(%[[BEFORE]]) to %[[VAR:.*]][]
// CHECK-NOT: coll.fence
// CHECK: coll.sync block
// CHECK: %[[FIRST:.*]] = arith.cmpi eq
// CHECK: coll.if %[[FIRST]] {
// CHECK: %[[STEP1:.*]] = arith.constant 1073741824 : i32
// CHECK: %[[STEP:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : i32
// CHECK: coll.atomic_rmw add release device %[[STEP]], %{{.*}}[%{{.*}}]
// CHECK: %[[OLD:.*]] = coll.load %[[VAR]][]
// CHECK: %[[SIXTEEN:.*]] = arith.constant 16 : i32
// CHECK: %[[WAITING:.*]] = arith.cmpi ult, %{{.*}}, %[[SIXTEEN]] : i32
// CHECK: coll.if %[[WAITING]] {
// CHECK: %[[USED:.*]] = arith.cmpi ult
// CHECK: coll.if %[[USED]] {
// CHECK: coll.loop {
// CHECK: %[[NOW:.*]] = coll.atomic_load acquire device
// CHECK: %[[CHANGED:.*]] = arith.xori %[[OLD]], %[[NOW]]
// CHECK: %[[WAITS:.*]] = arith.cmpi ult, %[[CHANGED]], %{{.*}}
// CHECK: coll.condition %[[WAITS]]
// CHECK: coll.pause
// CHECK: coll.atomic_rmw add relaxed device
// CHECK: %[[NEXT:.*]] = arith.addi %[[OLD]]
// CHECK: coll.store(%[[NEXT]]) to %[[VAR]][]
// CHECK: coll.sync block
// CHECK-NOT: coll.fence
// AMD-LABEL: coll.kernel @barrier
// AMD: coll.fence release device
// AMD: coll.sync block
// AMD: coll.atomic_rmw add release device
// AMD: coll.atomic_load relaxed device
// AMD: coll.fence acquire device
// AMD: coll.sync block
// AMD: coll.fence acquire device
coll.kernel @barrier workgroup [256, 1, 1] grid [] extents [] params [] {
  coll.sync grid
  coll.return
}

// Where the order does not matter, the threads share the blocks' results out. One barrier; a slot has two halves.
// CHECK-LABEL: coll.kernel @exact
// CHECK-SAME: workspace = "(+ 4096 (* 16 grid.count))"
// CHECK: coll.reduce block add(%{{.*}}) : i64
// CHECK: coll.workspace at %{{.*}} extent %{{.*}} : <?xi64, global>
// CHECK: coll.atomic_rmw add release device
// CHECK-NOT: coll.atomic_rmw add release
// CHECK: coll.reduce block add(%{{.*}}) : i64
coll.kernel @exact workgroup [256, 1, 1] grid [] extents [] params [] {
  %x = arith.constant 3 : i64
  %s = coll.reduce grid add(%x) : i64
  coll.return
}

// The tree: neighbours by threads, then a reduction of the block in which absent blocks count as -0.0.
// CHECK-LABEL: coll.kernel @tree
// CHECK-SAME: workspace = "(+ 4096 (* 8 grid.count))"
// CHECK: coll.reduce block add(%{{.*}}) : f32
// CHECK: math.ctlz
// CHECK: %[[NONE:.*]] = arith.constant -0.000000e+00 : f32
// CHECK: %[[OWN:.*]] = arith.select %{{.*}}, %{{.*}}, %[[NONE]] : f32
// CHECK: coll.reduce block add(%[[OWN]]) : f32
coll.kernel @tree workgroup [256, 1, 1] grid [] extents [] params [] {
  %x = arith.constant 3.0 : f32
  %s = coll.reduce grid add(%x) : f32
  coll.return
}

// An operator of the user's: a flag says which threads have a value. All leaves go through one exchange, larger ones first.
// CHECK-LABEL: coll.kernel @custom
// CHECK-SAME: workspace = "(+ 4096 (* 32 grid.count))"
// CHECK: coll.reduce block (%{{.*}}, %{{.*}}) : i8, f64 combiner
// CHECK-COUNT-1: coll.atomic_rmw add release device
// CHECK-NOT: coll.atomic_rmw add release
// CHECK: coll.reduce block (%{{.*}}, %{{.*}}, %{{.*}}) : i8, f64, i1 combiner
coll.kernel @custom workgroup [256, 1, 1] grid [] extents [] params [] {
  %a = arith.constant 3 : i8
  %b = arith.constant 3.0 : f64
  %s:2 = coll.reduce grid(%a, %b) : i8, f64 combiner {
  ^bb0(%la: i8, %lb: f64, %ra: i8, %rb: f64):
    %m = arith.addf %lb, %rb : f64
    coll.yield %ra, %m : i8, f64
  }
  coll.return
}

// A scan: the block's own, then the totals of the blocks before from left to right.
// CHECK-LABEL: coll.kernel @scan
// CHECK: coll.shared "totals"
// CHECK: coll.scan block add(%{{.*}}) : f32
// CHECK-COUNT-1: coll.atomic_rmw add release device
// CHECK-NOT: coll.atomic_rmw add release
coll.kernel @scan workgroup [32, 1, 1] grid [] extents [] params [] {
  %x = arith.constant 3.0 : f32
  %s = coll.scan grid add(%x) : f32
  coll.return
}

// A kernel without collectives of the grid has no workspace.
// CHECK-LABEL: coll.kernel @none workgroup [256, 1, 1] grid [] extents [] params [] {
coll.kernel @none workgroup [256, 1, 1] grid [] extents [] params [] {
  coll.sync block
  coll.return
}
