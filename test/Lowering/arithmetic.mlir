// Total division, saturating conversion, minimumNumber; bf16 is rounded once.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll-lower{target=sm_75})' | FileCheck %s

// CHECK-LABEL: llvm.func @arithmetic
// CHECK-SAME: (%{{[^:]*}}: !llvm.ptr<1> {{{[^}]*}}}, %[[A:[^:]*]]: i32, %[[B:[^:]*]]: i32, %[[F:[^:]*]]: f32
// CHECK: %[[ZERO:.*]] = llvm.icmp "eq" %[[B]]
// CHECK: %[[MINUSONE:.*]] = llvm.icmp "eq" %[[B]]
// CHECK: %[[LEAST:.*]] = llvm.icmp "eq" %[[A]]
// CHECK: %[[OVERFLOW:.*]] = llvm.and %[[MINUSONE]], %[[LEAST]]
// CHECK: %[[UNSAFE:.*]] = llvm.or %[[ZERO]], %[[OVERFLOW]]
// CHECK: %[[DIVISOR:.*]] = llvm.select %[[UNSAFE]], %{{.*}}, %[[B]]
// CHECK: llvm.sdiv %[[A]], %[[DIVISOR]]
// CHECK: llvm.urem
// CHECK: llvm.call_intrinsic "llvm.fptosi.sat"(%[[F]]) : (f32) -> i32
// CHECK: llvm.call_intrinsic "llvm.minimumnum"(%[[F]], %[[F]])
// The low 12 bits become one that says whether they were all zero.
// CHECK: %[[FOLDED:.*]] = llvm.select %{{.*}}, %[[A]], %{{.*}} : i1, i32
// CHECK: %[[EXACT:.*]] = llvm.select %{{.*}}, %[[A]], %[[FOLDED]] : i1, i32
// CHECK: llvm.sitofp %[[EXACT]] : i32 to f32
// CHECK: llvm.fptrunc %{{.*}} : f32 to bf16
coll.kernel @arithmetic workgroup [64, 1, 1] grid [] extents ["n"]
    params [#coll.param<name = "y", access = mut, isView = true, type = "i32", leaves = "i32", dims = -1>,
            #coll.param<name = "a", access = read, isView = false, type = "i32", leaves = "i32">,
            #coll.param<name = "b", access = read, isView = false, type = "i32", leaves = "i32">,
            #coll.param<name = "f", access = read, isView = false, type = "f32", leaves = "f32">] {
^bb0(%y: !coll.view<?xi32, global>, %a: i32, %b: i32, %f: f32, %n: i64):
  %c0 = arith.constant 0 : i64
  %q = coll.div signed %a, %b : i32
  %r = coll.rem %a, %b : i32
  %i = coll.fptoint signed %f : f32 -> i32
  %m = coll.minnum %f, %f : f32
  %h = arith.sitofp %a : i32 to bf16
  %w = arith.extf %h : bf16 to f32
  %s = arith.addf %m, %w : f32
  %z = arith.bitcast %s : f32 to i32
  coll.store (%q) to %y[%c0] : (i32), !coll.view<?xi32, global>
  coll.store (%r) to %y[%c0] : (i32), !coll.view<?xi32, global>
  coll.store (%i) to %y[%c0] : (i32), !coll.view<?xi32, global>
  coll.store (%z) to %y[%c0] : (i32), !coll.view<?xi32, global>
  coll.return
}
