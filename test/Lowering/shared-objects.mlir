// Shared arrays are globals of their own, overlays of one name are parts of one.
// RUN: coll-opt %s --split-input-file --pass-pipeline='builtin.module(coll-lower{target=sm_90})' | FileCheck %s
// RUN: coll-opt %s --split-input-file --pass-pipeline='builtin.module(coll-lower{target=gfx950})' | FileCheck %s --check-prefix=AMD

// The larger end of the overlays is the size, 64 + 8 * 16 bytes.
// CHECK: llvm.mlir.global internal @overlays$own() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<64 x i8>
// CHECK: llvm.mlir.global internal @overlays$list() {addr_space = 3 : i32, alignment = 32 : i64} : !llvm.array<192 x i8>
// CHECK-LABEL: llvm.func @overlays
// CHECK-NOT: coll.launch_shared
// CHECK: %[[LIST:.*]] = llvm.mlir.addressof @overlays$list
// CHECK: llvm.getelementptr inbounds %[[LIST]][64] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
coll.kernel @overlays workgroup [64, 1, 1] grid [] extents [] params [] {
  %own = coll.shared "own" : !coll.view<16xi32, shared>
  %a = coll.shared "list" overlay 0 {alignment = 32 : i64} : !coll.view<32xi32, shared>
  %b = coll.shared "list" overlay 64 : !coll.view<16xi64, shared>
  %i = arith.constant 3 : i64
  %x = coll.load %own[%i] : !coll.view<16xi32, shared> -> i32
  coll.store (%x) to %a[%i] : (i32), !coll.view<32xi32, shared>
  coll.store (%i) to %b[%i] : (i64), !coll.view<16xi64, shared>
  coll.return
}

// -----

// More than 48 KiB: one variable without a size, and the launch adds 60000 bytes,
// up to the next multiple of 64, and 16.
// CHECK-NOT: llvm.mlir.global internal
// CHECK: llvm.mlir.global external @large$shared() {addr_space = 3 : i32, alignment = 64 : i64} : !llvm.array<0 x i8>
// CHECK-NOT: llvm.mlir.global
// CHECK-LABEL: llvm.func @large
// CHECK-SAME: coll.launch_shared = 60048 : i64
// CHECK: %[[ALL:.*]] = llvm.mlir.addressof @large$shared
// CHECK: llvm.getelementptr inbounds %[[ALL]][60032] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
// AMD: llvm.mlir.global internal @large$words() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<60000 x i8>
// AMD: llvm.mlir.global internal @large$last() {addr_space = 3 : i32, alignment = 64 : i64} : !llvm.array<16 x i8>
// AMD-NOT: coll.launch_shared
coll.kernel @large workgroup [64, 1, 1] grid [] extents [] params [] {
  %words = coll.shared "words" : !coll.view<15000xi32, shared>
  %last = coll.shared "last" {alignment = 64 : i64} : !coll.view<1xi64, shared>
  %i = arith.constant 0 : i64
  %x = arith.constant 1 : i32
  coll.store (%x) to %words[%i] : (i32), !coll.view<15000xi32, shared>
  coll.store (%i) to %last[%i] : (i64), !coll.view<1xi64, shared>
  coll.return
}

// -----

// An array that the launch sizes is the last one.
// CHECK: llvm.mlir.global external @sized$shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
// CHECK-LABEL: llvm.func @sized
// CHECK-SAME: coll.launch_shared = 60016 : i64
// CHECK: llvm.getelementptr inbounds %{{.*}}[60016] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
coll.kernel @sized workgroup [64, 1, 1] grid [] extents ["n"] params [] {
^bb0(%n: i64):
  %more = coll.shared "more"(%n) bytes "(* n 4)" : !coll.view<?xi32, shared>
  %words = coll.shared "words" : !coll.view<15001xi32, shared>
  %i = arith.constant 0 : i64
  %x = arith.constant 1 : i32
  coll.store (%x) to %words[%i] : (i32), !coll.view<15001xi32, shared>
  coll.store (%x) to %more[%i] : (i32), !coll.view<?xi32, shared>
  coll.return
}

// -----

// Ten bytes may be read as sixteen.
// CHECK: llvm.mlir.global internal @bytes$flags() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<16 x i8>
coll.kernel @bytes workgroup [64, 1, 1] grid [] extents [] params [] {
  %flags = coll.shared "flags" : !coll.view<10xi8, shared>
  %i = arith.constant 0 : i64
  %x = arith.constant 1 : i8
  coll.store (%x) to %flags[%i] : (i8), !coll.view<10xi8, shared>
  coll.return
}
