//===- TypedExpr.h - Expressions after checking -----------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With the groups, operators and declarations that they name. See TypedAST.h.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_SEMA_TYPEDEXPR_H
#define COLL_SEMA_TYPEDEXPR_H

#include "coll/Sema/Type.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/SMLoc.h"
#include <array>
#include <optional>
#include <variant>

namespace coll::sema {

class Expr;
class Stmt;
struct Function;

//===----------------------------------------------------------------------===//
// Groups and operators
//===----------------------------------------------------------------------===//

/// A group of threads whose shape is known at compile time, or (Members) some
/// threads of a warp, which a value of type group says.
struct Group {
  enum class Kind {
    Thread,
    Warp,
    Tile,
    Block,
    Cluster, ///< One block in kernels without a clause `cluster(n)`.
    Grid,
    Members,
    BlockTile,
    Warps ///< Some whole warps of the block.
  };
  /// A group of all threads of several blocks.
  bool isOfBlocks() const {
    return kind == Kind::Cluster || kind == Kind::Grid;
  }
  Kind kind = Kind::Block;
  /// Tile: ranks a tile, a power of two from 1 to 32 (or 64 where the target's
  /// warp has 64). BlockTile: ranks a tile of whole warps, a power of two.
  /// Warps: threads, if none of the warps is short.
  unsigned tileSize = 0;
  /// Warps: which, and how many.
  unsigned firstWarp = 0;
  unsigned numWarps = 0;
  /// Members: the value, a GroupExpr or the `let` that names it.
  Expr *members = nullptr;
  /// Members: what the source says, "warp.active()".
  llvm::StringRef name = {};
  bool operator==(const Group &other) const = default;
  /// "block", "warp.tile(8)"
  std::string str() const;
};

/// The operators that the language knows. Signedness is that of the element.
enum class BuiltinOperator {
  Add,
  Mul,
  Min,
  Max,
  Minimum,
  Maximum,
  And,
  Or,
  Xor
};
llvm::StringRef getOperatorName(BuiltinOperator op);

struct Variable;

/// What a reduction or scan combines with. On tuples, structs, vectors and
/// arrays a builtin combines member by member.
struct Operator {
  std::optional<BuiltinOperator> builtin;
  /// Otherwise: two parameters of the element's type, left and right, and what
  /// they combine to: the body of a lambda or a call of an `op` or function.
  /// Captured variables of the surroundings are plain VariableExpr in it.
  Variable *left = nullptr;
  Variable *right = nullptr;
  Expr *result = nullptr;
  /// The declared identity of an `op`; null if it has none.
  Expr *identity = nullptr;
  bool commutative = false;
  /// For messages and remarks: "add", "merge", "lambda".
  llvm::StringRef name;
};

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

/// A local variable, parameter, loop variable or shared array.
struct Variable {
  enum class Storage {
    Value,     ///< `let`, value parameter, loop variable: assigned once.
    Mutable,   ///< `var`: may be assigned, and its address taken for a `mut`
               ///< argument.
    Reference, ///< A function's `mut` parameter: another variable (or element)
               ///< of the caller.
    View,   ///< A view (global or shared) as parameter or `let`: a descriptor.
    Shared, ///< `shared name: T;` one object a block.
    Extent, ///< A named extent of a signature: i64.
  };
  llvm::StringRef name;
  llvm::SMLoc loc;
  const Type *type = nullptr;
  Storage storage = Storage::Value;
  /// Shared: alignment asked for (0: natural); the extent expression of
  /// `shared buf: [cols]f32` (then the type is a shared view), else null.
  unsigned alignment = 0;
  Expr *dynamicExtent = nullptr;
};

/// A function instance (generics replaced, constants known). Bodies are
/// expanded at each call, so that one instance may be emitted many times.
struct Function {
  llvm::StringRef name; ///< For inline locations: "merge", "digit".
  llvm::SMLoc loc;
  llvm::ArrayRef<Variable *> params;
  /// Named extents bound by view parameters, each with the parameter and
  /// dimension that it is read from.
  struct BoundExtent {
    Variable *variable;
    unsigned param;
    unsigned dimension;
  };
  llvm::ArrayRef<BoundExtent> extents;
  const Type *result = nullptr; ///< Void if none.
  Stmt *body = nullptr;
};

/// A kernel, or an instance of a generic one, with its clauses evaluated.
struct Kernel {
  llvm::StringRef name;   ///< As `--kernel=` names it: "softmax", "pass<8>".
  llvm::StringRef symbol; ///< As the image names it: letters, digits, '_' only.
  llvm::SMLoc loc;
  struct Param {
    Variable *variable; ///< A view, or a scalar, vector or enum.
    enum class Access { Read, Mut, Inout } access = Access::Read;
    /// The pitch of the second to last dimension, as an index into `extents`.
    std::optional<unsigned> pitch;
  };
  llvm::ArrayRef<Param> params;
  /// Distinct named extents, in order of first appearance, then pitches.
  llvm::ArrayRef<Variable *> extents;
  std::array<unsigned, 3> workgroup = {1, 1, 1};
  llvm::SMLoc workgroupLoc;
  /// Launch expressions (prefix text, see LaunchExpr.h); empty: the launch must
  /// say.
  llvm::SmallVector<std::string, 3> grid;
  /// max_registers(n), min_blocks(n); 0 if absent.
  unsigned maxRegisters = 0;
  unsigned minBlocks = 0;
  /// cluster(n): blocks of a cluster, in x; 1 if absent.
  unsigned cluster = 1;
  Stmt *body = nullptr;
};

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

/// An expression with its type.
class Expr {
public:
  enum class Kind {
    Constant,
    Variable,
    Member,
    Index,
    Slice,
    Unary,
    Binary,
    Compare,
    Logical,
    Conditional,
    Cast,
    Bitcast,
    Call,
    Builtin,
    Aggregate,
    GroupQuery,
    Group,
    Collective,
    Atomic,
    ViewQuery,
    VectorAccess,
  };
  Kind getKind() const { return kind; }
  const Type *getType() const { return type; }
  llvm::SMLoc getLoc() const { return range.Start; }
  llvm::SMRange getRange() const { return range; }

protected:
  Expr(Kind kind, const Type *type, llvm::SMRange range)
      : kind(kind), type(type), range(range) {}

private:
  Kind kind;
  const Type *type;
  llvm::SMRange range;
};

#define COLL_EXPR(NAME, KIND)                                                  \
  static bool classof(const Expr *e) { return e->getKind() == Kind::KIND; }    \
  NAME(const Type *type, llvm::SMRange range) : Expr(Kind::KIND, type, range) {}

/// A value known at compile time: one APInt (bool, integer, enum, mask; of the
/// type's width) or APFloat (of the type's semantics) a leaf, except that a
/// vector leaf has one a lane.
class ConstantExpr : public Expr {
public:
  COLL_EXPR(ConstantExpr, Constant)
  using Scalar = std::variant<llvm::APInt, llvm::APFloat>;
  std::vector<Scalar> scalars;
};

/// Read of (or, as a place, reference to) a variable.
class VariableExpr : public Expr {
public:
  COLL_EXPR(VariableExpr, Variable)
  Variable *variable = nullptr;
};

/// A struct's field, a tuple's member or (of a vector) the lanes x, y, z, w;
/// `index` counts members. A place if the base is.
class MemberExpr : public Expr {
public:
  COLL_EXPR(MemberExpr, Member)
  Expr *base = nullptr;
  unsigned index = 0;
};

/// base[i, j]: an element of a view (all dimensions given: a place), a view of
/// the remaining dimensions (fewer given), an array's element (a place if the
/// base is; one index), a vector's lane. Indices are i64.
class IndexExpr : public Expr {
public:
  COLL_EXPR(IndexExpr, Index)
  Expr *base = nullptr;
  llvm::SmallVector<Expr *, 3> indices;
};

/// A view of part of a view: `x[a..b, c..d]` (dimensions without a range keep
/// theirs), `x.flat()`, or `x.vectors<N>()`.
class SliceExpr : public Expr {
public:
  COLL_EXPR(SliceExpr, Slice)
  enum class Form { Ranges, Flat, Vectors } form = Form::Ranges;
  Expr *base = nullptr;
  /// Ranges: one (begin, end) a dimension, i64, half open; nulls keep the
  /// dimension. A begin without an end selects one index and drops the
  /// dimension.
  llvm::SmallVector<std::pair<Expr *, Expr *>, 3> ranges;
};

class UnaryExpr : public Expr {
public:
  COLL_EXPR(UnaryExpr, Unary)
  enum class Op { Negate, Not /* bool */, BitNot } op = Op::Negate;
  Expr *operand = nullptr;
};

/// Both operands have the result's type (shifts too: the count was converted).
/// Integers wrap, shift counts are taken modulo the width, division is total.
/// And, Or, Xor also work on bool and mask. Vectors work lane by lane.
class BinaryExpr : public Expr {
public:
  COLL_EXPR(BinaryExpr, Binary)
  enum class Op {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    And,
    Or,
    Xor
  } op = Op::Add;
  Expr *left = nullptr;
  Expr *right = nullptr;
};

/// Both operands have one type (scalar, enum or mask); the result is bool.
class CompareExpr : public Expr {
public:
  COLL_EXPR(CompareExpr, Compare)
  enum class Op { Eq, Ne, Lt, Le, Gt, Ge } op = Op::Eq;
  Expr *left = nullptr;
  Expr *right = nullptr;
};

/// `&&` and `||`: the right operand is evaluated only where it decides.
class LogicalExpr : public Expr {
public:
  COLL_EXPR(LogicalExpr, Logical)
  bool isAnd = true;
  Expr *left = nullptr;
  Expr *right = nullptr;
};

/// cond ? a : b, of any type; only the chosen arm is evaluated.
class ConditionalExpr : public Expr {
public:
  COLL_EXPR(ConditionalExpr, Conditional)
  Expr *condition = nullptr;
  Expr *ifTrue = nullptr;
  Expr *ifFalse = nullptr;
};

/// `v as T` and implicit conversions between scalars (or vectors of one
/// length): integer widths, float widths, integer to float, float to integer
/// (saturating), bool and enum to integer, integer to enum, mask to u64.
class CastExpr : public Expr {
public:
  COLL_EXPR(CastExpr, Cast)
  Expr *operand = nullptr;
};

/// bitcast<T>(v): the bytes of v (its memory layout) seen as a T of the same
/// size.
class BitcastExpr : public Expr {
public:
  COLL_EXPR(BitcastExpr, Bitcast)
  Expr *operand = nullptr;
};

/// A call of a function. The argument of a Reference parameter is a place; that
/// of a View parameter a view, a shared variable or an array place.
class CallExpr : public Expr {
public:
  COLL_EXPR(CallExpr, Call)
  Function *callee = nullptr;
  llvm::SmallVector<Expr *, 4> args;
};

/// Functions that have an operation of their own. Scalars or vectors, lane by
/// lane. exp and log of std.math are CallExpr of the std functions instead.
enum class Builtin {
  Abs,
  Min,
  Max,
  Minimum,
  Maximum,
  Clamp /* of integers; floats too: max then min */,
  Floor,
  Ceil,
  Round,
  Trunc,
  Fma,
  Sqrt,
  Rsqrt,
  Popcount,
  Clz,
  Ctz,
  Reverse,
  Rotl,
  Rotr,
  BytePerm,
  FastExp,
  FastExp2,
  FastLog,
  FastLog2,
  FastSin,
  FastCos,
  FastTanh,
  FastSqrt,
  FastRsqrt,
  FastRcp,
  FastDiv,
  IsNan,
  IsInf,
  Select /* of vectors */,
  // Of masks.
  MaskCount,
  MaskLowest,
  MaskHighest,
  MaskContains /* (mask, rank) */,
  MaskBelow /* (mask, rank) */,
  MaskAbove,
  // Statements that are calls; the result is void.
  Trap,
  Fence /* order and scope are in `order` and `scope` */,
  Pause,
};
llvm::StringRef getBuiltinName(Builtin builtin);

enum class MemoryOrder { Relaxed, Acquire, Release, AcqRel, SeqCst };
enum class MemoryScope { Warp, Block, Cluster, Device, System };

class BuiltinExpr : public Expr {
public:
  COLL_EXPR(BuiltinExpr, Builtin)
  Builtin builtin = Builtin::Abs;
  llvm::SmallVector<Expr *, 3> args;
  MemoryOrder order = MemoryOrder::AcqRel; ///< Fence only.
  MemoryScope scope = MemoryScope::Device; ///< Fence only.
};

/// A struct, tuple, array or vector from its members in order. `splat`: one
/// member repeated (`[e; N]`, a scalar where a vector or array is expected).
class AggregateExpr : public Expr {
public:
  COLL_EXPR(AggregateExpr, Aggregate)
  llvm::SmallVector<Expr *, 4> members;
  bool splat = false;
};

/// g.rank, g.size: i32 (grid.rank, grid.size: i64). g.index, g.count: i64 for
/// block, cluster and grid, i32 otherwise. The 3-D forms take `dimension`.
class GroupQueryExpr : public Expr {
public:
  COLL_EXPR(GroupQueryExpr, GroupQuery)
  enum class Query {
    Rank,
    Size,
    Index,
    Count,
    Index3,
    Size3,
    Count3
  } query = Query::Rank;
  Group group;
  unsigned dimension = 0;
  /// "thread.rank", where the source has another name for it; else empty.
  llvm::StringRef written;
};

/// Makes a group of threads of a warp: `warp.active()`, those that are here; or
/// `base.partition_by(label)` and `base.partition(p)`, those of the warp-level
/// group `base` whose labels have the same bits. A collective of `base`.
class GroupExpr : public Expr {
public:
  COLL_EXPR(GroupExpr, Group)
  Group base;
  Expr *label = nullptr; ///< Null: active().
};

/// A method of a group that needs its other threads.
///
/// | kind          | operands                                  | result | |
/// Reduce        | v (T or [T; K])                           | T | | Scan | v
/// (T or [T; K])                           | as v            | | ExclusiveScan
/// | v, init (null: the operator's identity)   | as v            | | ScanTotal
/// | v, init (null as above)                   | (as v, T)       | | Broadcast
/// | v, from (i32)                             | as v            | | Shuffle |
/// v, from (i32), fill (may be null)         | as v            | |
/// ShuffleUp/Down/Xor | v, distance (i32), fill (may be null) | as v | | Rotate
/// | v, distance (i32): from (rank + d) mod size | as v          | | Any, All,
/// None| p (bool)                                  | bool            | | Count
/// | p (bool)                                  | i32             | | Uniform |
/// v (compared bit by bit)                   | bool            | | Ballot | p
/// (bool)                                  | mask            | | Match | v
/// (compared member by member, bits)       | mask            | | RankAmong | p
/// (bool)                                  | i32             | | Elect | - |
/// bool            | | ArgMin/ArgMax | v (scalar) | (T, i32)        | | Sync |
/// -                                         | void            |
///
/// Ranks and counts of ranks of the grid are i64, here and below.
///
/// Those that order and rearrange; K elements a thread are [T; K] in blocked
/// arrangement:
///   SegmentedScan, SegmentedReduce: v, head (bool or [bool; K]); as v
///   Sort: k; as k           SortBy: k, v; (as k, as v)
///   Exchange: v, to (i32 or [i32; K]); as v
///   Transpose: v [T; K]; as v, blocked to striped or, with `reverse`, back
///   TopK: v; ([T; N], [i32; N])
///   Histogram: counts (a 1-D shared array or view), v (an integer or array of
///     them); void
///   Arrive: -; the group's token    Wait: token; void
class CollectiveExpr : public Expr {
public:
  COLL_EXPR(CollectiveExpr, Collective)
  enum class Method {
    Reduce,
    Scan,
    ExclusiveScan,
    ScanTotal,
    Broadcast,
    Shuffle,
    ShuffleUp,
    ShuffleDown,
    ShuffleXor,
    Rotate,
    Any,
    All,
    None,
    Count,
    Uniform,
    Ballot,
    Match,
    RankAmong,
    Elect,
    ArgMin,
    ArgMax,
    Sync,
    SegmentedScan,
    SegmentedReduce,
    Sort,
    SortBy,
    Exchange,
    Transpose,
    TopK,
    Histogram,
    Arrive,
    Wait,
  } method = Method::Reduce;
  Group group;
  llvm::SmallVector<Expr *, 3>
      operands;           ///< As in the table; absent ones are null.
  Operator *op = nullptr; ///< Reduce and the scans.
  bool reverse = false;   ///< The scans and Transpose.
  /// `v` is [T; K] in blocked arrangement and combined along K too.
  bool overArray = false;
};
llvm::StringRef getMethodName(CollectiveExpr::Method method);

/// atomic.* and fast.atomic_*: `place` is an element of a view, a shared
/// variable's element or a field of one.
class AtomicExpr : public Expr {
public:
  COLL_EXPR(AtomicExpr, Atomic)
  enum class Op {
    Add,
    Sub,
    Min,
    Max,
    And,
    Or,
    Xor,
    Exchange,
    CompareExchange,
    Load,
    Store
  } op = Op::Add;
  Expr *place = nullptr;
  Expr *value = nullptr;    ///< Null for Load.
  Expr *expected = nullptr; ///< CompareExchange: the value compared with. The
                            ///< result is the old value.
  MemoryOrder order = MemoryOrder::Relaxed;
  MemoryScope scope = MemoryScope::Device;
  /// fast.atomic_*, of floats: threads of a warp may be combined first.
  bool isFast = false;
};

/// x.extent(d) with a constant d: i64.
class ViewQueryExpr : public Expr {
public:
  COLL_EXPR(ViewQueryExpr, ViewQuery)
  Expr *base = nullptr;
  unsigned dimension = 0;
};

/// x.load<N>(i): elements i .. i+N-1 of a 1-D view as [T; N]; a store when
/// `value` is given (void then). With `limit` (chunks): element k is read or
/// written only while first + k < limit, and `fill` stands for the others.
class VectorAccessExpr : public Expr {
public:
  COLL_EXPR(VectorAccessExpr, VectorAccess)
  Expr *base = nullptr;
  Expr *first = nullptr; ///< i64
  unsigned count = 1;
  Expr *value = nullptr;
  Expr *limit = nullptr; ///< i64, may be null.
  Expr *fill = nullptr;  ///< T, may be null when limit is.
};

#undef COLL_EXPR

} // namespace coll::sema

#endif // COLL_SEMA_TYPEDEXPR_H
