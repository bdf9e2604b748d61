//===- Masks.cpp - Methods of masks ---------------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "Checker.h"

using namespace coll;
using namespace coll::sema;
using llvm::StringRef;
using llvm::Twine;

namespace {

struct MaskMethod {
  StringRef name;
  Builtin builtin;
  bool takesRank;
};

constexpr MaskMethod maskMethods[] = {
    {"count", Builtin::MaskCount, false},
    {"lowest", Builtin::MaskLowest, false},
    {"highest", Builtin::MaskHighest, false},
    {"contains", Builtin::MaskContains, true},
    {"below", Builtin::MaskBelow, true},
    {"above", Builtin::MaskAbove, false},
};

const Type *getResultType(const TypeContext &types, Builtin builtin) {
  switch (builtin) {
  case Builtin::MaskContains:
    return types.getBool();
  case Builtin::MaskBelow:
  case Builtin::MaskAbove:
    return types.getMask();
  default:
    return types.getI32();
  }
}

} // namespace

Expr *Checker::checkMaskMethod(Expr *base, const ast::CallExpr &call,
                               const ast::MemberExpr &callee) {
  const ast::Name &name = callee.getMember();
  llvm::SmallVector<StringRef, 6> names;
  for (const MaskMethod &method : maskMethods) {
    names.push_back(method.name);
    if (method.name != name.text)
      continue;
    static constexpr ParamSpec rankParam[] = {{"r"}};
    auto params = llvm::ArrayRef(rankParam).take_front(method.takesRank);
    auto args =
        matchArguments(call, "mask." + Twine(method.name), params, diags);
    if (!args)
      return makeError(call.getRange());
    auto *result = make<BuiltinExpr>(getResultType(types, method.builtin),
                                     call.getRange());
    result->builtin = method.builtin;
    result->args = {base};
    for (const ast::Expr *arg : *args) {
      Expr *rank = checkI32(arg);
      if (rank->getType()->isError())
        return makeError(call.getRange());
      result->args.push_back(rank);
    }
    return result;
  }
  StringRef near = nearestName(name.text, names);
  std::string hint =
      near.empty() ? "" : ("; did you mean '" + near + "'?").str();
  return fail(name.range,
              "a mask has no method '" + Twine(name.text) + "'" + hint);
}
