//===- CollBase.td - The coll dialect, its enums, attributes, types -------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_DIALECT_COLL_IR_COLLBASE_TD
#define COLL_DIALECT_COLL_IR_COLLBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Coll_Dialect : Dialect {
  let name = "coll";
  let cppNamespace = "::coll::ir";
  let summary = "Collectives over groups of threads, in structured kernels";
  let description = [{
    What upstream dialects lack: collectives (reduce, scan, shuffle, vote, ...)
    of a named *group* of threads, views of global and shared memory with
    extents, and structured control flow with early exits. Arithmetic is
    `arith`, `math` and `vector`.

    Values are leaves: scalars and vectors. A struct, tuple or array of the
    language is the list of its leaves, and collectives are variadic over them.
    Integers are signless; an operation that depends on the sign says so.

    A collective means its group: every thread of the group executes it, and it
    is never moved, merged, duplicated or removed because of what its operands
    are. All of them read and write the group resource, which tells MLIR so.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let hasConstantMaterializer = 1;
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
}

//===----------------------------------------------------------------------===//
// Enums
//===----------------------------------------------------------------------===//

class Coll_I32Enum<string name, string summary, list<I32EnumCase> cases>
    : I32Enum<name, summary, cases> {
  let cppNamespace = "::coll::ir";
}
class Coll_EnumAttr<EnumInfo info, string mnemonic> : EnumAttr<Coll_Dialect, info, mnemonic> {
  let assemblyFormat = "$value";
}

def Coll_GroupKind : Coll_I32Enum<"GroupKind", "a kind of group of threads", [
  I32EnumCase<"Thread", 0, "thread">,
  I32EnumCase<"Warp", 1, "warp">,
  I32EnumCase<"Tile", 2, "tile">,
  I32EnumCase<"Block", 3, "block">,
  I32EnumCase<"Members", 4, "members">,   // some lanes of a warp: a value says which
  I32EnumCase<"Cluster", 5, "cluster">,   // the blocks of a cluster
  I32EnumCase<"Grid", 6, "grid">,         // all blocks
  I32EnumCase<"Warps", 7, "warps">]>;     // some warps of the block

def Coll_CombineKind : Coll_I32Enum<"CombineKind", "a built-in combining operator", [
  I32EnumCase<"Add", 0, "add">,       // integers wrap; floats round
  I32EnumCase<"Mul", 1, "mul">,
  I32EnumCase<"SMin", 2, "smin">,
  I32EnumCase<"SMax", 3, "smax">,
  I32EnumCase<"UMin", 4, "umin">,
  I32EnumCase<"UMax", 5, "umax">,
  I32EnumCase<"MinNum", 6, "minnum">, // IEEE 754-2019 minimumNumber: a NaN loses
  I32EnumCase<"MaxNum", 7, "maxnum">,
  I32EnumCase<"Minimum", 8, "minimum">, // a NaN wins
  I32EnumCase<"Maximum", 9, "maximum">,
  I32EnumCase<"And", 10, "and">,
  I32EnumCase<"Or", 11, "or">,
  I32EnumCase<"Xor", 12, "xor">]>;
def Coll_CombineKindAttr : Coll_EnumAttr<Coll_CombineKind, "combine">;

def Coll_ShuffleKind : Coll_I32Enum<"ShuffleKind", "where a shuffle reads from", [
  I32EnumCase<"Idx", 0, "idx">,       // rank `index`; out of the group: the own value
  I32EnumCase<"Up", 1, "up">,         // rank - index
  I32EnumCase<"Down", 2, "down">,     // rank + index
  I32EnumCase<"Xor", 3, "xor">,       // rank ^ index
  I32EnumCase<"Rotate", 4, "rotate">  // (rank + index) mod size, never outside
]>;
def Coll_ShuffleKindAttr : Coll_EnumAttr<Coll_ShuffleKind, "shuffle_kind">;

def Coll_VoteKind : Coll_I32Enum<"VoteKind", "what a vote asks", [
  I32EnumCase<"Any", 0, "any">, I32EnumCase<"All", 1, "all">]>;
def Coll_VoteKindAttr : Coll_EnumAttr<Coll_VoteKind, "vote_kind">;

def Coll_Readers : Coll_I32Enum<"Readers", "which ranks need a result", [
  I32EnumCase<"All", 0, "all">, I32EnumCase<"First", 1, "first">,
  I32EnumCase<"Last", 2, "last">, I32EnumCase<"FirstWarp", 3, "first_warp">]>;
def Coll_ReadersAttr : Coll_EnumAttr<Coll_Readers, "readers">;

def Coll_AtomicKind : Coll_I32Enum<"AtomicKind", "what an atomic does", [
  I32EnumCase<"Add", 0, "add">, I32EnumCase<"Sub", 1, "sub">,
  I32EnumCase<"SMin", 2, "smin">, I32EnumCase<"SMax", 3, "smax">,
  I32EnumCase<"UMin", 4, "umin">, I32EnumCase<"UMax", 5, "umax">,
  I32EnumCase<"And", 6, "and">, I32EnumCase<"Or", 7, "or">, I32EnumCase<"Xor", 8, "xor">,
  I32EnumCase<"Exchange", 9, "exchange">,
  I32EnumCase<"FAdd", 10, "fadd">,
  I32EnumCase<"FMin", 11, "fmin">, // a NaN operand is not applied
  I32EnumCase<"FMax", 12, "fmax">]>;
def Coll_AtomicKindAttr : Coll_EnumAttr<Coll_AtomicKind, "atomic_kind">;

def Coll_MemoryOrder : Coll_I32Enum<"MemoryOrder", "an order of the C++ memory model", [
  I32EnumCase<"Relaxed", 0, "relaxed">, I32EnumCase<"Acquire", 1, "acquire">,
  I32EnumCase<"Release", 2, "release">, I32EnumCase<"AcqRel", 3, "acq_rel">,
  I32EnumCase<"SeqCst", 4, "seq_cst">]>;
def Coll_MemoryOrderAttr : Coll_EnumAttr<Coll_MemoryOrder, "order">;

def Coll_MemoryScope : Coll_I32Enum<"MemoryScope", "which threads an atomic or fence is seen by in order", [
  I32EnumCase<"Warp", 0, "warp">, I32EnumCase<"Block", 1, "block">,
  I32EnumCase<"Cluster", 2, "cluster">, I32EnumCase<"Device", 3, "device">,
  I32EnumCase<"System", 4, "system">]>;
def Coll_MemoryScopeAttr : Coll_EnumAttr<Coll_MemoryScope, "scope">;

def Coll_MemorySpace : Coll_I32Enum<"MemorySpace", "where memory lives", [
  I32EnumCase<"Global", 0, "global">, I32EnumCase<"Shared", 1, "shared">,
  I32EnumCase<"Private", 2, "private">,
  I32EnumCase<"Peer", 3, "peer">]>; // shared memory of a block of the cluster

def Coll_Access : Coll_I32Enum<"Access", "what a kernel may do with a parameter", [
  I32EnumCase<"Read", 0, "read">, I32EnumCase<"Mut", 1, "mut">, I32EnumCase<"Inout", 2, "inout">]>;
def Coll_AccessAttr : Coll_EnumAttr<Coll_Access, "access">;

def Coll_Dimension : Coll_I32Enum<"Dimension", "a dimension of the launch", [
  I32EnumCase<"X", 0, "x">, I32EnumCase<"Y", 1, "y">, I32EnumCase<"Z", 2, "z">]>;
def Coll_DimensionAttr : Coll_EnumAttr<Coll_Dimension, "dimension">;

def Coll_FastKind : Coll_I32Enum<"FastKind", "an approximation in hardware", [
  I32EnumCase<"Exp", 0, "exp">, I32EnumCase<"Exp2", 1, "exp2">, I32EnumCase<"Log", 2, "log">,
  I32EnumCase<"Log2", 3, "log2">, I32EnumCase<"Sin", 4, "sin">, I32EnumCase<"Cos", 5, "cos">,
  I32EnumCase<"Tanh", 6, "tanh">, I32EnumCase<"Sqrt", 7, "sqrt">, I32EnumCase<"Rsqrt", 8, "rsqrt">,
  I32EnumCase<"Rcp", 9, "rcp">]>;
def Coll_FastKindAttr : Coll_EnumAttr<Coll_FastKind, "fast_kind">;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

class Coll_Type<string name, string typeMnemonic> : TypeDef<Coll_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Coll_StructType : Coll_Type<"Struct", "struct"> {
  let summary = "an element in memory with several leaves";
  let description = [{
    The layout of a struct, tuple or array that is the element of a view: its
    leaves (scalars and vectors, depth first) with their byte offsets. It exists
    in memory only: a load gives the leaves.

    Example: `!coll.struct<"Moments", size = 12, align = 4, (f32 at 0, f32 at 4, f32 at 8)>`
  }];
  let parameters = (ins StringRefParameter<"the name in the source">:$name,
                        "uint64_t":$size, "uint64_t":$alignment,
                        ArrayRefParameter<"::mlir::Type">:$leaves,
                        ArrayRefParameter<"uint64_t">:$offsets);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Coll_ViewType : Coll_Type<"View", "view"> {
  let summary = "a shaped view of memory";
  let description = [{
    A base address with extents and byte strides. The shape has `?` where an
    extent is known at run time only. Rank 0 is one element. The element is a
    scalar, a vector or a `!coll.struct`; `i1` takes one byte.

    Example: `!coll.view<?x?xf32, global>`, `!coll.view<32x33xf32, shared>`, `!coll.view<f32, private>`
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType,
                        "::coll::ir::MemorySpace":$space);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    unsigned getRank() const { return getShape().size(); }
    /// The types that a load of one element gives.
    ::llvm::SmallVector<::mlir::Type> getLeafTypes() const;
    /// Size of one element in bytes.
    uint64_t getElementSize() const;
    /// Natural alignment of one element in bytes.
    uint64_t getElementAlignment() const;
  }];
}

def Coll_GroupType : Coll_Type<"Group", "group">, BuildableType<"$_builder.getType<::coll::ir::GroupType>()"> {
  let summary = "a group that is made at run time";
  let description = [{
    In each thread, the lanes of its warp that are in its group, the thread itself among them. It is made by
    `coll.active` and `coll.partition` and used by what works on the group `members`. It is never stored.
  }];
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

class Coll_Attr<string name, string attrMnemonic> : AttrDef<Coll_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Coll_GroupAttr : Coll_Attr<"Group", "group"> {
  let summary = "a group of threads";
  let description = [{
    `thread`, `warp`, `tile<8>` (aligned parts of a warp of that many lanes, or
    parts of a block if that is more than a warp has),
    `block`, `cluster`, `grid`, `warps<64, 128>` (of whole warps: the threads of a block from that rank on, so many), or `members`, of which an operand of type `!coll.group` says who they
    are. The last warp and tile of a block may have fewer ranks. A kernel without clusters has no `cluster`.
  }];
  let parameters = (ins "::coll::ir::GroupKind":$kind, DefaultValuedParameter<"unsigned", "0">:$tileSize,
                        DefaultValuedParameter<"unsigned", "0">:$first);
  let builders = [AttrBuilder<(ins "::coll::ir::GroupKind":$kind, "unsigned":$tileSize),
                              [{ return $_get($_ctxt, kind, tileSize, 0u); }]>];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    bool isWarpLevel() const { return getKind() == GroupKind::Warp || getKind() == GroupKind::Tile || isMembers(); }
    bool isMembers() const { return getKind() == GroupKind::Members; }
    bool isBlock() const { return getKind() == GroupKind::Block; }
    /// Of `tileSize` threads from the block's rank `first` on.
    bool isWarps() const { return getKind() == GroupKind::Warps; }
    bool isCluster() const { return getKind() == GroupKind::Cluster; }
    bool isGrid() const { return getKind() == GroupKind::Grid; }
    /// All threads of several blocks.
    bool isOfBlocks() const { return isCluster() || isGrid(); }
    bool isThread() const { return getKind() == GroupKind::Thread; }
  }];
}

def Coll_ParamAttr : Coll_Attr<"Param", "param"> {
  let summary = "a kernel parameter as the launch sees it";
  let description = [{
    `type` is the element's name in the source (`u8`, `f32x4`, `Moments`) and
    `leaves` the source names of the types of its scalars (vectors as `f32x4`),
    in structs and tuples behind where they are: `pos:f32x4`, `pair.0:i32`,
    `history[2]:i16`. `dims` holds
    a constant extent as itself and the k-th named extent as `-1 - k`; a scalar
    has none and is not a `view`. `pitch` is the extent that is the distance of rows, in elements, or -1.
  }];
  let parameters = (ins StringRefParameter<"">:$name, "::coll::ir::Access":$access, "bool":$isView,
                        StringRefParameter<"">:$type, ArrayRefParameter<"::mlir::StringAttr">:$leaves,
                        OptionalArrayRefParameter<"int64_t">:$dims, DefaultValuedParameter<"int64_t", "-1">:$pitch);
  let hasCustomAssemblyFormat = 1;
}

#endif // COLL_DIALECT_COLL_IR_COLLBASE_TD
