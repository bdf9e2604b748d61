//===- Passes.td - Passes from the coll dialect to itself ------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_TRANSFORMS_PASSES_TD
#define COLL_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ExpandArgReduce : Pass<"coll-expand-arg-reduce", "::coll::ir::KernelOp"> {
  let summary = "Write arg_reduce as a reduction of (value, rank)";
  let description = [{
    The combiner takes the better value, a number before a NaN, and among equals
    the lower rank. It is commutative, so every plan may be used.

    Before:
    ```mlir
    %v, %r = coll.arg_reduce smax warp %x : i32
    ```
    After:
    ```mlir
    %rank = coll.rank warp
    %v, %r = coll.reduce warp(%x, %rank) commutative : i32, i32 combiner {
    ^bb0(%lv: i32, %lr: i32, %rv: i32, %rr: i32):
      ...
      coll.yield %value, %lowest : i32, i32
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ExpandReverse : Pass<"coll-expand-reverse", "::coll::ir::KernelOp"> {
  let summary = "Write a reverse scan as a scan between two reversals";
  let description = [{
    Rank r takes the value of rank `size - 1 - r`, scans, and takes the result
    back. So every later stage knows scans of ascending ranks only, and a
    reversed order has its segments where docs/semantics.md wants them, also in
    groups that are not full.

    Before:
    ```mlir
    %p = coll.scan warp add(%x) reverse : i32
    ```
    After:
    ```mlir
    %m = coll.shuffle idx warp %x by %opposite : i32
    %s = coll.scan warp add(%m) : i32
    %p = coll.shuffle idx warp %s by %opposite : i32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ExpandBlock : Pass<"coll-expand-block", "::coll::ir::KernelOp"> {
  let summary = "Write block collectives as warp collectives and shared memory";
  let description = [{
    Each warp carries out its part; one lane a warp stores it to shared memory;
    after one barrier every thread combines the parts in the order that
    docs/semantics.md asks for. A site in a loop has two halves of scratch that
    it uses in turn: the barrier of the next trip separates this trip's reads
    from the writes of the trip after it. A block of one warp needs none of
    this: its collectives become the warp's. Votes over the block stay for
    NVIDIA targets, whose barrier carries them out.

    Before:
    ```mlir
    %s = coll.reduce block add(%x) : f32
    ```
    After (64 threads, warps of 32):
    ```mlir
    %parts = coll.shared "partials" {alignment = 16} : !coll.view<2xf32, shared>
    %w = coll.reduce warp add(%x) : f32
    coll.if %is_first_lane {
      coll.store (%w) to %parts[%warp] : (f32), !coll.view<2xf32, shared>
      coll.yield
    }
    coll.sync block
    %a = coll.load %parts[%c0] : !coll.view<2xf32, shared> -> f32
    %b = coll.load %parts[%c1] : !coll.view<2xf32, shared> -> f32
    %s = arith.addf %a, %b : f32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::vector::VectorDialect"];
  let options = [
    Option<"target", "target", "std::string", "", "the chip, as in `sm_90` or `gfx1100:64`">];
}

def ExpandThread : Pass<"coll-expand-thread", "::coll::ir::KernelOp"> {
  let summary = "Remove collectives of groups of one thread";
  let description = [{
    Collectives of `thread` and `tile<1>` give their operands or constants.

    Before:
    ```mlir
    %s = coll.reduce thread add(%x) : f32
    %n = coll.population tile<1> %p
    ```
    After: `%s` is `%x`, and
    ```mlir
    %n = arith.extui %p : i1 to i32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

#endif // COLL_TRANSFORMS_PASSES_TD
