// Lists that do not fit a chip's shared memory pass through it by as many of their scalars at a time as do.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-expand-order{target=gfx90a}))' | FileCheck %s
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-expand-order{target=sm_90}))' | FileCheck %s --check-prefix=WHOLE

// Of 65536 bytes the kernel's array leaves 34 a thread: the first two scalars have these, and the third has the
// same memory after a barrier. None follows the last loads.
// CHECK-LABEL: coll.kernel @exchange
// CHECK-DAG: %[[FIRST:.*]] = coll.shared "list" overlay 0 {{.*}} : <1088xvector<4xi64>, shared>
// CHECK-DAG: %[[SECOND:.*]] = coll.shared "list" overlay 32768 {{.*}} : <1024xi16, shared>
// CHECK-DAG: %[[THIRD:.*]] = coll.shared "list" overlay 0 {{.*}} : <17408xi16, shared>
// CHECK-NOT: coll.sync
// CHECK: coll.store(%{{.*}}) to %[[FIRST]]
// CHECK-NOT: coll.sync
// CHECK: coll.store(%{{.*}}) to %[[SECOND]]
// CHECK-NEXT: coll.sync block
// CHECK-NOT: coll.s
// CHECK: coll.load %[[FIRST]]
// CHECK-NOT: coll.s
// CHECK: coll.load %[[SECOND]]
// CHECK-NEXT: coll.sync block
// CHECK-NOT: coll.sync
// CHECK: coll.store(%{{.*}}) to %[[THIRD]]
// CHECK-NEXT: coll.sync block
// CHECK-NOT: coll.s
// CHECK: coll.load %[[THIRD]]
// CHECK-NEXT: coll.return
// WHOLE-LABEL: coll.kernel @exchange
// WHOLE-COUNT-3: coll.store
// WHOLE-NEXT: coll.sync
// WHOLE-COUNT-3: coll.load
// WHOLE-NEXT: coll.return
coll.kernel @exchange workgroup [1024, 1, 1] grid [] extents [] params [] {
  %others = coll.shared "others" : <7500xi32, shared>
  %w = arith.constant dense<1> : vector<4xi64>
  %h = arith.constant 1 : i16
  %p = coll.rank block
  %y:3 = coll.exchange block (%w, %h, %h) to %p : vector<4xi64>, i16, i16
  coll.return
}

// 34 bytes a thread just fit.
// CHECK-LABEL: coll.kernel @fits
// CHECK-COUNT-2: coll.store
// CHECK-NEXT: coll.sync
// CHECK-COUNT-2: coll.load
// CHECK-NEXT: coll.return
coll.kernel @fits workgroup [1024, 1, 1] grid [] extents [] params [] {
  %others = coll.shared "others" : <7500xi32, shared>
  %w = arith.constant dense<1> : vector<4xi64>
  %h = arith.constant 1 : i16
  %p = coll.rank block
  %y:2 = coll.exchange block (%w, %h) to %p : vector<4xi64>, i16
  coll.return
}

// The step of a network between 16 waves, with keys and places apart: each half of a step waits for the one before.
// Two halves of memory are no more than one here, so that a barrier ends the step, too.
// CHECK-LABEL: coll.kernel @network
// CHECK-NOT: coll.sync
// CHECK: coll.store(%{{.*}}) to %{{.*}} : (i64)
// CHECK-NEXT: coll.sync block
// CHECK: coll.load %{{.*}} -> i64
// CHECK-NEXT: coll.sync block
// CHECK: coll.store(%{{.*}}) to %{{.*}} : (i32)
// CHECK-NEXT: coll.sync block
// CHECK: coll.load %{{.*}} -> i32
// CHECK-NEXT: coll.sync block
// WHOLE-LABEL: coll.kernel @network
// WHOLE: coll.store(%{{.*}}) to %{{.*}} : (i64)
// WHOLE-NOT: coll.sync
// WHOLE: coll.store(%{{.*}}) to %{{.*}} : (i32)
// WHOLE-NEXT: coll.sync block
coll.kernel @network workgroup [1024, 1, 1] grid [] extents [] params [] {
  %others = coll.shared "others" : <14000xi32, shared>
  %x = arith.constant 1 : i64
  %v = arith.constant 1 : i8
  %y:2 = coll.sort block (%x) values(%v : i8) : i64 -> i64, i8
  coll.return
}

// The vector alone does not fit: nothing is done one after the other, and the error comes later.
// CHECK-LABEL: coll.kernel @one
// CHECK-COUNT-2: coll.store
// CHECK-NEXT: coll.sync
// CHECK-COUNT-2: coll.load
// CHECK-NEXT: coll.return
coll.kernel @one workgroup [1024, 1, 1] grid [] extents [] params [] {
  %others = coll.shared "others" : <9000xi32, shared>
  %w = arith.constant dense<1> : vector<4xi64>
  %h = arith.constant 1 : i16
  %p = coll.rank block
  %y:2 = coll.exchange block (%w, %h) to %p : vector<4xi64>, i16
  coll.return
}
