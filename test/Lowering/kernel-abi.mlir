// Parameters in order, then extents; a bool is a byte; what may be assumed of
// pointers depends on what the kernel does with them.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll-lower{target=sm_90})' | FileCheck %s --check-prefixes=CHECK,NVIDIA
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll-lower{target=gfx942})' | FileCheck %s --check-prefixes=CHECK,AMD

// CHECK: llvm.func @plain(%{{.*}}: !llvm.ptr<1> {llvm.align = 4 : i64, llvm.noalias, llvm.readonly}, %{{.*}}: !llvm.ptr<1> {llvm.align = 4 : i64, llvm.noalias}, %[[FLAG:.*]]: i8, %{{.*}}: f64, %{{.*}}: i64)
// NVIDIA-SAME: nvvm.kernel, nvvm.reqntid = array<i32: 64, 2, 1>
// AMD-SAME: rocdl.flat_work_group_size = "128,128", rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 64, 2, 1>, rocdl.uniform_work_group_size = true
// CHECK: llvm.icmp "ne" %[[FLAG]]
// CHECK-NOT: coll
coll.kernel @plain workgroup [64, 2, 1] grid [] extents ["n"]
    params [#coll.param<name = "x", access = read, isView = true, type = "f32", leaves = "f32", dims = -1>,
            #coll.param<name = "y", access = mut, isView = true, type = "f32", leaves = "f32", dims = -1>,
            #coll.param<name = "flag", access = read, isView = false, type = "bool", leaves = "bool">,
            #coll.param<name = "s", access = read, isView = false, type = "f64", leaves = "f64">] {
^bb0(%x: !coll.view<?xf32, global>, %y: !coll.view<?xf32, global>, %flag: i1, %s: f64, %n: i64):
  coll.if %flag { coll.trap coll.yield }
  coll.return
}

// An inout view may be another parameter's buffer.
// CHECK: llvm.func @inout(%{{.*}}: !llvm.ptr<1> {llvm.align = 4 : i64, llvm.readonly}, %{{.*}}: !llvm.ptr<1> {llvm.align = 4 : i64}, %{{.*}}: i64)
coll.kernel @inout workgroup [64, 1, 1] grid [] extents ["n"]
    params [#coll.param<name = "x", access = read, isView = true, type = "f32", leaves = "f32", dims = -1>,
            #coll.param<name = "y", access = inout, isView = true, type = "f32", leaves = "f32", dims = -1>] {
^bb0(%x: !coll.view<?xf32, global>, %y: !coll.view<?xf32, global>, %n: i64):
  coll.return
}

// To LLVM, no barrier and no fence sees memory behind a noalias argument, so what is written there must not be
// one where they order accesses of global memory.
// CHECK: llvm.func @ordered(%{{.*}}: !llvm.ptr<1> {llvm.align = 4 : i64, llvm.noalias, llvm.readonly}, %{{.*}}: !llvm.ptr<1> {llvm.align = 4 : i64}, %{{.*}}: i64)
coll.kernel @ordered workgroup [64, 1, 1] grid [] extents ["n"]
    params [#coll.param<name = "x", access = read, isView = true, type = "f32", leaves = "f32", dims = -1>,
            #coll.param<name = "y", access = mut, isView = true, type = "f32", leaves = "f32", dims = -1>] {
^bb0(%x: !coll.view<?xf32, global>, %y: !coll.view<?xf32, global>, %n: i64):
  coll.sync block
  coll.return
}

// CHECK: llvm.func @fenced(%{{.*}}: !llvm.ptr<1> {llvm.align = 4 : i64}, %{{.*}}: i64)
coll.kernel @fenced workgroup [64, 1, 1] grid [] extents ["n"]
    params [#coll.param<name = "y", access = mut, isView = true, type = "f32", leaves = "f32", dims = -1>] {
^bb0(%y: !coll.view<?xf32, global>, %n: i64):
  coll.fence acq_rel device
  coll.return
}

// Barriers of the compiler's own are for shared memory only.
// CHECK: llvm.func @reduced(%{{.*}}: !llvm.ptr<1> {llvm.align = 4 : i64, llvm.noalias}, %{{.*}}: i64)
coll.kernel @reduced workgroup [256, 1, 1] grid [] extents ["n"]
    params [#coll.param<name = "y", access = mut, isView = true, type = "i32", leaves = "i32", dims = -1>] {
^bb0(%y: !coll.view<?xi32, global>, %n: i64):
  %zero = arith.constant 0 : i64
  %rank = coll.rank block
  %sum = coll.reduce block add(%rank) : i32
  coll.store(%sum) to %y[%zero] : (i32), !coll.view<?xi32, global>
  coll.return
}
