//===- Combiner.h - The operator of a reduction or scan ---------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A reduction's operator is a built-in kind or a region. This is the one place
// that knows how to apply either, for passes that write combinations out.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_TRANSFORMS_COMBINER_H
#define COLL_TRANSFORMS_COMBINER_H

#include "coll/Dialect/Coll/IR/Coll.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include <optional>

namespace coll::ir {

/// The leaves of one element.
using Leaves = llvm::SmallVector<mlir::Value>;

/// The operator of a collective, to be written out or handed on.
class Combiner {
public:
  /// The operator of a `coll.reduce` or a scan, which must outlive this.
  template <typename CombiningOp>
  explicit Combiner(CombiningOp op)
      : kind(op.getKind()), region(&op.getCombiner()),
        commutative(op.getCommutative()) {
    if (auto attr = op->template getAttrOfType<CombineKindAttr>(argAttrName))
      argKind = attr.getValue();
  }
  explicit Combiner(CombineKind kind) : kind(kind) {}

  std::optional<CombineKind> getKind() const { return kind; }
  bool isCommutative() const { return commutative; }
  /// What the source calls an operator that is a region; see operatorNameAttr.
  /// Empty if nothing says.
  llvm::StringRef getName() const;
  /// Where the operator is that of arg_min or arg_max on (value, rank), what
  /// the values are compared by.
  std::optional<CombineKind> getArgKind() const { return argKind; }
  /// The attribute of a `coll.reduce` that says so.
  static constexpr llvm::StringLiteral argAttrName = "arg";
  /// Operations of one application, as an estimate of its cost.
  unsigned getNumOperations() const;
  /// True if it may run on values whose combination nobody asked for: no loops,
  /// traps or assertions, which garbage could make endless or stop, and no
  /// access to memory at a place that garbage could choose.
  bool isSpeculatable() const;

  /// left combined with right.
  Leaves combine(mlir::ImplicitLocOpBuilder &b, mlir::ValueRange left,
                 mlir::ValueRange right) const;
  /// The tree of a reduction over at least one element, from left to right.
  Leaves combineTree(mlir::ImplicitLocOpBuilder &b,
                     llvm::SmallVector<Leaves> elements) const;
  /// condition ? left combined with right : otherwise.
  Leaves combineWhere(mlir::ImplicitLocOpBuilder &b, mlir::Value condition,
                      mlir::ValueRange left, mlir::ValueRange right,
                      mlir::ValueRange otherwise) const;

  /// A collective with this operator.
  Leaves createReduce(mlir::ImplicitLocOpBuilder &b, const GroupRef &group,
                      mlir::ValueRange values,
                      Readers readers = Readers::All) const;
  Leaves createScan(mlir::ImplicitLocOpBuilder &b, const GroupRef &group,
                    mlir::ValueRange values) const;
  /// Rank 0 gets `first`.
  Leaves createExclusiveScan(mlir::ImplicitLocOpBuilder &b,
                             const GroupRef &group, mlir::ValueRange values,
                             mlir::ValueRange first) const;

  /// Ends the region of an operator that combines more than this one does, but
  /// goes by its name.
  void yieldAs(mlir::ImplicitLocOpBuilder &b, mlir::ValueRange values) const;

private:
  CombineKindAttr getKindAttr(mlir::ImplicitLocOpBuilder &b) const;
  void cloneRegionInto(mlir::Region &other) const;

  std::optional<CombineKind> kind;
  std::optional<CombineKind> argKind;
  mlir::Region *region = nullptr;
  bool commutative = false;
};

/// A built-in operator on two values. bf16 sums and products are formed in f32
/// and rounded once more.
mlir::Value combineBuiltin(mlir::ImplicitLocOpBuilder &b, CombineKind kind,
                           mlir::Value left, mlir::Value right);

/// What a reduction of nothing gives, as docs/semantics.md lists it.
mlir::TypedAttr getIdentity(CombineKind kind, mlir::Type type);
/// What changes no bit of the other operand: -0.0 for float sums, a quiet NaN
/// for minnum and maxnum, else the identity.
mlir::TypedAttr getNeutral(CombineKind kind, mlir::Type type);

/// condition ? whenTrue : otherwise, leaf by leaf.
Leaves createSelect(mlir::ImplicitLocOpBuilder &b, mlir::Value condition,
                    mlir::ValueRange whenTrue, mlir::ValueRange otherwise);

/// A `coll.if` whose arms are filled by functions that return what they yield.
Leaves createIf(mlir::ImplicitLocOpBuilder &b, mlir::TypeRange types,
                mlir::Value condition, llvm::function_ref<Leaves()> fillThen,
                llvm::function_ref<Leaves()> fillElse = {});

/// A constant of `i1`, `i32` or `i64`.
mlir::Value createBool(mlir::ImplicitLocOpBuilder &b, bool value);
mlir::Value createI32(mlir::ImplicitLocOpBuilder &b, int64_t value);
mlir::Value createI64(mlir::ImplicitLocOpBuilder &b, int64_t value);

/// A variable of the kernel, `i64`, that says which of two halves of a memory
/// is in use: 0 at first.
mlir::Value createHalfVariable(mlir::ImplicitLocOpBuilder &b, KernelOp kernel);

/// Whether two values have the same bits, as an `i1`.
mlir::Value createSameBits(mlir::ImplicitLocOpBuilder &b, mlir::Value left,
                           mlir::Value right);

} // namespace coll::ir

#endif // COLL_TRANSFORMS_COMBINER_H
