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

#endif // COLL_ANALYSIS_PASSES_TD
