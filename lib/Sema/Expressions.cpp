//===- Expressions.cpp - Names, members, casts ----------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checker.h"
#include "ForeignNames.h"
#include "llvm/ADT/STLExtras.h"

using namespace coll;
using namespace coll::sema;

Expr *Checker::makeError(llvm::SMRange range) {
  return make<ConstantExpr>(types.getError(), range);
}

Expr *Checker::fail(llvm::SMRange range, const llvm::Twine &text) {
  error(range.Start, text).range(range);
  return makeError(range);
}

Expr *Checker::failUnsupported(llvm::SMRange range, const llvm::Twine &what) {
  return fail(range, what + " is not supported yet");
}

Expr *Checker::checkExpr(const ast::Expr *expr, const Type *expected) {
  if (isStackNearlyExhausted())
    return fail(expr->getRange(), "this is nested too deeply");
  switch (expr->getKind()) {
  case ast::Expr::Kind::IntLiteral:
    return checkIntLiteral(*llvm::cast<ast::IntLiteral>(expr),
                           /*negative=*/false, expected, expr->getRange());
  case ast::Expr::Kind::FloatLiteral:
    return checkFloatLiteral(*llvm::cast<ast::FloatLiteral>(expr), expected);
  case ast::Expr::Kind::BoolLiteral:
    return makeBool(llvm::cast<ast::BoolLiteral>(expr)->getValue(),
                    expr->getRange());
  case ast::Expr::Kind::StringLiteral:
    return fail(expr->getRange(),
                "a string may only be compared with 'target.vendor' or "
                "'target.chip', or be the text of an 'assert'");
  case ast::Expr::Kind::Name:
    return checkName(*llvm::cast<ast::NameExpr>(expr));
  case ast::Expr::Kind::Member:
    return checkMember(*llvm::cast<ast::MemberExpr>(expr));
  case ast::Expr::Kind::Call:
    return checkCall(*llvm::cast<ast::CallExpr>(expr), expected);
  case ast::Expr::Kind::Index:
    return checkIndexExpr(*llvm::cast<ast::IndexExpr>(expr));
  case ast::Expr::Kind::Unary:
    return checkUnary(*llvm::cast<ast::UnaryExpr>(expr), expected);
  case ast::Expr::Kind::Binary:
    return checkBinary(*llvm::cast<ast::BinaryExpr>(expr), expected);
  case ast::Expr::Kind::Conditional:
    return checkConditional(*llvm::cast<ast::ConditionalExpr>(expr), expected);
  case ast::Expr::Kind::Cast:
    return checkCast(*llvm::cast<ast::CastExpr>(expr));
  case ast::Expr::Kind::Range:
    return fail(expr->getRange(),
                "a range may only stand in the head of a 'for' or as an index");
  case ast::Expr::Kind::Tuple:
    return checkTuple(*llvm::cast<ast::TupleExpr>(expr), expected);
  case ast::Expr::Kind::ArrayLiteral:
    return checkArrayLiteral(*llvm::cast<ast::ArrayLiteral>(expr), expected);
  case ast::Expr::Kind::ArrayRepeat:
    return checkArrayRepeat(*llvm::cast<ast::ArrayRepeat>(expr), expected);
  case ast::Expr::Kind::StructLiteral:
    return checkStructLiteral(*llvm::cast<ast::StructLiteral>(expr), expected);
  case ast::Expr::Kind::Lambda:
    return fail(expr->getRange(),
                "a lambda may only stand where an operator is expected");
  case ast::Expr::Kind::Scratch:
    return failUnsupported(expr->getRange(), "'scratch'");
  case ast::Expr::Kind::Type:
    return fail(expr->getRange(), "expected a value, got a type");
  }
  llvm_unreachable("unknown expression kind");
}

Expr *Checker::checkValue(const ast::Expr *expr, const Type *expected) {
  Expr *result = checkExpr(expr, expected);
  const Type *type = result->getType();
  if (type->isError())
    return result;
  if (type->isVoid())
    return fail(expr->getRange(), "expected a value, got a call that gives "
                                  "none");
  if (type->isView())
    return fail(expr->getRange(),
                "expected a value, got the view " + type->str() + "; index it");
  return result;
}

Expr *Checker::checkAs(const ast::Expr *expr, const Type *type) {
  return coerce(checkExpr(expr, type), type, expr->getLoc());
}

Expr *Checker::checkCondition(const ast::Expr *expr) {
  Expr *result = checkValue(expr);
  const Type *type = result->getType();
  if (type->isError() || type->isBool())
    return result;
  auto report = error(expr->getLoc(), "expected bool, got " + type->str());
  report.range(expr->getRange());
  if (type->isIntegerScalar() || type->isFloatScalar())
    report.note(expr->getLoc(), "write '!= 0' to test for a nonzero value");
  return makeError(expr->getRange());
}

Expr *Checker::checkIndex(const ast::Expr *expr) {
  Expr *result = checkValue(expr, types.getI64());
  const Type *type = result->getType();
  if (type->isError() || type->isScalar(ScalarKind::I64))
    return result;
  if (!type->isIntegerScalar())
    return fail(expr->getRange(), "expected an integer, got " + type->str());
  return makeCast(result, types.getI64(), expr->getRange());
}

Expr *Checker::checkI32(const ast::Expr *expr) {
  Expr *result = checkValue(expr, types.getI32());
  const Type *type = result->getType();
  if (type->isError())
    return result;
  if (!type->isIntegerScalar())
    return fail(expr->getRange(), "expected an integer, got " + type->str());
  if (llvm::isa<ConstantExpr>(result) ||
      getBitWidth(type->getScalarKind()) > 32)
    return coerce(result, types.getI32(), expr->getLoc());
  return makeCast(result, types.getI32(), expr->getRange());
}

//===----------------------------------------------------------------------===//
// Names and members
//===----------------------------------------------------------------------===//

static constexpr llvm::StringLiteral noOperatorArguments =
    "; collectives take operators, functions do not";

Expr *Checker::checkName(const ast::NameExpr &name) {
  llvm::SMRange range = name.getRange();
  std::string quoted = ("'" + name.getName() + "'").str();
  if (const Symbol *symbol = lookupLocal(name.getName())) {
    switch (symbol->kind) {
    case Symbol::Kind::Variable:
      return makeRead(symbol->variable, range);
    case Symbol::Kind::Constant:
      return makeConstant(symbol->constant->getType(),
                          symbol->constant->scalars, range);
    case Symbol::Kind::Type:
      return fail(range, quoted + " is a type, not a value");
    case Symbol::Kind::Group:
      return fail(range, quoted + " is a group, not a value");
    case Symbol::Kind::Chunk:
      return fail(range, quoted + " is a chunk, not a value; use its methods");
    case Symbol::Kind::Poison:
      return makeError(range);
    }
  }
  if (Decl *decl = lookupDecl(name.getName()))
    return checkDeclName(decl, range);
  if (isGroupName(name.getName()))
    return fail(range, quoted + " is a group, not a value");
  if (isBuiltinOperator(&name))
    return fail(range,
                quoted + " is an operator, not a value" + noOperatorArguments);
  if (isBuiltinFunction(name.getName()))
    return fail(range, quoted + " is a function, not a value; call it");
  if (lookupBuiltinType(name.getName()))
    return fail(range, quoted + " is a type, not a value");
  return failUnknownName({name.getName(), range}, "name");
}

Expr *Checker::checkDeclName(Decl *decl, llvm::SMRange range) {
  llvm::StringRef name = decl->item->getName().text;
  llvm::StringRef kind;
  switch (decl->item->getKind()) {
  case ast::Item::Kind::Const:
    if (ConstantExpr *value = resolveConst(decl, range))
      return makeConstant(value->getType(), value->scalars, range);
    return makeError(range);
  case ast::Item::Kind::Function:
    return fail(range, "'" + name + "' is a function, not a value; call it");
  case ast::Item::Kind::Operator:
    return fail(range,
                "'" + name + "' is an op, not a value" + noOperatorArguments);
  case ast::Item::Kind::Kernel:
    kind = "a kernel";
    break;
  case ast::Item::Kind::Pipeline:
    kind = "a pipeline";
    break;
  default:
    kind = "a type";
    break;
  }
  return fail(range, "'" + name + "' is " + kind + ", not a value");
}

/// The plain name that an expression is, or empty.
static llvm::StringRef getPlainName(const ast::Expr *expr) {
  const auto *name = llvm::dyn_cast<ast::NameExpr>(expr);
  return name ? name->getName() : llvm::StringRef();
}

Expr *Checker::checkEnumerator(const Type *type,
                               const ast::MemberExpr &member) {
  llvm::SmallVector<llvm::StringRef, 8> names;
  for (const EnumMember &enumerator : type->getEnumMembers()) {
    if (enumerator.name == member.getMember().text)
      return makeInt(type, enumerator.value, member.getRange());
    names.push_back(enumerator.name);
  }
  return failNoMember("enum " + type->str() + " has no member",
                      member.getMember(), names, member.getRange());
}

Expr *Checker::failNoMember(const llvm::Twine &text, const ast::Name &name,
                            llvm::ArrayRef<llvm::StringRef> candidates,
                            llvm::SMRange range) {
  return failNamed(text, name, nearestName(name.text, candidates), range);
}

Expr *Checker::failNamed(const llvm::Twine &text, const ast::Name &name,
                         llvm::StringRef meant, llvm::SMRange range) {
  auto report = error(name.getLoc(), text + " '" + name.text + "'");
  if (!meant.empty())
    report.note(name.getLoc(), "did you mean '" + meant + "'?");
  return makeError(range);
}

Expr *Checker::failNoName(const llvm::Twine &text, llvm::StringRef name,
                          llvm::ArrayRef<llvm::StringRef> candidates,
                          llvm::SMRange range) {
  llvm::StringRef nearest = nearestName(name, candidates);
  std::string hint = nearest.empty()
                         ? "'collc targets' lists all"
                         : ("did you mean '" + nearest + "'?").str();
  return fail(range, text + " '" + name + "'; " + hint);
}

Expr *Checker::checkTargetMember(const ast::MemberExpr &member) {
  llvm::StringRef name = member.getMember().text;
  if (name == "warp_size")
    return makeInt(types.getI32(), options.target.warpSize, member.getRange());
  if (name == "vendor" || name == "chip")
    return fail(member.getRange(),
                "'target." + name + "' may only be compared with a string");
  return failNoMember("target has no member", member.getMember(),
                      {"warp_size", "vendor", "chip", "has"},
                      member.getRange());
}

/// The namespaces that exist for one vendor or for later.
static bool isVendorNamespace(llvm::StringRef name) {
  return name == "nvidia" || name == "amd";
}

Expr *Checker::checkMember(const ast::MemberExpr &member) {
  llvm::SMRange range = member.getRange();
  llvm::StringRef base = getPlainName(member.getBase());
  if (!base.empty() && !lookupLocal(base)) {
    if (Decl *decl = lookupDecl(base)) {
      const Type *type = resolveTypeDecl(decl, member.getBase()->getRange());
      if (type && type->isError())
        return makeError(range);
      if (type && type->isEnum())
        return checkEnumerator(type, member);
    } else if (base == "target") {
      return checkTargetMember(member);
    } else if (isVendorNamespace(base)) {
      return failUnsupported(range,
                             "'" + base + "." + member.getMember().text + "'");
    } else if (base == "std" || base == "atomic" || base == "fast") {
      return fail(range, "'" + base + "." + member.getMember().text +
                             "' is not a value");
    }
  }
  if (Expr *result = checkGroupMember(member))
    return result;
  return checkMemberOf(checkExpr(member.getBase()), member);
}

Expr *Checker::checkMemberOf(Expr *base, const ast::MemberExpr &member) {
  const Type *type = base->getType();
  llvm::StringRef name = member.getMember().text;
  llvm::SMRange range = member.getRange();
  if (type->isError())
    return makeError(range);
  if (type->isStruct()) {
    llvm::SmallVector<llvm::StringRef, 8> names;
    for (const auto &[i, field] : llvm::enumerate(type->getFields())) {
      if (field.name == name)
        return makeMember(base, i, range);
      names.push_back(field.name);
    }
    return failNoMember("struct " + type->str() + " has no field",
                        member.getMember(), names, range);
  }
  unsigned index = 0;
  if (type->isTuple() && !name.getAsInteger(10, index)) {
    if (index < type->getMembers().size())
      return makeMember(base, index, range);
    return fail(range, "tuple " + type->str() + " has no member " + name);
  }
  if (type->isVector() && name.size() == 1) {
    size_t lane = llvm::StringRef("xyzw").find(name[0]);
    if (lane < type->getCount())
      return makeMember(base, lane, range);
  }
  if (type->isView())
    return failNamed(type->str() + " has no field", member.getMember(),
                     translateForeignName(NameUse::ViewMember, name), range);
  if (type->isMask())
    return failNamed("mask has no field", member.getMember(), "", range);
  return failNoMember("type " + type->str() + " has no member",
                      member.getMember(), {}, range);
}

static const Type *getMemberType(const Type *type, unsigned index) {
  if (type->isStruct())
    return type->getFields()[index].type;
  return type->isTuple() ? type->getMembers()[index] : type->getElement();
}

Expr *Checker::makeMember(Expr *base, unsigned index, llvm::SMRange range) {
  const Type *type = base->getType();
  const Type *memberType = getMemberType(type, index);
  if (const auto *constant = llvm::dyn_cast<ConstantExpr>(base)) {
    uint64_t first = 0;
    for (unsigned i = 0; i < index; ++i)
      first += countScalars(getMemberType(type, i));
    auto begin = constant->scalars.begin() + first;
    return makeConstant(memberType, {begin, begin + countScalars(memberType)},
                        range);
  }
  auto *member = make<MemberExpr>(memberType, range);
  member->base = base;
  member->index = index;
  return member;
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

/// The literal that an expression is, perhaps after a minus, or null.
template <typename Literal>
static const Literal *getLiteral(const ast::Expr *expr) {
  if (const auto *unary = llvm::dyn_cast<ast::UnaryExpr>(expr))
    if (unary->getOp() == ast::UnaryOp::Minus)
      expr = unary->getOperand();
  return llvm::dyn_cast<Literal>(expr);
}

Expr *Checker::checkCast(const ast::CastExpr &cast) {
  const Type *type = resolveType(cast.getType());
  if (type->isError())
    return makeError(cast.getRange());
  const ast::Expr *operand = cast.getOperand();
  // `(1 / 2) as f32` is 0: a cast types a literal alone, and no expression.
  const Type *expected = nullptr;
  if (getLiteral<ast::FloatLiteral>(operand))
    expected = type;
  // `-1 as u32` wraps and `2049 as f16` rounds, so the literal has a type of
  // its own: the first of i32, i64 and u64 that holds it.
  if (const auto *literal = getLiteral<ast::IntLiteral>(operand)) {
    unsigned bits = literal->getValue().getActiveBits();
    expected = types.getScalar(bits < 32   ? ScalarKind::I32
                               : bits < 64 ? ScalarKind::I64
                                           : ScalarKind::U64);
  }
  return makeCast(checkValue(operand, expected), type, cast.getRange());
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

bool Checker::isPlace(const Expr *expr) {
  if (llvm::isa<VariableExpr>(expr))
    return true;
  if (const auto *member = llvm::dyn_cast<MemberExpr>(expr))
    return isPlace(member->base);
  if (const auto *index = llvm::dyn_cast<IndexExpr>(expr))
    return index->base->getType()->isView() ? !index->getType()->isView()
                                            : isPlace(index->base);
  return false;
}

const Expr *Checker::getUnderlyingView(const Expr *place) {
  while (place && !place->getType()->isView()) {
    if (const auto *member = llvm::dyn_cast<MemberExpr>(place))
      place = member->base;
    else if (const auto *index = llvm::dyn_cast<IndexExpr>(place))
      place = index->base;
    else
      return nullptr;
  }
  return place;
}

Variable *Checker::getRootVariable(const Expr *place) {
  for (;;) {
    if (const auto *variable = llvm::dyn_cast<VariableExpr>(place))
      return variable->variable;
    if (const auto *member = llvm::dyn_cast<MemberExpr>(place))
      place = member->base;
    else if (const auto *index = llvm::dyn_cast<IndexExpr>(place))
      place = index->base;
    else if (const auto *slice = llvm::dyn_cast<SliceExpr>(place))
      place = slice->base;
    else
      return nullptr;
  }
}

bool Checker::requireMutable(const Expr *place, llvm::SMLoc loc,
                             const llvm::Twine &action) {
  if (place->getType()->isError())
    return false;
  Variable *root = getRootVariable(place);
  if (const Expr *view = getUnderlyingView(place)) {
    if (view == place) {
      error(loc, "cannot " + action + " a view");
      return false;
    }
    if (view->getType()->isMutable())
      return true;
    auto report = error(loc, "cannot " + action +
                                 " an element of a view that is not 'mut'");
    if (root)
      report.note(root->loc, "'" + root->name + "' is declared here");
    return false;
  }
  if (!root || !isPlace(place)) {
    error(loc, "cannot " + action + " a value");
    return false;
  }
  if (root->storage == Variable::Storage::Value ||
      root->storage == Variable::Storage::Extent) {
    error(loc, "cannot " + action + " '" + root->name +
                   "', which is not declared with 'var'")
        .note(root->loc, "'" + root->name + "' is declared here");
    return false;
  }
  return true;
}
