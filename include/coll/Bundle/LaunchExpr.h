//===- LaunchExpr.h - What the host computes before a launch ----*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `grid(...)` and the bytes of dynamic shared memory depend on extents and
// scalars that only a launch knows. They travel as prefix text,
//
//   expr ::= integer | name | `(` operator expr... `)`
//
// for example `(ceil_div n 256)` or `(if (< n 1024) 1 (/ n 1024))`. Everything
// is i64: sums, differences and products wrap, division is total (a divisor of
// 0 counts as 1, and so does -1 under the smallest integer), shifts take their
// count modulo 64 and `>>` keeps the sign, comparisons give 0 or 1.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_BUNDLE_LAUNCHEXPR_H
#define COLL_BUNDLE_LAUNCHEXPR_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coll {

/// An expression over named i64 values. It is a value type; copies are deep.
class LaunchExpr {
public:
  enum class Op : uint8_t {
    Constant,
    Name,
    Add,     ///< +
    Sub,     ///< -
    Mul,     ///< *
    Div,     ///< /, toward zero
    Rem,     ///< %, with the sign of the dividend
    CeilDiv, ///< ceil_div, toward positive infinity
    Min,     ///< min
    Max,     ///< max
    Shl,     ///< <<
    Shr,     ///< >>
    And,     ///< &
    Or,      ///< |
    Xor,     ///< ^
    Eq,      ///< ==
    Ne,      ///< !=
    Lt,      ///< <
    Le,      ///< <=
    Gt,      ///< >
    Ge,      ///< >=
    If,      ///< if condition then else: the condition is true if not 0
  };

  /// The constant 0.
  LaunchExpr() : LaunchExpr(constant(0)) {}

  static LaunchExpr constant(int64_t value);
  /// `name` is an extent, a pitch or a scalar parameter of the kernel: letters,
  /// digits, `_` and `.`, not starting with a digit.
  static LaunchExpr name(llvm::StringRef name);
  /// `op` is one of Add to Ge.
  static LaunchExpr binary(Op op, const LaunchExpr &lhs, const LaunchExpr &rhs);
  static LaunchExpr select(const LaunchExpr &condition, const LaunchExpr &then,
                           const LaunchExpr &otherwise);

  /// Parses the whole text. The error gives the column of what is wrong.
  static llvm::Expected<LaunchExpr> parse(llvm::StringRef text);

  /// The value, when `lookup` gives that of every name. The error names the
  /// first name without one.
  llvm::Expected<int64_t> evaluate(
      llvm::function_ref<std::optional<int64_t>(llvm::StringRef)> lookup) const;
  llvm::Expected<int64_t>
  evaluate(const llvm::StringMap<int64_t> &values) const;

  /// The value, if the expression names nothing.
  std::optional<int64_t> getConstant() const;
  /// The names used, each once, in order of first appearance.
  std::vector<std::string> getNames() const;

  /// The prefix text, which `parse` reads back as an equal expression.
  std::string str() const;
  /// What messages show: the expression as the language writes it,
  /// "n < 8 ? n : ceil_div(n, 8)".
  std::string describe() const;

  bool operator==(const LaunchExpr &other) const;
  bool operator!=(const LaunchExpr &other) const { return !(*this == other); }

private:
  struct Node {
    Op op = Op::Constant;
    int64_t value = 0; ///< Of a Constant.
    std::string name;  ///< Of a Name.
    bool operator==(const Node &) const = default;
  };

  explicit LaunchExpr(std::vector<Node> nodes) : nodes(std::move(nodes)) {}
  static unsigned getOperandCount(Op op);
  static int64_t apply(Op op, int64_t lhs, int64_t rhs);

  /// Operators before their operands, as in the text. No pointers and no
  /// recursion: the depth of an expression cannot exhaust the stack.
  std::vector<Node> nodes;
};

} // namespace coll

#endif // COLL_BUNDLE_LAUNCHEXPR_H
