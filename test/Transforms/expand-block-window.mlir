// A scan of few segments: every thread combines the totals before its own, which
// stand after as many values that change no bit as can be missing.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-expand-block{target=sm_90}))' | FileCheck %s

// Three totals before the last segment at most: t0, (t1 t2), in that order.
// CHECK-LABEL: coll.kernel @sum
// CHECK: %[[T:.*]] = coll.shared "partials" {alignment = 16 : i64} : {{(!coll.view)?}}<7xf32, shared>
// CHECK: %[[R:.*]] = coll.rank block
// CHECK: %[[PAD:.*]] = arith.cmpi ult, %[[R]], %c3_i32
// CHECK: coll.if %[[PAD]]
// CHECK: %[[NEUTRAL:.*]] = arith.constant -0.000000e+00 : f32
// CHECK: coll.store(%[[NEUTRAL]]) to %[[T]]
// CHECK: %[[IN:.*]] = coll.scan warp add(%{{.*}}) : f32
// CHECK: coll.store(%[[IN]]) to %[[T]]
// CHECK: coll.sync block
// CHECK: %[[A:.*]] = coll.load %[[T]]
// CHECK: %[[B:.*]] = coll.load %[[T]]
// CHECK: %[[C:.*]] = coll.load %[[T]]
// CHECK: %[[BC:.*]] = arith.addf %[[B]], %[[C]]
// CHECK: %[[BEFORE:.*]] = arith.addf %[[A]], %[[BC]]
// CHECK: arith.addf %[[BEFORE]], %[[IN]]
// CHECK-NOT: coll.sync
// CHECK: coll.return
coll.kernel @sum workgroup [100, 1, 1] grid [] extents [] params [] {
  %x = arith.constant 1.0 : f32
  %s = coll.scan block add(%x) : f32
  coll.return
}

// A user's operator has no such value.
// CHECK-LABEL: coll.kernel @user
// CHECK: coll.shared "partials" {alignment = 16 : i64} : {{(!coll.view)?}}<4xf32, shared>
coll.kernel @user workgroup [128, 1, 1] grid [] extents [] params [] {
  %x = arith.constant 1.0 : f32
  %s = coll.scan block (%x) : f32 combiner {
  ^bb0(%a: f32, %b: f32):
    %r = arith.subf %a, %b : f32
    coll.yield %r : f32
  }
  coll.return
}
