//===- Emitter.h - Emits one kernel -----------------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value of the language is the list of its leaves; a place is where one lies
// in memory. There is one function for each kind of node, and none decides
// anything that the typed tree does not say.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_IRGEN_EMITTER_H
#define COLL_LIB_IRGEN_EMITTER_H

#include "Arithmetic.h"
#include "coll/Dialect/Coll/IR/Coll.h"
#include "coll/Sema/TypedAST.h"
#include "coll/Support/Diagnostics.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/DenseMap.h"

namespace coll::irgen {

using Leaves = llvm::SmallVector<mlir::Value, 4>;

/// A value, or a view, in memory: `view` with its first dimensions indexed. The
/// dimensions that are left are those of a view or of an array.
struct Place {
  mlir::Value view;
  llvm::SmallVector<mlir::Value> indices;

  ir::ViewType getViewType() const {
    return llvm::cast<ir::ViewType>(view.getType());
  }
  /// The extents of the dimensions that are left.
  llvm::ArrayRef<int64_t> getShape() const {
    llvm::ArrayRef<int64_t> shape = getViewType().getShape();
    return shape.drop_front(std::min(indices.size(), shape.size()));
  }
};

/// What a variable stands for at this point of the expansion.
struct Binding {
  Leaves leaves;              ///< Of a value.
  std::optional<Place> place; ///< Of anything in memory, and of spilled values.
  /// Where the leaves exist: after this operation, or at the block's start.
  mlir::Block *block = nullptr;
  mlir::Operation *after = nullptr;
};

/// A type as the element of a view: an array's lengths become dimensions.
struct MemoryLayout {
  llvm::SmallVector<int64_t, 2> dims;
  mlir::Type element;
};

/// A member of a struct or tuple.
struct MemberInfo {
  const sema::Type *type;
  uint64_t offset;
  unsigned firstLeaf;
};
MemberInfo getMember(const sema::Type *type, unsigned index);

/// The type of a leaf's value.
mlir::Type getLeafType(const sema::Type *leaf, mlir::MLIRContext *context);
MemoryLayout getLayout(const sema::Type *type, mlir::MLIRContext *context);
/// Whether operations on the leaf (or scalar, vector, enum) are signed.
inline bool isSigned(const sema::Type *leaf) {
  return sema::isSignedInteger(leaf->getScalarKind());
}

class KernelEmitter {
public:
  KernelEmitter(const sema::Kernel &kernel, mlir::OpBuilder builder,
                llvm::SourceMgr &sources, DiagnosticEngine &diags);

  /// Emits the kernel at the builder's place. Null after an error.
  ir::KernelOp emit();

private:
  //===--------------------------------------------------------------------===//
  // The kernel (Kernel.cpp)
  //===--------------------------------------------------------------------===//

  ir::KernelOp createKernelOp();
  void bindParams(mlir::Block &entry);
  ir::ParamAttr describeParam(const sema::Kernel::Param &param);

  //===--------------------------------------------------------------------===//
  // Helpers (Kernel.cpp)
  //===--------------------------------------------------------------------===//

  std::pair<unsigned, unsigned> getLineAndColumn(const char *place,
                                                 unsigned buffer);
  mlir::Location getLocation(llvm::SMLoc loc);
  /// The location with a name for messages, unless it has one: that of the
  /// variable which holds the value or, with a dot in it, what the source calls
  /// an operation ("grid.rank").
  mlir::Location getNamedLoc(llvm::StringRef name, mlir::Location loc);
  /// Reports the first error of the kernel; after it nothing is emitted.
  void fail(llvm::SMLoc loc, const llvm::Twine &text);
  /// True (after an error) if the kernel is too large or nested too deeply.
  bool isGivenUp(llvm::SMLoc loc);
  mlir::MLIRContext *getContext() { return b.getContext(); }
  mlir::Value makeIndex(int64_t value) {
    return num.constant(b.getI64Type(), value);
  }
  llvm::SmallVector<mlir::Type> getLeafTypes(const sema::Type *type);
  /// Zeros, for code that is never reached.
  Leaves makeZeros(const sema::Type *type);
  void bindValue(const sema::Variable *variable, Leaves leaves);
  void bindPlace(const sema::Variable *variable, Place place);
  static bool isTerminated(mlir::Block &block);
  /// Fills the empty region with a block, which `emitBody` fills and ends.
  void emitRegion(mlir::Region &region, llvm::function_ref<void()> emitBody);
  /// `condition ? then : else` over leaves of these types.
  Leaves emitIf(mlir::Value condition, mlir::TypeRange types,
                llvm::function_ref<Leaves()> emitThen,
                llvm::function_ref<Leaves()> emitElse);

  //===--------------------------------------------------------------------===//
  // Statements (Stmt.cpp, Loop.cpp). The result says whether control may go on
  // after the statement.
  //===--------------------------------------------------------------------===//

  bool emitStmt(const sema::Stmt *stmt);
  bool emitBlock(const sema::BlockStmt *block);
  void emitDeclare(const sema::DeclareStmt *declare);
  void emitAssign(const sema::AssignStmt *assign);
  bool emitIfStmt(const sema::IfStmt *stmt);
  void emitWhile(const sema::WhileStmt *loop);
  void emitFor(const sema::ForStmt *loop);
  void emitReturn(const sema::ReturnStmt *stmt);
  void emitAssert(const sema::AssertStmt *stmt);
  /// A region of statements that ends in coll.yield unless it leaves before.
  bool emitArm(mlir::Region &region, const sema::Stmt *body);

  /// The bounds of a `for` loop: values, and constants where they are known.
  struct Range {
    mlir::Value begin, end, step;
    bool isSigned, inclusive;
  };
  bool cannotOverflow(const sema::ForStmt *loop);
  void emitSimpleFor(const sema::ForStmt *loop, const Range &range);
  void emitReverseFor(const sema::ForStmt *loop, const Range &range);
  void emitCountedFor(const sema::ForStmt *loop, const Range &range);
  ir::LoopOp createLoop(unsigned unroll,
                        llvm::function_ref<mlir::Value()> emitCondition,
                        llvm::function_ref<bool()> emitBody,
                        llvm::function_ref<void()> emitStep);

  //===--------------------------------------------------------------------===//
  // Expressions (Expr.cpp, Call.cpp, Builtin.cpp)
  //===--------------------------------------------------------------------===//

  Leaves emitExpr(const sema::Expr *expr);
  /// Of a type with one leaf.
  mlir::Value emitScalar(const sema::Expr *expr);
  Leaves emitKind(const sema::Expr *expr);
  Leaves emitConstant(const sema::ConstantExpr *expr);
  Leaves emitVariable(const sema::VariableExpr *expr);
  Leaves emitMember(const sema::MemberExpr *expr);
  Leaves emitIndex(const sema::IndexExpr *expr);
  mlir::Value emitUnary(const sema::UnaryExpr *expr);
  mlir::Value emitLogical(const sema::LogicalExpr *expr);
  Leaves emitConditional(const sema::ConditionalExpr *expr);
  mlir::Value emitCast(const sema::CastExpr *expr);
  Leaves emitBitcast(const sema::BitcastExpr *expr);
  Leaves emitAggregate(const sema::AggregateExpr *expr);
  Leaves emitVectorAccess(const sema::VectorAccessExpr *expr);
  Leaves emitCall(const sema::CallExpr *call);
  void bindArgs(const sema::CallExpr *call);
  void emitFunctionBody(const sema::Function *function);
  Leaves emitBuiltin(const sema::BuiltinExpr *expr);
  mlir::Value emitNumeric(const sema::BuiltinExpr *expr);
  mlir::Value emitBitFunction(const sema::BuiltinExpr *expr, mlir::Value value);
  mlir::Value emitMaskFunction(const sema::BuiltinExpr *expr);
  mlir::Value emitFast(const sema::BuiltinExpr *expr);
  Leaves emitAtomic(const sema::AtomicExpr *expr);
  Leaves emitAtomicBits(const sema::AtomicExpr *expr, Place place);

  //===--------------------------------------------------------------------===//
  // Groups (Group.cpp)
  //===--------------------------------------------------------------------===//

  mlir::Value emitGroupQuery(const sema::GroupQueryExpr *expr);
  mlir::Value emitDimensionQuery(const sema::GroupQueryExpr *expr,
                                 mlir::Type type);
  mlir::Value emitLinearQuery(const sema::GroupQueryExpr *expr,
                              mlir::Type type);
  mlir::Value emitBlockTileQuery(const sema::GroupQueryExpr *expr,
                                 mlir::Type type);
  /// False (after an error) for a tile that does not divide the block, or warps
  /// that it does not have.
  bool fitsBlock(const sema::Group &group, llvm::SMLoc loc);
  bool hasWarps(const sema::Group &group, llvm::SMLoc loc);
  /// False (after an error) for a constant rank that the block does not have:
  /// sema, which does not know the block's size, tells of those of other
  /// groups.
  bool fitsConstantRank(const sema::CollectiveExpr *expr, mlir::Value rank);
  mlir::Value emitThreadQuery(sema::GroupQueryExpr::Query query,
                              mlir::Type type);
  mlir::Value emitGridQuery(sema::GroupQueryExpr::Query query, mlir::Type type);
  mlir::Value emitClusterQuery(const sema::GroupQueryExpr *expr,
                               mlir::Type type);
  /// The linear index of the block, and the number of blocks: i64.
  mlir::Value emitBlockIndex();
  mlir::Value emitBlockCount();
  int64_t getBlockSize() const {
    return int64_t(kernel.workgroup[0]) * kernel.workgroup[1] *
           kernel.workgroup[2];
  }
  /// One that is made at run time is made, or read, here.
  ir::GroupRef getGroup(const sema::Group &group);
  mlir::Value emitGroup(const sema::GroupExpr *expr);

  //===--------------------------------------------------------------------===//
  // Memory (Place.cpp)
  //===--------------------------------------------------------------------===//

  /// Whether the expression denotes memory, not a value.
  static bool isPlace(const sema::Expr *expr);
  /// Where the expression's value lies; a value is spilled to a variable.
  Place emitPlace(const sema::Expr *expr);
  Place emitVariablePlace(const sema::VariableExpr *expr);
  Place emitSlice(const sema::SliceExpr *expr);
  Place getField(const Place &base, const sema::Type *type, uint64_t offset);
  /// The lanes of a vector as one more dimension.
  Place getLanes(const Place &base, const sema::Type *vector);
  /// The view of what is left of the place.
  mlir::Value getView(const Place &place);
  mlir::Value getExtent(const Place &place, unsigned dimension);
  Place makeVar(llvm::StringRef name, const sema::Type *type);
  Place spill(llvm::StringRef name, const sema::Type *type,
              mlir::ValueRange leaves);
  Leaves load(const Place &place);
  void store(const Place &place, mlir::ValueRange leaves);
  /// Calls `visit` with the indices of each element of the place.
  void forEachElement(const Place &place,
                      llvm::function_ref<void(mlir::ValueRange)> visit);
  void emitShared(const sema::Variable *variable);
  void emitDynamicShared(const sema::Variable *variable);

  /// Leaves, with no padding between them, as the bits of one integer, and
  /// back.
  mlir::Value packBits(const sema::Type *type, mlir::ValueRange leaves);
  Leaves unpackBits(const sema::Type *type, mlir::Value bits);
  mlir::Value bitcast(mlir::Value value, mlir::Type to);

  //===--------------------------------------------------------------------===//
  // Collectives (Collective.cpp, Scan.cpp)
  //===--------------------------------------------------------------------===//

  /// The place of a call, with its name and options as `collc explain` has
  /// them: {"warp.scan", "init", "reverse"}.
  mlir::Location getCallLoc(llvm::SMLoc loc,
                            llvm::ArrayRef<llvm::StringRef> call);
  mlir::Location getCallLoc(const sema::CollectiveExpr *expr);
  Leaves emitCollective(const sema::CollectiveExpr *expr);
  Leaves emitThreadCollective(const sema::CollectiveExpr *expr);
  Leaves emitThreadCombining(const sema::CollectiveExpr *expr,
                             mlir::ValueRange values);
  Leaves emitThreadShuffle(const sema::CollectiveExpr *expr,
                           mlir::ValueRange values);
  mlir::Value narrowRank(mlir::Value rank);
  /// A rank, or a number of ranks, as the source has it.
  mlir::Value widenRank(mlir::Value rank, const ir::GroupRef &group);
  /// Whether all leaves are combined by one operation, because what it costs is
  /// that blocks wait for each other.
  static bool isOneExchange(const ir::GroupRef &group,
                            const sema::Type *element);
  Leaves emitVoteOrMask(const sema::CollectiveExpr *expr,
                        const ir::GroupRef &group);
  Leaves emitShuffle(const sema::CollectiveExpr *expr,
                     const ir::GroupRef &group);
  Leaves emitArgReduce(const sema::CollectiveExpr *expr,
                       const ir::GroupRef &group);
  Leaves emitReduce(const sema::CollectiveExpr *expr,
                    const ir::GroupRef &group);
  Leaves emitScan(const sema::CollectiveExpr *expr, const ir::GroupRef &group);

  // Rearrangement.cpp, of all groups.
  Leaves emitRearrangement(const sema::CollectiveExpr *expr);
  Leaves emitSort(const sema::CollectiveExpr *expr, ir::GroupAttr group);
  Leaves emitExchange(const sema::CollectiveExpr *expr, ir::GroupAttr group);
  Leaves emitTranspose(const sema::CollectiveExpr *expr, ir::GroupAttr group);
  void emitHistogram(const sema::CollectiveExpr *expr, ir::GroupAttr group);

  /// Segmented.cpp: segmented_scan and segmented_reduce.
  class Segmented;
  friend class Segmented;
  Leaves emitSegmented(const sema::CollectiveExpr *expr,
                       const ir::GroupRef &group);

  /// left op right, in this thread; both are elements of `type`.
  Leaves combine(const sema::Operator &op, const sema::Type *type,
                 mlir::ValueRange left, mlir::ValueRange right);
  /// The operator's identity, or nothing if it has none.
  Leaves makeIdentity(const sema::Operator &op, const sema::Type *type);
  void emitCombiner(mlir::Region &region, const sema::Operator &op,
                    const sema::Type *type);
  /// Ends an operator's region, which goes by the name of `op`.
  void yieldCombination(const sema::Operator &op, mlir::ValueRange values);
  /// The elements of `[T; K]` combined one after the other; `each` gets the
  /// running value of each element.
  Leaves combineSerially(const sema::CollectiveExpr *expr,
                         const sema::Type *element, mlir::ValueRange values,
                         llvm::SmallVectorImpl<Leaves> *each);
  Leaves emitReduceOp(const sema::CollectiveExpr *expr,
                      const ir::GroupRef &group, const sema::Type *element,
                      mlir::ValueRange values);
  Leaves emitScanOp(const sema::CollectiveExpr *expr, const ir::GroupRef &group,
                    const sema::Type *element, mlir::ValueRange values);
  /// The exclusive scan, and after it the total if `withTotal`.
  Leaves emitExclusiveOp(const sema::CollectiveExpr *expr,
                         const ir::GroupRef &group, const sema::Type *element,
                         mlir::ValueRange values, mlir::ValueRange first,
                         bool withTotal);
  mlir::Value emitIsFirstRank(const sema::CollectiveExpr *expr,
                              const ir::GroupRef &group);
  Leaves combineUnless(mlir::Value isFirst, const sema::Operator &op,
                       const sema::Type *element, mlir::ValueRange left,
                       mlir::ValueRange right, mlir::ValueRange otherwise);
  Leaves emitInclusiveOverArray(const sema::CollectiveExpr *expr,
                                const ir::GroupRef &group);
  Leaves emitExclusive(const sema::CollectiveExpr *expr,
                       const ir::GroupRef &group);
  Leaves emitExclusiveOverArray(const sema::CollectiveExpr *expr,
                                const ir::GroupRef &group);

  /// Keeps the builder's location, and counts the nesting, while one node is
  /// emitted.
  class NodeScope;
  friend class NodeScope;

  /// Counts the operations of the kernel.
  struct OpCounter : mlir::OpBuilder::Listener {
    void notifyOperationInserted(mlir::Operation *,
                                 mlir::OpBuilder::InsertPoint) override {
      ++count;
    }
    uint64_t count = 0;
  };

  const sema::Kernel &kernel;
  llvm::SourceMgr &sources;
  DiagnosticEngine &diags;
  OpCounter counter;
  mlir::ImplicitLocOpBuilder b;
  Arithmetic num;
  llvm::DenseMap<const sema::Variable *, Binding> bindings;
  /// The call that is being expanded; null in the kernel's own text.
  mlir::LocationAttr callerLoc;
  /// The calls that are being expanded, outermost first.
  llvm::SmallVector<llvm::SMLoc> calls;
  /// What getLineAndColumn was asked last, and its answer.
  const char *lastPlace = nullptr;
  std::pair<unsigned, unsigned> lastLineAndColumn;
  mlir::Block *entryBlock = nullptr;
  mlir::Operation *lastShared = nullptr;
  unsigned depth = 0;
  bool hasFailed = false;
};

class KernelEmitter::NodeScope {
public:
  NodeScope(KernelEmitter &emitter, llvm::SMLoc loc)
      : emitter(emitter), previous(emitter.b.getLoc()) {
    ++emitter.depth;
    if (loc.isValid())
      emitter.b.setLoc(emitter.getLocation(loc));
  }
  ~NodeScope() {
    --emitter.depth;
    emitter.b.setLoc(previous);
  }

private:
  KernelEmitter &emitter;
  mlir::Location previous;
};

} // namespace coll::irgen

#endif // COLL_LIB_IRGEN_EMITTER_H
