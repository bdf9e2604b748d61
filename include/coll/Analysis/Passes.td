//===- Passes.td - Passes that check the coll dialect ---------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_ANALYSIS_PASSES_TD
#define COLL_ANALYSIS_PASSES_TD

include "mlir/Pass/PassBase.td"

def VerifyUniformity : Pass<"coll-verify-uniformity", "::mlir::ModuleOp"> {
  let summary = "Reject collectives that a part of their group may not reach";
  let description = [{
    Every thread of a group executes the group's collectives. A collective under
    a branch, in a loop, or after a return or break is accepted only if what
    decides there is the same in all threads of the group. The pass changes
    nothing. It rejects this:

    ```mlir
    %rank = coll.rank block
    %c = arith.cmpi slt, %rank, %n : i32
    coll.if %c {
      %s = coll.reduce block add(%x) : f32
      coll.yield
    }
    ```

    `error: block.reduce is not reached by every thread of the block`, with notes
    at the branch and at `coll.rank`.
  }];
  let options = [
    Option<"warpSize", "warp-size", "unsigned", "32", "threads of a warp: 32 or 64">];
}

def VerifySplitBarriers : Pass<"coll-verify-split-barriers", "::mlir::ModuleOp"> {
  let summary = "Reject halves of barriers that are out of turn";
  let description = [{
    A thread executes `coll.arrive` and `coll.wait` of a group in turn, and ends
    after a wait. The pass changes nothing. What is wrong in every execution that
    comes there is an error, what may be is a warning. It rejects this:

    ```mlir
    coll.arrive block
    coll.arrive block
    coll.wait block
    ```

    `error: block.arrive follows another without a wait between`, with a note at
    the first one.
  }];
  let options = [
    Option<"warpSize", "warp-size", "unsigned", "32", "threads of a warp: 32 or 64">];
}

def VerifyOperands : Pass<"coll-verify-operands", "::mlir::ModuleOp"> {
  let summary = "Reject ranks, places and bins that do not exist";
  let description = [{
    Operands of collectives that are constants, or computed from constants and
    ranks, are known in each thread of the block. The pass changes nothing. What
    it knows to be outside of the group, or of the array of counts, is an error,
    and so are places of an exchange that are no permutation. It rejects this:

    ```mlir
    %c64 = arith.constant 64 : i32
    %y = coll.broadcast block %x from %c64 : i32
    ```

    in a block of 64: `error: block.broadcast reaches outside the group: rank 64,
    but a block of kernel 'k' has 64 ranks`.
  }];
  let options = [
    Option<"warpSize", "warp-size", "unsigned", "32", "threads of a warp: 32 or 64">];
}

#endif // COLL_ANALYSIS_PASSES_TD
