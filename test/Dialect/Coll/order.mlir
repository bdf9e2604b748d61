// RUN: coll-opt %s | coll-opt | FileCheck %s
// Collectives that order and rearrange are printed and read back.

// CHECK-LABEL: coll.kernel @order
coll.kernel @order workgroup [64, 1, 1] grid [] extents []
    params [#coll.param<name = "f", access = read, isView = false, type = "f32", leaves = "f32">,
            #coll.param<name = "i", access = read, isView = false, type = "i32", leaves = "i32">] {
^bb0(%f: f32, %i: i32):
  // CHECK: coll.sort block signed(%{{.*}}, %{{.*}}) : i32, i32 -> i32, i32
  %0:2 = coll.sort block signed (%i, %i) : i32, i32 -> i32, i32
  // CHECK: coll.sort warp descending(%{{.*}}) values(%{{.*}}, %{{.*}} : i32, f32) : f32 -> f32, i32, f32
  %1:3 = coll.sort warp descending (%f) values(%i, %f : i32, f32) : f32 -> f32, i32, f32
  // CHECK: coll.top_k tile<8>(%{{.*}}) : f32 -> f32, f32, i32, i32
  %2:4 = coll.top_k tile<8> (%f) : f32 -> f32, f32, i32, i32
  // CHECK: coll.exchange block(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) to %{{.*}}, %{{.*}} : f32, i32, f32, i32
  %3:4 = coll.exchange block (%f, %i, %f, %i) to %i, %i : f32, i32, f32, i32
  %counts = coll.shared "counts" : !coll.view<256xi64, shared>
  %bin = arith.constant 7 : i64
  // CHECK: coll.histogram warp %{{.*}}[%{{.*}}, %{{.*}}] : <256xi64, shared>
  coll.histogram warp %counts[%bin, %bin] : !coll.view<256xi64, shared>
  // CHECK: coll.arrive block
  coll.arrive block
  // CHECK: coll.wait block
  coll.wait block
  coll.return
}
