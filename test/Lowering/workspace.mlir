// A kernel with collectives of the grid takes a pointer to its workspace last; the function says how large it is.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll-lower{target=sm_90})' | FileCheck %s
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll-lower{target=gfx942})' | FileCheck %s

// CHECK: llvm.func @waits(%{{.*}}: !llvm.ptr<1> {llvm.align = 4 : i64}, %{{.*}}: i64, %[[WORKSPACE:.*]]: !llvm.ptr<1> {llvm.align = 256 : i64})
// CHECK-SAME: coll.workspace = "4096"
// CHECK: llvm.getelementptr inbounds %[[WORKSPACE]]
// CHECK: llvm.load %{{.*}} atomic syncscope("{{device|agent}}") monotonic
coll.kernel @waits workgroup [64, 2, 1] grid [] extents ["n"]
    params [#coll.param<name = "y", access = mut, isView = true, type = "f32", leaves = "f32", dims = -1>] {
^bb0(%y: !coll.view<?xf32, global>, %n: i64):
  coll.sync grid
  coll.return
}

// CHECK: llvm.func @plain(%{{.*}}: i64) attributes
// CHECK-NOT: coll.workspace
coll.kernel @plain workgroup [64, 2, 1] grid [] extents ["n"] params [] {
^bb0(%n: i64):
  coll.sync block
  coll.return
}
