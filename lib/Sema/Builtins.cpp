//===- Builtins.cpp - Math, bits and other functions of the language ------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All arguments of one call have one type, after literals adapted and integers
// widened; the result has it too (also of popcount, clz and ctz), except for
// the tests is_nan and is_inf.
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "BuiltinFolding.h"
#include "Checker.h"
#include "MemoryModel.h"

using namespace coll;
using namespace coll::sema;
using llvm::SMRange;
using llvm::StringRef;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

namespace {

/// What the arguments may be.
enum class Domain {
  Number,  ///< Integers and floats.
  Float,   ///< All float types.
  Fast,    ///< f32 alone: what the hardware approximates.
  Integer, ///< Integers.
};

struct BuiltinSpec {
  Builtin builtin;
  Domain domain;
  unsigned arity;
};

constexpr BuiltinSpec builtinSpecs[] = {
    {Builtin::Abs, Domain::Number, 1},
    {Builtin::Min, Domain::Number, 2},
    {Builtin::Max, Domain::Number, 2},
    {Builtin::Clamp, Domain::Number, 3},
    {Builtin::Minimum, Domain::Float, 2},
    {Builtin::Maximum, Domain::Float, 2},
    {Builtin::Floor, Domain::Float, 1},
    {Builtin::Ceil, Domain::Float, 1},
    {Builtin::Round, Domain::Float, 1},
    {Builtin::Trunc, Domain::Float, 1},
    {Builtin::Fma, Domain::Float, 3},
    {Builtin::Sqrt, Domain::Float, 1},
    {Builtin::Rsqrt, Domain::Float, 1},
    {Builtin::Popcount, Domain::Integer, 1},
    {Builtin::Clz, Domain::Integer, 1},
    {Builtin::Ctz, Domain::Integer, 1},
    {Builtin::Reverse, Domain::Integer, 1},
    {Builtin::Rotl, Domain::Integer, 2},
    {Builtin::Rotr, Domain::Integer, 2},
    {Builtin::BytePerm, Domain::Integer, 3},
    {Builtin::FastExp, Domain::Fast, 1},
    {Builtin::FastExp2, Domain::Fast, 1},
    {Builtin::FastLog, Domain::Fast, 1},
    {Builtin::FastLog2, Domain::Fast, 1},
    {Builtin::FastSin, Domain::Fast, 1},
    {Builtin::FastCos, Domain::Fast, 1},
    {Builtin::FastTanh, Domain::Fast, 1},
    {Builtin::FastSqrt, Domain::Fast, 1},
    {Builtin::FastRsqrt, Domain::Fast, 1},
    {Builtin::FastRcp, Domain::Fast, 1},
    {Builtin::FastDiv, Domain::Fast, 2},
    {Builtin::IsNan, Domain::Float, 1},
    {Builtin::IsInf, Domain::Float, 1},
};

/// Functions that are no single operation.
constexpr StringRef otherFunctions[] = {"exp", "log", "ceil_div", "fence",
                                        "pause"};

/// Functions of the language that are still to come.
constexpr StringRef unsupportedFunctions[] = {
    "exp2",       "expm1",   "log2", "log1p", "log10",
    "sin",        "cos",     "tan",  "sinh",  "cosh",
    "tanh",       "asin",    "acos", "atan",  "atan2",
    "pow",        "erf",     "cbrt", "hypot", "assume_uniform",
    "copy_async", "prefetch"};

StringRef getSpelling(Builtin builtin) {
  if (builtin == Builtin::IsNan)
    return "is_nan";
  if (builtin == Builtin::IsInf)
    return "is_inf";
  return getBuiltinName(builtin);
}

const BuiltinSpec *findBuiltin(StringRef name) {
  for (const BuiltinSpec &spec : builtinSpecs)
    if (getSpelling(spec.builtin) == name)
      return &spec;
  return nullptr;
}

constexpr ParamSpec oneParam[] = {{"x"}};
constexpr ParamSpec twoParams[] = {{"x"}, {"y"}};
constexpr ParamSpec clampParams[] = {{"x"}, {"low"}, {"high"}};
constexpr ParamSpec fmaParams[] = {{"x"}, {"y"}, {"z"}};
constexpr ParamSpec rotateParams[] = {{"x"}, {"n"}};
constexpr ParamSpec bytePermParams[] = {{"x"}, {"y"}, {"selector"}};

llvm::ArrayRef<ParamSpec> getParams(const BuiltinSpec &spec) {
  switch (spec.builtin) {
  case Builtin::Clamp:
    return clampParams;
  case Builtin::Fma:
    return fmaParams;
  case Builtin::Rotl:
  case Builtin::Rotr:
    return rotateParams;
  case Builtin::BytePerm:
    return bytePermParams;
  default:
    return spec.arity == 1 ? llvm::ArrayRef<ParamSpec>(oneParam)
                           : llvm::ArrayRef<ParamSpec>(twoParams);
  }
}

//===----------------------------------------------------------------------===//
// Checking one call
//===----------------------------------------------------------------------===//

using Args = llvm::SmallVector<Expr *, 3>;

class BuiltinChecker {
public:
  BuiltinChecker(Checker &checker, StringRef name, const ast::CallExpr &call)
      : checker(checker), name(name), call(call), range(call.getRange()) {}

  Expr *checkTable(const BuiltinSpec &spec, const Type *expected);
  Expr *checkStdFunction(const Type *expected);
  /// The two operands of ceil_div; false after an error.
  bool checkCeilDivArgs(const Type *expected, Args &args);
  Expr *checkFence();
  Expr *checkPause();

private:
  Expr *makeError() { return checker.makeError(range); }
  bool checkSameType(llvm::ArrayRef<const ast::Expr *> exprs,
                     const Type *expected, Args &args);
  bool checkRotateArgs(llvm::ArrayRef<const ast::Expr *> exprs,
                       const Type *expected, Args &args);
  bool requireDomain(const BuiltinSpec &spec, const Type *type);
  bool failDomain(StringRef wanted, const Type *type, StringRef hint = "");
  Expr *makeBuiltin(const BuiltinSpec &spec, const Args &args);

  Checker &checker;
  StringRef name;
  const ast::CallExpr &call;
  SMRange range;
};

} // namespace

/// Checks the arguments so that they have one type: that of the first which is
/// no literal, else of the first float, else what is expected.
bool BuiltinChecker::checkSameType(llvm::ArrayRef<const ast::Expr *> exprs,
                                   const Type *expected, Args &args) {
  args.assign(exprs.size(), nullptr);
  size_t pivot = exprs.size();
  for (size_t i = 0; i < exprs.size() && pivot == exprs.size(); ++i)
    if (!Checker::isFlexible(exprs[i]))
      pivot = i;
  for (size_t i = 0; i < exprs.size() && pivot == exprs.size(); ++i) {
    args[i] = checker.checkValue(exprs[i], expected);
    if (args[i]->getType()->isFloatScalar())
      pivot = i;
  }
  if (pivot == exprs.size())
    pivot = 0;
  if (!args[pivot])
    args[pivot] = checker.checkValue(exprs[pivot], expected);
  const Type *type = args[pivot]->getType();
  for (size_t i = 0; i < exprs.size(); ++i)
    if (i != pivot)
      args[i] = checker.checkValue(exprs[i], type);
  for (Expr *arg : args)
    if (arg->getType()->isError())
      return false;
  // Twice, so that the first ones widen to what a later one needs.
  for (int round = 0; round < 2; ++round)
    for (size_t i = 1; i < args.size(); ++i)
      if (!checker.unifyOperands(args[0], args[i], range.Start,
                                 "the arguments of " + Twine(name)))
        return false;
  return true;
}

/// rotl(x, n): the count may have any integer type.
bool BuiltinChecker::checkRotateArgs(llvm::ArrayRef<const ast::Expr *> exprs,
                                     const Type *expected, Args &args) {
  Expr *value = checker.checkValue(exprs[0], expected);
  const Type *type = value->getType();
  if (type->isError())
    return false;
  Expr *count = checker.checkValue(exprs[1], type);
  if (count->getType()->isError())
    return false;
  if (count->getType()->isIntegerScalar() && type->isIntegerScalar())
    count = checker.makeCast(count, type, count->getRange());
  else
    count = checker.coerce(count, type, count->getLoc());
  args = {value, count};
  return !count->getType()->isError();
}

bool BuiltinChecker::failDomain(StringRef wanted, const Type *type,
                                StringRef hint) {
  checker.error(range.Start, Twine(name) + " takes " + wanted + ", got " +
                                 type->str() + hint);
  return false;
}

bool BuiltinChecker::requireDomain(const BuiltinSpec &spec, const Type *type) {
  const Type *element = type->isVector() ? type->getElement() : type;
  bool isFloat = element->isFloatScalar();
  bool isInteger = element->isIntegerScalar();
  bool isTest =
      spec.builtin == Builtin::IsNan || spec.builtin == Builtin::IsInf;
  if (isTest && type->isVector())
    return failDomain("a float", type);
  switch (spec.domain) {
  case Domain::Number:
    return isFloat || isInteger || failDomain("numbers", type);
  case Domain::Integer:
    if (spec.builtin == Builtin::BytePerm)
      return type->isScalar(ScalarKind::U32) || failDomain("u32", type);
    return isInteger ||
           failDomain("integers", type,
                      type->isMask() && spec.builtin == Builtin::Popcount
                          ? "; a mask has count()"
                          : "");
  case Domain::Fast: {
    if (element->isScalar(ScalarKind::F32))
      return true;
    // Only some have an exact form to offer.
    StringRef exact = name.drop_front(StringRef("fast.").size());
    std::string hint = isFloat && (findBuiltin(exact) ||
                                   llvm::is_contained(otherFunctions, exact))
                           ? ("; use " + exact).str()
                           : "";
    return failDomain("f32", type, hint);
  }
  case Domain::Float:
    break;
  }
  if (spec.builtin == Builtin::Fma && element->isScalar(ScalarKind::BF16))
    return failDomain("f16, f32 or f64", type,
                      "; chips disagree on its rounding, so convert to f32");
  if (isFloat)
    return true;
  StringRef hint = "";
  if (isInteger && spec.builtin == Builtin::Minimum)
    hint = "; use min";
  else if (isInteger && spec.builtin == Builtin::Maximum)
    hint = "; use max";
  return failDomain("floats", type, hint);
}

Expr *BuiltinChecker::makeBuiltin(const BuiltinSpec &spec, const Args &args) {
  bool isTest =
      spec.builtin == Builtin::IsNan || spec.builtin == Builtin::IsInf;
  const Type *type = isTest ? checker.types.getBool() : args[0]->getType();
  if (auto folded = foldBuiltin(spec.builtin, args))
    return checker.makeConstant(type, std::move(*folded), range);
  auto *builtin = checker.make<BuiltinExpr>(type, range);
  builtin->builtin = spec.builtin;
  builtin->args = args;
  return builtin;
}

Expr *BuiltinChecker::checkTable(const BuiltinSpec &spec,
                                 const Type *expected) {
  auto matched = matchArguments(call, name, getParams(spec), checker.diags);
  if (!matched)
    return makeError();
  bool isRotate =
      spec.builtin == Builtin::Rotl || spec.builtin == Builtin::Rotr;
  bool isTest =
      spec.builtin == Builtin::IsNan || spec.builtin == Builtin::IsInf;
  // An integer literal is a float where floats are wanted.
  const Type *hint = isTest ? nullptr : expected;
  if (!hint && spec.domain != Domain::Number && spec.domain != Domain::Integer)
    hint = checker.types.getScalar(ScalarKind::F32);
  if (spec.builtin == Builtin::BytePerm)
    hint = checker.types.getScalar(ScalarKind::U32);
  Args args;
  if (!(isRotate ? checkRotateArgs(*matched, hint, args)
                 : checkSameType(*matched, hint, args)))
    return makeError();
  if (!requireDomain(spec, args[0]->getType()))
    return makeError();
  bool isUnsigned = args[0]->getType()->isIntegerScalar() &&
                    isUnsignedInteger(args[0]->getType()->getScalarKind());
  if (spec.builtin == Builtin::Abs && isUnsigned)
    return args[0];
  return makeBuiltin(spec, args);
}

//===----------------------------------------------------------------------===//
// Functions of std.math
//===----------------------------------------------------------------------===//

/// exp and log: `exp_f32`, `exp_f64` of std.math; f16 and bf16 through f32.
Expr *BuiltinChecker::checkStdFunction(const Type *expected) {
  auto matched = matchArguments(call, name, oneParam, checker.diags);
  if (!matched)
    return makeError();
  const Type *f32 = checker.types.getScalar(ScalarKind::F32);
  Expr *arg = checker.checkValue((*matched)[0], expected ? expected : f32);
  const Type *type = arg->getType();
  if (type->isError())
    return makeError();
  if (type->isVector())
    return checker.failUnsupported(range, Twine(name) + " of a vector");
  if (!type->isFloatScalar()) {
    failDomain("a float", type);
    return makeError();
  }
  const Type *working = type->isScalar(ScalarKind::F64) ? type : f32;
  std::string function = (name + "_" + working->str()).str();
  Decl *decl = checker.lookupDecl(function);
  if (!decl)
    return checker.fail(range, Twine(name) + " needs std.math, which has no '" +
                                   function + "'");
  Instance *instance = checker.instantiateFor(decl, {working}, {}, range);
  if (!instance)
    return makeError();
  Expr *operand = checker.makeCast(arg, working, range);
  return checker.makeCast(checker.makeCall(instance, {operand}, range), type,
                          range);
}

//===----------------------------------------------------------------------===//
// ceil_div
//===----------------------------------------------------------------------===//

bool BuiltinChecker::checkCeilDivArgs(const Type *expected, Args &args) {
  auto matched = matchArguments(call, name, twoParams, checker.diags);
  if (!matched || !checkSameType(*matched, expected, args))
    return false;
  if (!args[0]->getType()->isIntegerScalar())
    return failDomain("integers", args[0]->getType());
  auto divisor = Checker::getInteger(args[1]);
  if (!divisor || !divisor->isZero())
    return true;
  checker.error(args[1]->getLoc(), "ceil_div by a constant zero");
  return false;
}

/// The quotient, rounded up, of a and b:
///   a / b + (a % b != 0 && (a % b < 0) == (b < 0) ? 1 : 0)
/// The total division makes it a where b is 0.
static Expr *makeCeilDivValue(Checker &checker, Expr *a, Expr *b,
                              SMRange range) {
  const Type *type = a->getType();
  Expr *zero = checker.makeInt(type, 0, range);
  Expr *rest = checker.makeBinary(BinaryExpr::Op::Rem, a, b, range);
  Expr *roundsUp = checker.makeCompare(CompareExpr::Op::Ne, rest, zero, range);
  if (isSignedInteger(type->getScalarKind())) {
    auto isNegative = [&](Expr *value) {
      return checker.makeCompare(CompareExpr::Op::Lt, value, zero, range);
    };
    Expr *sameSign = checker.makeCompare(CompareExpr::Op::Eq, isNegative(rest),
                                         isNegative(b), range);
    roundsUp =
        checker.makeBinary(BinaryExpr::Op::And, roundsUp, sameSign, range);
  }
  Expr *one = checker.makeInt(type, 1, range);
  Expr *more = checker.makeConditional(roundsUp, one, zero, range);
  Expr *quotient = checker.makeBinary(BinaryExpr::Op::Div, a, b, range);
  return checker.makeBinary(BinaryExpr::Op::Add, quotient, more, range);
}

Function *Checker::getCeilDiv(const Type *type, SMRange range) {
  Function *&function = ceilDivs[type];
  if (function)
    return function;
  Variable *params[] = {
      makeVariable("a", range.Start, type, Variable::Storage::Value),
      makeVariable("b", range.Start, type, Variable::Storage::Value)};
  auto *result = makeStmt<ReturnStmt>(range.Start);
  result->value = makeCeilDivValue(*this, makeRead(params[0], range),
                                   makeRead(params[1], range), range);
  auto *body = makeStmt<BlockStmt>(range.Start);
  body->body = {result};
  function = program.make<Function>();
  function->name = "ceil_div";
  function->loc = range.Start;
  function->params = program.copy(llvm::ArrayRef<Variable *>(params));
  function->result = type;
  function->body = body;
  return function;
}

bool Checker::isCeilDiv(const Function *function) {
  return function && function->result &&
         ceilDivs.lookup(function->result) == function;
}

//===----------------------------------------------------------------------===//
// Fences, pauses
//===----------------------------------------------------------------------===//

Expr *BuiltinChecker::checkFence() {
  static constexpr ParamSpec params[] = {{"order", ParamSpec::Form::Named},
                                         {"scope", ParamSpec::Form::Named}};
  auto matched = matchArguments(call, name, params, checker.diags);
  if (!matched)
    return makeError();
  auto *fence = checker.make<BuiltinExpr>(checker.types.getVoid(), range);
  fence->builtin = Builtin::Fence;
  if (!checkOrder(checker, (*matched)[0], fence->order) ||
      !checkScope(checker, (*matched)[1], fence->scope))
    return makeError();
  if (fence->order == MemoryOrder::Relaxed)
    return checker.fail(range, "a relaxed fence orders nothing; expected "
                               "acquire, release, acq_rel or seq_cst");
  return fence;
}

Expr *BuiltinChecker::checkPause() {
  if (!matchArguments(call, name, {}, checker.diags))
    return makeError();
  auto *pause = checker.make<BuiltinExpr>(checker.types.getVoid(), range);
  pause->builtin = Builtin::Pause;
  return pause;
}

//===----------------------------------------------------------------------===//
// The checker's interface
//===----------------------------------------------------------------------===//

bool Checker::isBuiltinFunction(StringRef name) {
  return findBuiltin(name) || llvm::is_contained(otherFunctions, name) ||
         isUnsupportedFunction(name);
}

bool Checker::isUnsupportedFunction(StringRef name) {
  return llvm::is_contained(unsupportedFunctions, name);
}

void Checker::listBuiltinFunctions(llvm::SmallVectorImpl<StringRef> &names) {
  for (const BuiltinSpec &spec : builtinSpecs)
    names.push_back(getSpelling(spec.builtin));
  names.append(std::begin(otherFunctions), std::end(otherFunctions));
  names.append(std::begin(unsupportedFunctions),
               std::end(unsupportedFunctions));
}

Expr *Checker::checkBuiltinCall(StringRef name, const ast::CallExpr &call,
                                const Type *expected) {
  SMRange range = call.getRange();
  if (!call.getGenericArgs().empty())
    return fail(range, Twine(name) + " takes no generic arguments");
  if (isUnsupportedFunction(name)) {
    std::string fast = ("fast." + name).str();
    std::string hint = findBuiltin(fast) ? "; there is " + fast : "";
    return fail(range, name + " is not supported yet" + hint);
  }
  BuiltinChecker builtin(*this, name, call);
  if (const BuiltinSpec *spec = findBuiltin(name))
    return builtin.checkTable(*spec, expected);
  if (name == "exp" || name == "log")
    return builtin.checkStdFunction(expected);
  if (name == "fence")
    return builtin.checkFence();
  if (name == "pause")
    return builtin.checkPause();
  Args args;
  if (!builtin.checkCeilDivArgs(expected, args))
    return makeError(range);
  if (llvm::isa<ConstantExpr>(args[0]) && llvm::isa<ConstantExpr>(args[1]))
    return makeCeilDivValue(*this, args[0], args[1], range);
  auto *divide = make<CallExpr>(args[0]->getType(), range);
  divide->callee = getCeilDiv(args[0]->getType(), range);
  divide->args = {args[0], args[1]};
  return divide;
}
