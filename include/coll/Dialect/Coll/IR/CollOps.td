//===- CollOps.td - The operations of the coll dialect --------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_DIALECT_COLL_IR_COLLOPS_TD
#define COLL_DIALECT_COLL_IR_COLLOPS_TD

include "coll/Dialect/Coll/IR/CollBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

class Coll_Op<string mnemonic, list<Trait> traits = []> : Op<Coll_Dialect, mnemonic, traits>;

// The group that an operation is about: the attribute `group` and, of the group `members` only, an operand `members`.
// Written `warp` or `members(%g)`.
def Coll_OfGroup : NativeOpTrait<"OfGroup"> {
  let cppNamespace = "::coll::ir";
}
def Coll_Members : Optional<Coll_GroupType>;

// A builder that takes the group in one piece.
class Coll_Build<dag params, string call> : OpBuilder<params, [{ build($_builder, $_state, }] # call # [{); }]>;
defvar groupRef = "const ::coll::ir::GroupRef &";

// What all collectives touch, so that none is moved, merged or removed.
def Coll_GroupResource : Resource<"::coll::ir::GroupResource">;
class Coll_Collective<string mnemonic, list<Trait> traits = []>
    : Coll_Op<mnemonic, traits # [Coll_OfGroup, MemoryEffects<[MemRead<Coll_GroupResource>, MemWrite<Coll_GroupResource>]>]>;

def Coll_Leaf : AnyTypeOf<[AnySignlessInteger, AnyFloat, AnyVectorOfNonZeroRank], "leaf value">;
def Coll_Leaves : Variadic<Coll_Leaf>;
def Coll_View : Type<CPred<"::llvm::isa<::coll::ir::ViewType>($_self)">, "view", "::coll::ir::ViewType">;
def Coll_Indices : Variadic<I64>;

//===----------------------------------------------------------------------===//
// Kernels and structure
//===----------------------------------------------------------------------===//

def Coll_KernelOp : Coll_Op<"kernel", [IsolatedFromAbove, Symbol, SingleBlock]> {
  let summary = "a kernel";
  let description = [{
    The block's arguments are the parameters in order, views as `!coll.view` in
    global memory and scalars as themselves (`bool` as `i1`), and then one `i64` for each
    named extent and pitch. `params` describes them to the launch. `grid` holds a launch
    expression a dimension (`(ceil_div n 256)`), or nothing: then the launch must say.
    `source_name` is the kernel's name in the source where that is no symbol (`pass<8>`). `cluster` is the number of blocks of
    a cluster, in x. `workspace`, the launch expression of its bytes, is there once collectives of the grid are expanded.

    Example:
    ```mlir
    coll.kernel @scale workgroup [256, 1, 1] grid ["(ceil_div n 256)"] extents ["n"]
        params [#coll.param<name = "x", access = mut, isView = true, type = "f32", leaves = "f32", dims = -1>] {
    ^bb0(%x: !coll.view<?xf32, global>, %n: i64):
      coll.return
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<StrAttr>:$source_name, DenseI32ArrayAttr:$workgroup, StrArrayAttr:$grid,
                       StrArrayAttr:$extents, TypedArrayAttrBase<Coll_ParamAttr, "parameters">:$params,
                       DefaultValuedAttr<I32Attr, "0">:$max_registers, DefaultValuedAttr<I32Attr, "0">:$min_blocks,
                       DefaultValuedAttr<I32Attr, "1">:$cluster, OptionalAttr<StrAttr>:$workspace);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name (`named` $source_name^)? `workgroup` $workgroup `grid` $grid `extents` $extents `params` $params attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Threads of a block.
    unsigned getBlockSize() { auto w = getWorkgroup(); return w[0] * w[1] * w[2]; }
    /// Whether its blocks wait for each other, so that all must be resident.
    bool isCooperative();
    /// The name in the source.
    ::llvm::StringRef getKernelName() { return getSourceName().value_or(getSymName()); }
  }];
}

def Coll_ReturnOp : Coll_Op<"return", [Terminator]> {
  let summary = "leaves the enclosing `coll.inline` or the kernel";
  let description = [{
    Ends this thread's part of the innermost `coll.inline` that contains it, with
    that operation's results, or of the kernel. It may stand at the end of any nested region.

    Example: `coll.return %x, %y : f32, i32`
  }];
  let arguments = (ins Coll_Leaves:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
  let hasVerifier = 1;
}

def Coll_InlineOp : Coll_Op<"inline", [SingleBlock, NoRegionArguments]> {
  let summary = "the body of a function at its call";
  let description = [{
    Runs its region; each thread continues after it once it executes a `coll.return`.

    Example:
    ```mlir
    %r = coll.inline "clamp01" -> f32 {
      coll.if %below { coll.return %zero : f32 }
      coll.return %x : f32
    }
    ```
  }];
  let arguments = (ins StrAttr:$callee);
  let results = (outs Coll_Leaves:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$callee (`->` type($results)^)? attr-dict-with-keyword $body";
}

def Coll_IfOp : Coll_Op<"if", [NoRegionArguments]> {
  let summary = "a branch";
  let description = [{
    Each thread runs one of the regions. A region ends in `coll.yield` (with the
    results), or leaves by `coll.break`, `coll.continue` or `coll.return`. Without
    results the else region may be empty.

    Example: `%m = coll.if %c -> f32 { coll.yield %a : f32 } else { coll.yield %b : f32 }`
  }];
  let arguments = (ins I1:$condition);
  let results = (outs Coll_Leaves:$results);
  let regions = (region MaxSizedRegion<1>:$thenRegion, MaxSizedRegion<1>:$elseRegion);
  let assemblyFormat = [{
    $condition (`->` type($results)^)? attr-dict-with-keyword $thenRegion (`else` $elseRegion^)?
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def Coll_LoopOp : Coll_Op<"loop", [NoRegionArguments]> {
  let summary = "a loop";
  let description = [{
    Runs `condition` (which ends in `coll.condition`); while that is true, `body` and then `step`.
    `coll.break` in the body leaves the loop, `coll.continue` goes on with the step. `unroll` is 0 (as the
    optimiser likes), 1 (not), n (n times) or -1 (fully).

    Example:
    ```mlir
    coll.loop {
      %i = coll.load %v[] : !coll.view<i64, private> -> i64
      %c = arith.cmpi slt, %i, %n : i64
      coll.condition %c
    } do {
      coll.yield
    } step {
      coll.yield
    }
    ```
  }];
  let arguments = (ins DefaultValuedAttr<I32Attr, "0">:$unroll);
  let regions = (region SizedRegion<1>:$condition, SizedRegion<1>:$body, SizedRegion<1>:$step);
  let assemblyFormat = "attr-dict-with-keyword $condition `do` $body `step` $step";
  let hasVerifier = 1;
}

def Coll_ConditionOp : Coll_Op<"condition", [Terminator, Pure, ParentOneOf<["LoopOp"]>]> {
  let summary = "ends a loop's condition: go on while true";
  let description = "Example: `coll.condition %c`";
  let arguments = (ins I1:$condition);
  let assemblyFormat = "$condition attr-dict";
}

def Coll_YieldOp : Coll_Op<"yield", [Terminator, Pure]> {
  let summary = "ends a region and gives its values";
  let description = "Ends an arm of `coll.if`, a loop's body or step, or an operator of a collective. Example: `coll.yield %a : f32`";
  let arguments = (ins Coll_Leaves:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
}

def Coll_BreakOp : Coll_Op<"break", [Terminator]> {
  let summary = "leaves the innermost loop";
  let description = "Example: `coll.if %c { coll.break }`";
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def Coll_ContinueOp : Coll_Op<"continue", [Terminator]> {
  let summary = "goes on with the step of the innermost loop";
  let description = "Example: `coll.if %c { coll.continue }`";
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Who am I
//===----------------------------------------------------------------------===//

// Threads of a grid that waits for itself are resident at once, so that ranks fit 32 bits.
class Coll_GroupQuery<string mnemonic, string what> : Coll_Op<mnemonic, [Pure, Coll_OfGroup]> {
  let summary = what;
  let description = what # ". Example: `%r = coll." # mnemonic # " warp`";
  let results = (outs I32:$result);
}
class Coll_MemberQuery<string mnemonic, string what> : Coll_GroupQuery<mnemonic, what> {
  let arguments = (ins Coll_GroupAttr:$group, Coll_Members:$members);
  let assemblyFormat = "custom<Group>($group, $members) attr-dict";
  let builders = [Coll_Build<(ins groupRef:$group), "group.attr, group.members">,
                  Coll_Build<(ins "::mlir::Type":$type, groupRef:$group), "type, group.attr, group.members">];
}
class Coll_SiblingQuery<string mnemonic, string what> : Coll_GroupQuery<mnemonic, what> {
  let arguments = (ins Coll_GroupAttr:$group);
  let assemblyFormat = "$group attr-dict";
}
def Coll_RankOp : Coll_MemberQuery<"rank", "this thread's rank in the group; ranks are linear with x fastest">;
def Coll_SizeOp : Coll_MemberQuery<"size", "the number of threads in the group (a last warp or tile may be short)">;
def Coll_IndexOp : Coll_SiblingQuery<"index", "the index of this warp in its block, or of this tile in its warp (of a tile of several warps: in its block)">;
def Coll_CountOp : Coll_SiblingQuery<"group_count", "the number of warps in the block, or of tiles in this warp">;

class Coll_DimensionQuery<string mnemonic, Type type, string what> : Coll_Op<mnemonic, [Pure]> {
  let summary = what;
  let description = what # ". Example: `%i = coll." # mnemonic # " x`";
  let arguments = (ins Coll_DimensionAttr:$dimension);
  let results = (outs type:$result);
  let assemblyFormat = "$dimension attr-dict";
}
def Coll_ThreadIdOp : Coll_DimensionQuery<"thread_id", I32, "this thread's index in the block, in one dimension">;
def Coll_BlockIdOp : Coll_DimensionQuery<"block_id", I64, "this block's index in the grid, in one dimension">;
def Coll_BlockCountOp : Coll_DimensionQuery<"block_count", I64, "the number of blocks of the grid, in one dimension">;
def Coll_ClusterIdOp : Coll_DimensionQuery<"cluster_id", I64, "the index of this block's cluster in the grid, in one dimension">;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

def Coll_VarOp : Coll_Op<"var", [MemoryEffects<[MemAlloc]>]> {
  let summary = "a local variable";
  let description = [{
    Memory of this thread, undefined at first. It is new each time that it is executed.
    The shape is static. Example: `%v = coll.var "acc" : !coll.view<4x4xf32, private>`
  }];
  let arguments = (ins StrAttr:$name);
  let results = (outs Coll_View:$view);
  let assemblyFormat = "$name attr-dict `:` type($view)";
  let hasVerifier = 1;
}

def Coll_SharedOp : Coll_Op<"shared", [MemoryEffects<[MemAlloc]>]> {
  let summary = "an array in the memory of the block";
  let description = [{
    One object for each block, however often it is executed; undefined at first. With an `extent` the shape
    is `?` in its first dimension, and `bytes` is the launch expression that sizes the launch; a kernel has at most one such.
    All arrays of a kernel that have an `overlay` and the same name are parts of one object, which begin that many bytes into
    it: who uses them sees to it, by barriers, that none is overwritten while another needs it.

    Example: `%t = coll.shared "tile" : !coll.view<32x33xf32, shared>`,
    `%l = coll.shared "list" overlay 256 : !coll.view<64xi64, shared>`,
    `%b = coll.shared "buf"(%cols) bytes "(* cols 4)" : !coll.view<?xf32, shared>`
  }];
  let arguments = (ins StrAttr:$name, Optional<I64>:$extent, OptionalAttr<StrAttr>:$bytes,
                       DefaultValuedAttr<I64Attr, "0">:$alignment, DefaultValuedAttr<I64Attr, "-1">:$overlay);
  let results = (outs Coll_View:$view);
  let assemblyFormat = "$name (`(` $extent^ `)`)? (`bytes` $bytes^)? (`overlay` $overlay^)? attr-dict `:` type($view)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether it is part of the object of all overlays.
    bool isOverlay() { return static_cast<int64_t>(getOverlay()) >= 0; }
  }];
}

def Coll_WorkspaceOp : Coll_Op<"workspace", [Pure]> {
  let summary = "part of the kernel's workspace";
  let description = [{
    Global memory that the launch provides for the collectives of the grid, `offset` bytes from its start.
    Example: `%w = coll.workspace at %offset extent %n : !coll.view<?xf32, global>`
  }];
  let arguments = (ins I64:$offset, I64:$extent);
  let results = (outs Coll_View:$view);
  let assemblyFormat = "`at` $offset `extent` $extent attr-dict `:` type($view)";
  let hasVerifier = 1;
}

def Coll_PeerOp : Coll_Op<"peer", [Pure]> {
  let summary = "an array of the same name in the memory of a block of the cluster";
  let description = [{
    `block` is that block's index in the cluster. What is read there was written before a barrier of the cluster.
    Example: `%p = coll.peer %partials of %i : !coll.view<2xf32, shared> -> !coll.view<2xf32, peer>`
  }];
  let arguments = (ins Coll_View:$view, I32:$block);
  let results = (outs Coll_View:$result);
  let assemblyFormat = "$view `of` $block attr-dict `:` type($view) `->` type($result)";
  let hasVerifier = 1;
}

def Coll_ExtentOp : Coll_Op<"extent", [Pure]> {
  let summary = "an extent of a view";
  let description = "Example: `%n = coll.extent %x, 0 : !coll.view<?xf32, global>`";
  let arguments = (ins Coll_View:$view, I64Attr:$dimension);
  let results = (outs I64:$result);
  let assemblyFormat = "$view `,` $dimension attr-dict `:` type($view)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Coll_SliceOp : Coll_Op<"slice", [Pure]> {
  let summary = "a view of part of a view";
  let description = [{
    `forms` has one entry a dimension: 0 keeps it, 1 selects an index (one operand; the dimension goes),
    2 a half-open range (two operands). Nothing is checked here but on the reference device.

    Example: `%row = coll.slice %x forms [1, 0] (%r) : !coll.view<?x?xf32, global> -> !coll.view<?xf32, global>`
  }];
  let arguments = (ins Coll_View:$view, DenseI32ArrayAttr:$forms, Coll_Indices:$bounds);
  let results = (outs Coll_View:$result);
  let assemblyFormat = "$view `forms` $forms `(` $bounds `)` attr-dict `:` type($view) `->` type($result)";
  let hasVerifier = 1;
}

def Coll_FieldOp : Coll_Op<"field", [Pure]> {
  let summary = "part of every element of a view";
  let description = [{
    A view with the same dimensions and strides whose elements start `offset` bytes into those of `view`; for a field that
    is an array, static dimensions (contiguous) are appended.

    Example: `%m = coll.field %v at 4 : !coll.view<?x!coll.struct<...>, global> -> !coll.view<?xf32, global>`
  }];
  let arguments = (ins Coll_View:$view, I64Attr:$offset);
  let results = (outs Coll_View:$result);
  let assemblyFormat = "$view `at` $offset attr-dict `:` type($view) `->` type($result)";
  let hasVerifier = 1;
}

def Coll_FlatOp : Coll_Op<"flat", [Pure]> {
  let summary = "a contiguous view as one dimension";
  let description = "Example: `%f = coll.flat %x : !coll.view<?x?xf32, global> -> !coll.view<?xf32, global>`";
  let arguments = (ins Coll_View:$view);
  let results = (outs Coll_View:$result);
  let assemblyFormat = "$view attr-dict `:` type($view) `->` type($result)";
  let hasVerifier = 1;
}

def Coll_RecastOp : Coll_Op<"recast", [Pure]> {
  let summary = "a view with elements of another type";
  let description = [{
    Elements of the same size are seen as another type (a struct of 8 bytes as `i64`); or the last dimension, which is contiguous,
    is grouped into vectors: its extent is divided by the lanes, a rest is out of reach.

    Example: `%v = coll.recast %x : !coll.view<?xf32, global> -> !coll.view<?xvector<4xf32>, global>`
  }];
  let arguments = (ins Coll_View:$view);
  let results = (outs Coll_View:$result);
  let assemblyFormat = "$view attr-dict `:` type($view) `->` type($result)";
  let hasVerifier = 1;
}

def Coll_LoadOp : Coll_Op<"load", [MemoryEffects<[MemRead]>]> {
  let summary = "reads an element: its leaves";
  let description = "Example: `%x = coll.load %v[%i, %j] : !coll.view<?x?xf32, global> -> f32`";
  let arguments = (ins Coll_View:$view, Coll_Indices:$indices);
  let results = (outs Coll_Leaves:$results);
  let assemblyFormat = "$view `[` $indices `]` attr-dict `:` type($view) `->` type($results)";
  let hasVerifier = 1;
}

def Coll_StoreOp : Coll_Op<"store", [AttrSizedOperandSegments, MemoryEffects<[MemWrite]>]> {
  let summary = "writes an element: its leaves";
  let description = "Example: `coll.store (%x) to %v[%i] : (f32), !coll.view<?xf32, global>`";
  let arguments = (ins Coll_Leaves:$values, Coll_View:$view, Coll_Indices:$indices);
  let assemblyFormat = "`(` $values `)` `to` $view `[` $indices `]` attr-dict `:` `(` type($values) `)` `,` type($view)";
  let hasVerifier = 1;
}

def Coll_AtomicRMWOp : Coll_Op<"atomic_rmw", [MemoryEffects<[MemRead, MemWrite]>, AllTypesMatch<["value", "result"]>]> {
  let summary = "reads, combines and writes an element in one step";
  let description = [{
    Gives the old value. Order and scope are those of the C++ memory model. The values of several threads may be combined
    first where that gives the same bits, and with `fast` also where it does not: of floats.
    Example: `%old = coll.atomic_rmw add relaxed device %one, %counts[%i] : i32, !coll.view<?xi32, global>`,
    `%f = coll.atomic_rmw fadd fast relaxed device %x, %sum[] : f32, !coll.view<f32, global>`
  }];
  let arguments = (ins Coll_AtomicKindAttr:$kind, Coll_MemoryOrderAttr:$order, Coll_MemoryScopeAttr:$scope,
                       Coll_Leaf:$value, Coll_View:$view, Coll_Indices:$indices, UnitAttr:$fast);
  let results = (outs Coll_Leaf:$result);
  let assemblyFormat = "$kind (`fast` $fast^)? $order $scope $value `,` $view `[` $indices `]` attr-dict `:` type($value) `,` type($view)";
  let hasVerifier = 1;
}

def Coll_AtomicCASOp : Coll_Op<"atomic_cas", [MemoryEffects<[MemRead, MemWrite]>, AllTypesMatch<["expected", "desired", "result"]>]> {
  let summary = "writes `desired` where the element's bits equal `expected`; gives the old value";
  let description = "Example: `%old = coll.atomic_cas acq_rel device %e, %d, %v[%i] : i64, !coll.view<?xi64, global>`";
  let arguments = (ins Coll_MemoryOrderAttr:$order, Coll_MemoryScopeAttr:$scope, AnySignlessInteger:$expected,
                       AnySignlessInteger:$desired, Coll_View:$view, Coll_Indices:$indices);
  let results = (outs AnySignlessInteger:$result);
  let assemblyFormat = "$order $scope $expected `,` $desired `,` $view `[` $indices `]` attr-dict `:` type($expected) `,` type($view)";
  let hasVerifier = 1;
}

def Coll_AtomicLoadOp : Coll_Op<"atomic_load", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "an atomic read of an integer of 4 or 8 bytes";
  let description = "Example: `%x = coll.atomic_load acquire device %v[%i] : !coll.view<?xi32, global> -> i32`";
  let arguments = (ins Coll_MemoryOrderAttr:$order, Coll_MemoryScopeAttr:$scope, Coll_View:$view, Coll_Indices:$indices);
  let results = (outs AnySignlessInteger:$result);
  let assemblyFormat = "$order $scope $view `[` $indices `]` attr-dict `:` type($view) `->` type($result)";
  let hasVerifier = 1;
}

def Coll_AtomicStoreOp : Coll_Op<"atomic_store", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "an atomic write of an integer of 4 or 8 bytes";
  let description = "Example: `coll.atomic_store release device %x, %v[%i] : i32, !coll.view<?xi32, global>`";
  let arguments = (ins Coll_MemoryOrderAttr:$order, Coll_MemoryScopeAttr:$scope, AnySignlessInteger:$value, Coll_View:$view,
                       Coll_Indices:$indices);
  let assemblyFormat = "$order $scope $value `,` $view `[` $indices `]` attr-dict `:` type($value) `,` type($view)";
  let hasVerifier = 1;
}

def Coll_FenceOp : Coll_Op<"fence", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "orders memory accesses, as std::atomic_thread_fence";
  let description = "Example: `coll.fence acq_rel device`";
  let arguments = (ins Coll_MemoryOrderAttr:$order, Coll_MemoryScopeAttr:$scope);
  let assemblyFormat = "$order $scope attr-dict";
}

include "coll/Dialect/Coll/IR/CollCollectives.td"
include "coll/Dialect/Coll/IR/CollOrder.td"

//===----------------------------------------------------------------------===//
// Arithmetic that upstream lacks
//===----------------------------------------------------------------------===//

class Coll_Arith<string mnemonic, list<Trait> traits = []>
    : Coll_Op<mnemonic, traits # [Pure, Elementwise, Scalarizable, Vectorizable, Tensorizable]>;

class Coll_Division<string mnemonic, string what> : Coll_Arith<mnemonic, [SameOperandsAndResultType]> {
  let summary = what;
  let description = what # [{: total, unlike arith's. Where the divisor is 0, or it is MIN / -1, the divisor counts as 1.
    The reference device reports a divisor of 0. Example: `%q = coll.}] # mnemonic # [{ signed %a, %b : i32`}];
  let arguments = (ins UnitAttr:$isSigned, SignlessIntegerLike:$lhs, SignlessIntegerLike:$rhs);
  let results = (outs SignlessIntegerLike:$result);
  let assemblyFormat = "(`signed` $isSigned^)? $lhs `,` $rhs attr-dict `:` type($result)";
  let hasFolder = 1;
}
def Coll_DivOp : Coll_Division<"div", "integer division, rounding towards zero">;
def Coll_RemOp : Coll_Division<"rem", "the remainder of integer division">;

def Coll_FPToIntOp : Coll_Arith<"fptoint"> {
  let summary = "float to integer: towards zero, saturating, NaN gives 0";
  let description = "Example: `%i = coll.fptoint signed %x : f32 -> i32`";
  let arguments = (ins UnitAttr:$isSigned, FloatLike:$operand);
  let results = (outs SignlessIntegerLike:$result);
  let assemblyFormat = "(`signed` $isSigned^)? $operand attr-dict `:` type($operand) `->` type($result)";
}

class Coll_FloatBinary<string mnemonic, string what> : Coll_Arith<mnemonic, [SameOperandsAndResultType, Commutative]> {
  let summary = what;
  let description = what # ". Example: `%m = coll." # mnemonic # " %a, %b : f32`";
  let arguments = (ins FloatLike:$lhs, FloatLike:$rhs);
  let results = (outs FloatLike:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}
def Coll_MinNumOp : Coll_FloatBinary<"minnum", "IEEE 754-2019 minimumNumber: a NaN operand loses, -0 < +0">;
def Coll_MaxNumOp : Coll_FloatBinary<"maxnum", "IEEE 754-2019 maximumNumber: a NaN operand loses, -0 < +0">;

def Coll_FastOp : Coll_Arith<"fast", [SameOperandsAndResultType]> {
  let summary = "the hardware's own approximation";
  let description = "Its bits differ from chip to chip; `fast.div(a, b)` is `a * fast.rcp(b)`. Example: `%y = coll.fast exp %x : f32`";
  let arguments = (ins Coll_FastKindAttr:$kind, FloatLike:$operand);
  let results = (outs FloatLike:$result);
  let assemblyFormat = "$kind $operand attr-dict `:` type($result)";
}

//===----------------------------------------------------------------------===//
// The rest
//===----------------------------------------------------------------------===//

def Coll_AssertOp : Coll_Op<"assert"> {
  let summary = "stops the program with a text where the condition is false";
  let description = [{
    `{}` in the text stand for the arguments. The reference device reports them; a GPU traps. `signs` says for each argument
    whether an integer is signed. Example: `coll.assert %c, "row {}"(%r : i64) signs [true]`
  }];
  let arguments = (ins I1:$condition, StrAttr:$message, Coll_Leaves:$arguments, DenseBoolArrayAttr:$signs);
  let assemblyFormat = "$condition `,` $message (`(` $arguments^ `:` type($arguments) `)`)? `signs` $signs attr-dict";
}

def Coll_TrapOp : Coll_Op<"trap"> {
  let summary = "stops the program";
  let description = "Example: `coll.trap`";
  let assemblyFormat = "attr-dict";
}

def Coll_PauseOp : Coll_Op<"pause"> {
  let summary = "lets others go on: for polling loops";
  let description = "Example: `coll.pause`";
  let assemblyFormat = "attr-dict";
}

#endif // COLL_DIALECT_COLL_IR_COLLOPS_TD
