//===- Passes.td - Passes from the coll dialect to LLVM's -----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LOWERING_PASSES_TD
#define COLL_LOWERING_PASSES_TD

include "mlir/Pass/PassBase.td"

class Coll_TargetOption
    : Option<"target", "target", "std::string", "", "the chip, as in `sm_90` or `gfx1100:64`">;

def LowerCollectives : Pass<"coll-lower-collectives", "::coll::ir::KernelOp"> {
  let summary = "Carry out collectives of warps and tiles by the chip's instructions";
  let description = [{
    Reductions, scans and shuffles by a constant follow the plan that `choosePlan`
    gives for the chip; the operator's region is copied to each combination.
    Votes, matches, other shuffles and barriers become the instructions that do
    them. Control flow is still structured.

    Before:
    ```mlir
    %n = coll.reduce tile<2> add(%x) : i32
    ```
    After (sm_90):
    ```mlir
    %m = nvvm.shfl.sync bfly %members, %x, %c1, %c31 : i32 -> i32
    %n = arith.addi %m, %x : i32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::vector::VectorDialect"];
  let options = [
    Coll_TargetOption<>,
    Option<"strategy", "strategy", "std::string", "", "a strategy to take wherever it applies">,
    Option<"remarks", "remarks", "bool", "false", "say for each plan what was taken, its cost, and what was not">];
}

def LowerKernels : Pass<"coll-lower-kernels", "::mlir::ModuleOp"> {
  let summary = "Make kernels functions with branches and pointers";
  let description = [{
    A kernel becomes an `llvm.func` with the parameters that docs/design.md
    lists. Views become addresses: their extents and strides are values beside
    the pointer and do not exist in memory. Atomics and fences get the chip's
    form, and structured control flow becomes branches.

    Before:
    ```mlir
    coll.kernel @zero workgroup [64, 1, 1] grid [] extents ["n"]
        params [#coll.param<name = "x", access = mut, isView = true, type = "i32", leaves = "i32", dims = -1>] {
    ^bb0(%x: !coll.view<?xi32, global>, %n: i64):
      coll.store (%zero) to %x[%i] : (i32), !coll.view<?xi32, global>
      coll.return
    }
    ```
    After (sm_90):
    ```mlir
    llvm.func @zero(%x: !llvm.ptr<1> {llvm.noalias}, %n: i64) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
      %offset = arith.muli %i, %c4 : i64
      %p = llvm.getelementptr inbounds %x[%offset] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
      llvm.store %zero, %p {alignment = 4 : i64} : i32, !llvm.ptr<1>
      llvm.return
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect"];
  let options = [
    Coll_TargetOption<>,
    Option<"bounds", "bounds", "bool", "false", "trap where an index is out of its view's extent">];
}

def ConvertToLLVM : Pass<"coll-convert-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Convert what is left to the LLVM dialect";
  let description = [{
    Arithmetic, vectors, and the positions of threads. Afterwards the module has
    operations of `llvm`, `nvvm` and `rocdl` only; anything else is an error that
    names it.

    Before:
    ```mlir
    %q = coll.div %a, %b : i32
    ```
    After:
    ```mlir
    %is_zero = llvm.icmp "eq" %b, %c0 : i32
    %divisor = llvm.select %is_zero, %c1, %b : i1, i32
    %q = llvm.udiv %a, %divisor : i32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect"];
  let options = [Coll_TargetOption<>];
}

#endif // COLL_LOWERING_PASSES_TD
