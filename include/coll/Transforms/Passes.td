//===- Passes.td - Passes from the coll dialect to itself -----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_TRANSFORMS_PASSES_TD
#define COLL_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def DropUnused : Pass<"coll-drop-unused", "::coll::ir::KernelOp"> {
  let summary = "Drop collectives, and parts of them, that nobody reads";
  let description = [{
    Collectives other than barriers whose results are unused, leaves of an
    operator that no used one comes from, and the half of a `coll.scan_total` that is unused. An integer
    `coll.arg_reduce` of which only the value is read is a reduction. What may
    stop the program in an operator keeps its collective.

    Before:
    ```mlir
    %p, %t = coll.scan_total block add(%x) first(%zero : i32) : i32 -> i32, i32
    ```
    After, where `%p` is unused:
    ```mlir
    %t = coll.reduce block add(%x) : i32
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "", "the chip, as in `sm_90` or `gfx1100:64`">,
    Option<"remarks", "remarks", "bool", "false", "say what was dropped">];
}

def UniformOperands : Pass<"coll-uniform-operands", "::coll::ir::KernelOp"> {
  let summary = "Carry out collectives of values that all ranks have without an exchange";
  let description = [{
    Where an operand is proved to be the same in all ranks of the group. A
    reduction by any operator combines the value with itself, once for each level
    of the tree; integer sums are products, idempotent operators give the value.

    Before:
    ```mlir
    %s = coll.reduce warp add(%c) : i32
    %p = coll.scan warp max(%c) : i32
    ```
    After (a block of 256):
    ```mlir
    %s = arith.muli %c, %c32 : i32
    ```
    and `%p` is `%c`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::vector::VectorDialect"];
  let options = [
    Option<"target", "target", "std::string", "", "the chip, as in `sm_90` or `gfx1100:64`">,
    Option<"remarks", "remarks", "bool", "false", "say which collectives these are">];
}

def FindReaders : Pass<"coll-find-readers", "::coll::ir::KernelOp"> {
  let summary = "Find reductions whose result one rank, or one warp, needs";
  let description = [{
    Conditions on ranks are computed for each thread of the block. Where all that
    uses a result is reached by rank 0 of each group only, or by the last rank,
    or by the first warp of a block, the reduction says so, and the others get
    anything.

    Before:
    ```mlir
    %s = coll.reduce warp add(%x) : f32
    coll.if %is_lane_0 {
      coll.store (%s) to %y[%i] : (f32), !coll.view<?xf32, global>
      coll.yield
    }
    ```
    After:
    ```mlir
    %s = coll.reduce warp add(%x) for first : f32
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "", "the chip, as in `sm_90` or `gfx1100:64`">];
}

def AggregateAtomics : Pass<"coll-aggregate-atomics", "::coll::ir::KernelOp"> {
  let summary = "Carry out atomics at one address once a warp";
  let description = [{
    Relaxed atomics whose address is the same in all lanes of a warp are combined
    first, under conditions too: those of integers, and those of floats that are
    `fast`. The old values are those of the lanes
    coming in rank order; where nobody wants them, a barrier of the lanes follows,
    so that each sees its own update.

    Before, in a loop that lanes leave by a break:
    ```mlir
    %old = coll.atomic_rmw add relaxed device %x, %count[] : i32, !coll.view<i32, global>
    ```
    After:
    ```mlir
    %g = coll.active
    %before, %total = coll.scan_total members(%g) add(%x) first(%zero : i32) commutative : i32 -> i32, i32
    %lowest = coll.elect members(%g)
    %first = coll.if %lowest -> i32 {
      %old = coll.atomic_rmw add relaxed device %total, %count[] : i32, !coll.view<i32, global>
      coll.yield %old : i32
    } else {
      coll.yield %zero : i32
    }
    %base = coll.broadcast members(%g) %first from %zero : i32
    %old = arith.addi %base, %before : i32
    ```

    Under conditions alone, in control flow that all of the warp share, all of it
    combines instead, with the neutral value of the lanes that are not there. What
    follows a branch by which some return or continue counts as its other arm, and
    lanes that leave a loop by its condition stay in it until the last one leaves.

    Before:
    ```mlir
    coll.if %c {
      %old = coll.atomic_rmw fadd fast relaxed device %x, %sum[] : f32, !coll.view<f32, global>
      coll.yield
    }
    ```
    After:
    ```mlir
    %own = coll.if %c -> f32 {
      coll.yield %x : f32
    } else {
      coll.yield %minus_zero : f32
    }
    %any = coll.vote any warp %c
    coll.if %any {
      coll.sync warp
      %total = coll.reduce warp add(%own) commutative : f32
      %first = coll.elect warp
      coll.if %first {
        %old = coll.atomic_rmw fadd relaxed device %total, %sum[] : f32, !coll.view<f32, global>
        coll.yield
      }
      coll.sync warp
      coll.yield
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let options = [
    Option<"warpSize", "warp-size", "unsigned", "32", "threads of a warp: 32 or 64">,
    Option<"reducesMembers", "reduces-members", "bool", "false",
           "the chip combines 32-bit integers of any lanes in one instruction">];
}

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

def ExpandGrid : Pass<"coll-expand-grid", "::coll::ir::KernelOp"> {
  let summary = "Write collectives of several blocks as those of one and an exchange";
  let description = [{
    Each block carries the collective out for itself, its first thread hands the
    block's result to the others, all blocks meet, and every block combines the
    results of all (a reduction) or of those before it (a scan), in the orders of
    docs/semantics.md.

    Blocks of the grid exchange through the kernel's workspace: a barrier's word,
    whose lower 31 bits count the blocks that have come and whose top bit changes
    when all have, then two halves of a slot for each block, used in turn. Blocks
    of a cluster exchange through their shared memory and the chip's barrier.

    Before:
    ```mlir
    coll.sync grid
    ```
    After:
    ```mlir
    coll.sync block
    coll.if %is_first {
      coll.fence release device
      %old = coll.atomic_rmw add relaxed device %step, %barrier[%c0] : i32, !coll.view<?xi32, global>
      coll.loop {
        %now = coll.atomic_load relaxed device %barrier[%c0] : !coll.view<?xi32, global> -> i32
        ...
        coll.condition %waits
      } do {
        coll.pause
        coll.yield
      } step {
        coll.yield
      }
      coll.fence acquire device
      coll.yield
    }
    coll.sync block
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::vector::VectorDialect"];
  let options = [
    Option<"target", "target", "std::string", "", "the chip, as in `sm_90` or `gfx1100:64`">,
    Option<"remarks", "remarks", "bool", "false", "say for each collective what it takes">];
}

def ExpandOrder : Pass<"coll-expand-order", "::coll::ir::KernelOp"> {
  let summary = "Write sort, top_k, exchange and histogram as simpler operations";
  let description = [{
    A sort becomes a bitonic network of comparisons: between lanes of a warp by
    shuffles, between warps through shared memory with one barrier a step. Keys
    are compared as unsigned integers; where values follow, the places of the
    elements in their low bits make the order stable, and tell each thread in the
    end whose values to take. `top_k` is a reduction for each element where
    these are few, else a sort downwards of which every thread gets the start. `exchange` goes through shared memory at every scope, and
    so do the shuffles of groups of several warps if places of their own, which
    `coll-expand-block` gives them, would take too much of it;
    `histogram` becomes atomics. The whole of a split barrier is carried out
    where it waits, unless the chip has halves of barriers and nothing between
    the two uses the block's.

    Before:
    ```mlir
    %s = coll.sort tile<2> (%x) : i32 -> i32
    ```
    After:
    ```mlir
    %other = coll.shuffle xor tile<2> %x by %c1 : i32
    %less = arith.cmpi ult, %other, %x : i32
    %takes = arith.xori %less, %is_upper : i1
    %s = arith.select %takes, %other, %x : i32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let options = [
    Option<"target", "target", "std::string", "", "the chip, as in `sm_90` or `gfx1100:64`">,
    Option<"remarks", "remarks", "bool", "false", "say for each collective what it takes">];
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
    Option<"target", "target", "std::string", "", "the chip, as in `sm_90` or `gfx1100:64`">,
    Option<"remarks", "remarks", "bool", "false", "say for each collective what it takes">];
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

def ResolveActive : Pass<"coll-resolve-active", "::coll::ir::KernelOp"> {
  let summary = "Make active groups that are the whole warp the warp";
  let description = [{
    Where control flow is the same in the whole warp, `coll.active` has all its
    threads, and the warp's own plans do.

    Before:
    ```mlir
    %g = coll.active
    %s = coll.reduce members(%g) add(%x) : i32
    ```
    After:
    ```mlir
    %s = coll.reduce warp add(%x) : i32
    ```
  }];
  let options = [
    Option<"warpSize", "warp-size", "unsigned", "32", "threads of a warp: 32 or 64">];
}

def FlagExits : Pass<"coll-flag-exits", "::coll::ir::KernelOp"> {
  let summary = "Keep lanes that leave until all know it";
  let description = [{
    Where some lanes of a warp leave a loop, a function or the kernel from nested
    branches, and a `coll.active` is in that body, the exits become flags: what
    follows is skipped where they are set, and at the end of the body all lanes
    are together and leave. Each branch that lanes leave from then has an arm
    that all lanes leave from, so that the others know who is missing.

    Before:
    ```mlir
    coll.if %c {
      coll.if %d {
        coll.break
      }
      coll.yield
    }
    %g = coll.active
    coll.yield
    ```
    After:
    ```mlir
    coll.if %c {
      coll.if %d {
        coll.store (%true) to %has_left[] : (i1), !coll.view<i1, private>
        coll.store (%true) to %breaks[] : (i1), !coll.view<i1, private>
        coll.yield
      }
      coll.yield
    }
    %left = coll.load %has_left[] : !coll.view<i1, private> -> i1
    %stays = arith.xori %left, %true : i1
    coll.if %stays {
      %g = coll.active
      coll.yield
    }
    %done = coll.load %breaks[] : !coll.view<i1, private> -> i1
    coll.if %done {
      coll.break
    }
    coll.yield
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let options = [
    Option<"warpSize", "warp-size", "unsigned", "32", "threads of a warp: 32 or 64">];
}

def EndClusters : Pass<"coll-end-clusters", "::coll::ir::KernelOp"> {
  let summary = "Keep blocks until their cluster has read their memory";
  let description = [{
    Where blocks of a cluster read each other's shared memory (`coll.peer`), each
    thread that ends waits for the others at the cluster's barrier. Comes after
    coll-flag-exits: no thread may wait there while others wait for it to say
    which way it goes.

    Before:
    ```mlir
    coll.return
    ```
    After:
    ```mlir
    coll.sync cluster divergent
    coll.return
    ```
  }];
}

#endif // COLL_TRANSFORMS_PASSES_TD
