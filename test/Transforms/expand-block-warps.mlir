// Some warps of a block: their own scratch, and a barrier or a counter of their own.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-expand-block{target=sm_90}))' | FileCheck %s --check-prefixes=CHECK,NVIDIA
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-expand-block{target=gfx1100}))' | FileCheck %s --check-prefixes=CHECK,AMD

// Warps 1 to 3 of eight have three partials, the first of which is warp 1's.
// CHECK-LABEL: coll.kernel @three
// CHECK: coll.shared "partials" {alignment = 16 : i64} : <3xf32, shared>
// AMD: %[[COUNTERS:.*]] = coll.shared "arrivals" {alignment = 4 : i64} : <1xi32, shared>
// AMD: %[[DUE:.*]] = coll.var "due"
// AMD: coll.if
// AMD: coll.store(%{{.*}}) to %[[COUNTERS]]
// AMD: coll.sync block shared_only
// CHECK: coll.reduce warp add
// CHECK: %[[INDEX:.*]] = coll.index warp
// CHECK: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK: arith.subi %[[INDEX]], %[[ONE]]
// NVIDIA: coll.sync warps<32, 96> barrier 1
// One warp has come, and three must come in all.
// AMD: %[[BEFORE:.*]] = coll.load %[[DUE]]
// AMD: %[[THREE:.*]] = arith.constant 3 : i32
// AMD: %[[WANT:.*]] = arith.addi %[[BEFORE]], %[[THREE]] : i32
// AMD: coll.store(%[[WANT]]) to %[[DUE]]
// AMD: coll.fence release block
// AMD: coll.sync warp
// AMD: coll.atomic_rmw add relaxed block %{{.*}}, %[[COUNTERS]]
// AMD: coll.loop
// AMD: coll.atomic_load relaxed block %[[COUNTERS]]
// AMD: %[[SAME:.*]] = coll.broadcast warp
// AMD: %[[REST:.*]] = arith.subi %[[SAME]], %[[WANT]]
// AMD: arith.cmpi slt, %[[REST]]
// AMD: coll.pause
// AMD: coll.fence acquire block
coll.kernel @three workgroup [256, 1, 1] grid [] extents [] params [#coll.param<name = "f", access = read, isView = false, type = "f32", leaves = "f32">] {
^bb0(%x: f32):
  %s = coll.reduce warps<32, 96> add(%x) : f32
  coll.return
}

// CHECK-LABEL: coll.kernel @two
// NVIDIA: coll.sync warps<0, 64> barrier 1
// NVIDIA: coll.sync warps<64, 100> barrier 2
// NVIDIA: coll.sync warps<0, 64> barrier 1
// AMD: coll.shared "arrivals" {alignment = 4 : i64} : <2xi32, shared>
// AMD-COUNT-3: coll.atomic_rmw add
coll.kernel @two workgroup [164, 1, 1] grid [] extents [] params [] {
  coll.sync warps<0, 64>
  coll.sync warps<64, 100>
  coll.sync warps<0, 64>
  coll.return
}

// One warp is a warp.
// CHECK-LABEL: coll.kernel @one
// CHECK-NOT: coll.shared
// CHECK: coll.sync warp
// CHECK: coll.reduce warp add
coll.kernel @one workgroup [128, 1, 1] grid [] extents [] params [#coll.param<name = "f", access = read, isView = false, type = "f32", leaves = "f32">] {
^bb0(%x: f32):
  coll.sync warps<32, 32>
  %s = coll.reduce warps<32, 32> add(%x) : f32
  coll.return
}
