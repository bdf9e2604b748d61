// Early exits of every kind become branches; the latch carries the unrolling.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll-lower{target=sm_90})' | FileCheck %s

// CHECK-DAG: #[[UNROLL:.*]] = #llvm.loop_unroll<count = 4 : i32>
// CHECK-DAG: #[[LOOP:.*]] = #llvm.loop_annotation<unroll = #[[UNROLL]]>
// CHECK-LABEL: llvm.func @exits
// CHECK: llvm.br ^[[COND:bb[0-9]+]]
// CHECK: ^[[COND]]:
// CHECK: llvm.cond_br %{{.*}}, ^[[BODY:bb[0-9]+]], ^[[REST:bb[0-9]+]]
// CHECK: ^[[BODY]]:
// CHECK: llvm.cond_br %{{.*}}, ^[[BREAK:bb[0-9]+]], ^[[ELSE:bb[0-9]+]]
// CHECK: ^[[BREAK]]:
// CHECK-NEXT: llvm.br ^[[REST]]
// CHECK: ^[[ELSE]]:
// CHECK: llvm.cond_br %{{.*}}, ^[[LEAVE:bb[0-9]+]], ^[[CONTINUE:bb[0-9]+]]
// CHECK: ^[[LEAVE]]:
// CHECK-NEXT: llvm.return
// CHECK: ^[[CONTINUE]]:
// CHECK-NEXT: llvm.br ^[[STEP:bb[0-9]+]]
// CHECK: ^[[STEP]]:
// CHECK-NEXT: llvm.br ^[[COND]] {loop_annotation = #[[LOOP]]}
// CHECK: ^[[REST]]:
// CHECK: llvm.br ^[[JOIN:bb[0-9]+]](%{{.*}} : i32)
// CHECK: ^[[JOIN]](%{{.*}}: i32):
coll.kernel @exits workgroup [64, 1, 1] grid [] extents ["n"]
    params [#coll.param<name = "y", access = mut, isView = true, type = "i32", leaves = "i32", dims = -1>,
            #coll.param<name = "p", access = read, isView = false, type = "bool", leaves = "bool">,
            #coll.param<name = "q", access = read, isView = false, type = "bool", leaves = "bool">] {
^bb0(%y: !coll.view<?xi32, global>, %p: i1, %q: i1, %n: i64):
  %c0 = arith.constant 0 : i64
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  coll.loop attributes {unroll = 4 : i32} {
    coll.condition %p
  } do {
    coll.if %q {
      coll.break
    } else {
      coll.if %p { coll.return }
      coll.continue
    }
    coll.yield
  } step {
    coll.yield
  }
  %r = coll.inline "f" -> i32 {
    coll.if %p { coll.return %one : i32 }
    coll.return %two : i32
  }
  coll.store (%r) to %y[%c0] : (i32), !coll.view<?xi32, global>
  coll.return
}
