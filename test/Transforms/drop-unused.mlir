// Collectives whose results nobody reads go, and parts of them.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-drop-unused{target=sm_90}))' | FileCheck %s
// RUN: coll-opt %s -o /dev/null --pass-pipeline='builtin.module(coll.kernel(coll-drop-unused{target=sm_90 remarks=true}))' 2>&1 | FileCheck %s --check-prefix=REMARK

// With what was computed from them; a barrier stays.
// REMARK: remark: any over block, sm_90: unused result
// REMARK: remark: reduce over warp, sm_90: unused result
// CHECK-LABEL: coll.kernel @nobody
// CHECK-NOT: coll.{{reduce|vote}}
// CHECK: coll.sync block
// CHECK-NOT: coll.{{reduce|vote}}
coll.kernel @nobody workgroup [64, 1, 1] grid [] extents [] params [] {
  %r = coll.rank block
  %s = coll.reduce warp add(%r) : i32
  %c = arith.constant 3 : i32
  %p = arith.cmpi eq, %s, %c : i32
  %v = coll.vote any block %p
  coll.sync block
  coll.return
}

// Halves of a scan_total. 48 ranks of a float sum are no reduction.
// REMARK: remark: scan_total over block, sm_90: only the total is used
// REMARK: remark: scan_total over warp, sm_90: unused total
// CHECK-LABEL: coll.kernel @halves
// CHECK: %[[PREFIX:.*]] = coll.exclusive_scan warp add(%{{.*}}) first(%{{.*}} : f32) : f32
// CHECK: %[[TOTAL:.*]] = coll.reduce block add(%{{.*}}) : i32
// CHECK: %[[BOTH:.*]]:2 = coll.scan_total block add
// CHECK: coll.store(%[[PREFIX]])
// CHECK: coll.store(%[[BOTH]]#1)
// CHECK: coll.store(%[[TOTAL]])
coll.kernel @halves workgroup [48, 1, 1] grid [] extents [] params [] {
  %o = coll.shared "o" : !coll.view<f32, shared>
  %n = coll.shared "n" : !coll.view<i32, shared>
  %r = coll.rank block
  %f = arith.sitofp %r : i32 to f32
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : i32
  %p, %t = coll.scan_total warp add(%f) first(%zero : f32) : f32 -> f32, f32
  %q, %all = coll.scan_total block add(%r) first(%none : i32) : i32 -> i32, i32
  %s, %sum = coll.scan_total block add(%f) first(%zero : f32) : f32 -> f32, f32
  coll.store (%p) to %o[] : (f32), !coll.view<f32, shared>
  coll.store (%sum) to %o[] : (f32), !coll.view<f32, shared>
  coll.store (%all) to %n[] : (i32), !coll.view<i32, shared>
  coll.return
}

// Of 64 ranks the sum is one, in the order of an operator of the user's too.
// CHECK-LABEL: coll.kernel @power
// CHECK: coll.reduce block add(%{{.*}}) : f32
coll.kernel @power workgroup [64, 1, 1] grid [] extents [] params [] {
  %o = coll.shared "o" : !coll.view<f32, shared>
  %r = coll.rank block
  %f = arith.sitofp %r : i32 to f32
  %zero = arith.constant 0.0 : f32
  %s, %sum = coll.scan_total block add(%f) first(%zero : f32) : f32 -> f32, f32
  coll.store (%sum) to %o[] : (f32), !coll.view<f32, shared>
  coll.return
}

// The value of an integer arg_min is a minimum; among floats -0 equals +0.
// REMARK: remark: arg_min over block, sm_90: unused rank
// CHECK-LABEL: coll.kernel @values
// CHECK: coll.reduce block smin(%{{.*}}) : i32
// CHECK: coll.arg_reduce minnum block
coll.kernel @values workgroup [64, 1, 1] grid [] extents [] params [] {
  %o = coll.shared "o" : !coll.view<f32, shared>
  %n = coll.shared "n" : !coll.view<i32, shared>
  %r = coll.rank block
  %f = arith.sitofp %r : i32 to f32
  %v, %at = coll.arg_reduce smin block %r : i32
  %w, %place = coll.arg_reduce minnum block %f : f32
  coll.store (%v) to %n[] : (i32), !coll.view<i32, shared>
  coll.store (%w) to %o[] : (f32), !coll.view<f32, shared>
  coll.return
}

// The second member comes from the first two, the third from itself.
// REMARK: remark: reduce over warp, sm_90: unused members
// CHECK-LABEL: coll.kernel @members
// CHECK: %[[S:.*]]:2 = coll.reduce warp (%{{.*}}, %{{.*}}) : i32, i32 combiner {
// CHECK-NEXT: ^bb0(%[[LA:.*]]: i32, %[[LB:.*]]: i32, %[[RA:.*]]: i32, %[[RB:.*]]: i32):
// CHECK-NEXT: %[[A:.*]] = arith.addi %[[LA]], %[[RA]] : i32
// CHECK-NEXT: %[[M:.*]] = arith.muli %[[LA]], %[[RB]] : i32
// CHECK-NEXT: %[[B:.*]] = arith.addi %[[LB]], %[[M]] : i32
// CHECK-NEXT: coll.yield %[[A]], %[[B]] : i32, i32
// CHECK: coll.store(%[[S]]#1)
coll.kernel @members workgroup [64, 1, 1] grid [] extents [] params [] {
  %n = coll.shared "n" : !coll.view<i32, shared>
  %r = coll.rank block
  %i = coll.index warp
  %s:3 = coll.reduce warp (%r, %i, %r) : i32, i32, i32 combiner {
  ^bb0(%la: i32, %lb: i32, %lc: i32, %ra: i32, %rb: i32, %rc: i32):
    %t:3 = coll.inline "join" -> i32, i32, i32 {
      %a = arith.addi %la, %ra : i32
      %m = arith.muli %la, %rb : i32
      %b = arith.addi %lb, %m : i32
      %c = arith.muli %lc, %rc : i32
      coll.return %a, %b, %c : i32, i32, i32
    }
    coll.yield %t#0, %t#1, %t#2 : i32, i32, i32
  }
  coll.store (%s#1) to %n[] : (i32), !coll.view<i32, shared>
  coll.return
}

// An operator that may stop the program stays.
// CHECK-LABEL: coll.kernel @stops
// CHECK: coll.reduce warp (%{{.*}}) : i32 combiner
coll.kernel @stops workgroup [64, 1, 1] grid [] extents [] params [] {
  %r = coll.rank block
  %s = coll.reduce warp (%r) : i32 combiner {
  ^bb0(%l: i32, %h: i32):
    %yes = arith.cmpi slt, %l, %h : i32
    coll.assert %yes, "rises" signs []
    coll.yield %h : i32
  }
  coll.return
}
