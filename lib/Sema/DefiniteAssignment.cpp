//===- DefiniteAssignment.cpp - Variables are assigned before read --------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A forward pass over the structured tree. The state has one bit a *slot*: the
// fields of structs, members of tuples and lanes of vectors, each on its own;
// an array is one slot. Where paths meet a slot is assigned if it is on all of
// them; assignments only add, so that a loop needs a single visit.
//
// Which elements of an array a loop has stored cannot be told from the text. So
// a store through an index marks the array's slot as *touched* from there on,
// on all paths, and touched slots may be read; the reference device finds reads
// of elements that were really left out.
//
// At a call, a summary of the callee says which slots of a `mut` argument it
// reads first (the caller must have assigned those) and which it assigns.
// Making a summary reports nothing: each body is checked for itself.
//
//===----------------------------------------------------------------------===//

#include "Checker.h"
#include "Walk.h"
#include "llvm/ADT/BitVector.h"

using namespace coll::sema;
using coll::DiagnosticEngine;
using llvm::BitVector;
using llvm::dyn_cast;
using llvm::SMLoc;

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

namespace {

unsigned countSlots(const Type *type) {
  unsigned slots = 0;
  if (type->isStruct()) {
    for (const StructField &field : type->getFields())
      slots += countSlots(field.type);
    return slots;
  }
  if (type->isTuple()) {
    for (const Type *member : type->getMembers())
      slots += countSlots(member);
    return slots;
  }
  return type->isVector() ? type->getCount() : 1;
}

/// The type of a struct's, tuple's or vector's member.
const Type *getMemberType(const Type *type, unsigned index) {
  if (type->isStruct())
    return type->getFields()[index].type;
  if (type->isTuple())
    return type->getMembers()[index];
  return nullptr;
}

/// The slots before member `index`.
unsigned getMemberOffset(const Type *type, unsigned index) {
  if (type->isVector())
    return index;
  unsigned offset = 0;
  for (unsigned i = 0; i < index; ++i)
    offset += countSlots(getMemberType(type, i));
  return offset;
}

/// What to append to a variable's name to name its slot: ".mean", ".1.x".
std::string getSlotPath(const Type *type, unsigned slot) {
  if (type->isVector()) {
    static constexpr llvm::StringLiteral lanes = "xyzw";
    if (type->getCount() <= lanes.size())
      return (llvm::Twine(".") + lanes.substr(slot, 1)).str();
    return "[" + std::to_string(slot) + "]";
  }
  unsigned members = type->isStruct()  ? type->getFields().size()
                     : type->isTuple() ? type->getMembers().size()
                                       : 0;
  for (unsigned i = 0; i < members; ++i) {
    const Type *member = getMemberType(type, i);
    unsigned count = countSlots(member);
    if (slot < count) {
      std::string name = type->isStruct() ? type->getFields()[i].name.str()
                                          : std::to_string(i);
      return "." + name + getSlotPath(member, slot);
    }
    slot -= count;
  }
  return "";
}

/// A variable under watch: its slots are `first`, `first + 1`, ...
struct Tracked {
  const Variable *variable;
  unsigned first;
  unsigned count;
  /// The `mut` parameter that it is, or none.
  std::optional<unsigned> param;
};

/// Part of a tracked variable.
struct Part {
  const Tracked *tracked;
  unsigned first;
  unsigned count;
  /// An element of an array, or a vector's lane at an index unknown here.
  bool throughIndex;
};

/// What holds at a point of the program. Unreachable points satisfy everything.
struct State {
  BitVector assigned;
  bool reachable = true;

  void join(const State &other) {
    if (!other.reachable)
      return;
    if (!reachable) {
      *this = other;
      return;
    }
    unsigned size = std::max(assigned.size(), other.assigned.size());
    assigned &= other.assigned;
    assigned.resize(size);
  }
};

State makeUnreachable() { return {BitVector(), false}; }

//===----------------------------------------------------------------------===//
// The pass over one body
//===----------------------------------------------------------------------===//

/// What a function does with a `mut` parameter, a bit a slot of its type.
struct ParamEffect {
  BitVector needs;   ///< Read before the function assigns it.
  BitVector assigns; ///< Assigned on every path to a return.
};

/// One effect a parameter; empty ones for parameters that are no references.
using Summary = std::vector<ParamEffect>;

/// The summaries of the functions called from one body.
class Summaries {
public:
  const Summary &get(const Function *function);

private:
  llvm::DenseMap<const Function *, std::unique_ptr<Summary>> summaries;
};

class FlowChecker {
public:
  /// Without `diags` it reports nothing.
  FlowChecker(Summaries &summaries, DiagnosticEngine *diags)
      : summaries(summaries), diags(diags) {}

  void run(Stmt *body) {
    visitStmt(body);
    leaveFunction();
  }
  Summary runFunction(const Function &function);

private:
  // Statements.
  void visitStmt(Stmt *stmt);
  void visitDeclare(DeclareStmt *declare);
  void visitAssign(AssignStmt *assign);
  void visitExpressionStmt(ExpressionStmt *stmt);
  void visitIf(IfStmt *branch);
  void visitWhile(WhileStmt *loop);
  void visitFor(ForStmt *loop);
  /// Visits a loop's body and returns the join of the states at its breaks.
  State visitLoopBody(Stmt *body);
  void leaveFunction();

  // Expressions.
  void visitExpr(Expr *expr);
  void visitConditional(ConditionalExpr *conditional);
  void visitCall(CallExpr *call);
  void visitReference(Expr *place, const ParamEffect &effect);
  /// Visits the indices inside a place, which are read whatever becomes of it.
  void visitIndices(Expr *place);

  // Slots.
  void track(const Variable *variable, std::optional<unsigned> param);
  std::optional<Part> resolve(Expr *place);
  bool isAssigned(unsigned slot) const {
    return !state.reachable || state.assigned[slot] || touched[slot];
  }
  void read(const Part &part, SMLoc loc);
  void readSlot(const Tracked &tracked, unsigned slot, SMLoc loc);
  void assign(const Part &part);

  Summaries &summaries;
  DiagnosticEngine *diags;
  llvm::DenseMap<const Variable *, Tracked> variables;
  State state;
  BitVector touched;
  /// A `mut` parameter's slots that were read before they were assigned.
  BitVector needed;
  State exits = makeUnreachable();
  std::vector<State> breaks;
};

} // namespace

Summary FlowChecker::runFunction(const Function &function) {
  for (unsigned i = 0; i < function.params.size(); ++i) {
    if (function.params[i]->storage == Variable::Storage::Reference)
      track(function.params[i], i);
  }
  if (function.body)
    run(function.body);
  Summary summary(function.params.size());
  for (unsigned i = 0; i < function.params.size(); ++i) {
    auto it = variables.find(function.params[i]);
    if (it == variables.end() || !it->second.param)
      continue;
    const Tracked &tracked = it->second;
    summary[i].needs.resize(tracked.count);
    summary[i].assigns.resize(tracked.count);
    for (unsigned slot = 0; slot < tracked.count; ++slot) {
      unsigned global = tracked.first + slot;
      summary[i].needs[slot] = needed[global];
      summary[i].assigns[slot] =
          !exits.reachable || exits.assigned[global] || touched[global];
    }
  }
  return summary;
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void FlowChecker::visitStmt(Stmt *stmt) {
  if (!stmt)
    return;
  switch (stmt->getKind()) {
  case Stmt::Kind::Block:
    return forEachSubStmt(stmt, [&](Stmt *inner) { visitStmt(inner); });
  case Stmt::Kind::Declare:
    return visitDeclare(llvm::cast<DeclareStmt>(stmt));
  case Stmt::Kind::Assign:
    return visitAssign(llvm::cast<AssignStmt>(stmt));
  case Stmt::Kind::Expression:
    return visitExpressionStmt(llvm::cast<ExpressionStmt>(stmt));
  case Stmt::Kind::If:
    return visitIf(llvm::cast<IfStmt>(stmt));
  case Stmt::Kind::While:
    return visitWhile(llvm::cast<WhileStmt>(stmt));
  case Stmt::Kind::For:
    return visitFor(llvm::cast<ForStmt>(stmt));
  case Stmt::Kind::Break:
    if (!breaks.empty())
      breaks.back().join(state);
    state = makeUnreachable();
    return;
  case Stmt::Kind::Continue:
    state = makeUnreachable();
    return;
  case Stmt::Kind::Return:
    forEachExpr(stmt, [&](Expr *&value) { visitExpr(value); });
    return leaveFunction();
  case Stmt::Kind::Assert:
    return forEachExpr(stmt, [&](Expr *&part) { visitExpr(part); });
  }
}

void FlowChecker::visitDeclare(DeclareStmt *declare) {
  forEachExpr(declare, [&](Expr *&part) { visitExpr(part); });
  if (declare->variable->storage == Variable::Storage::Mutable &&
      !declare->init)
    track(declare->variable, std::nullopt);
}

void FlowChecker::visitAssign(AssignStmt *assignment) {
  std::optional<Part> part = resolve(assignment->place);
  if (part)
    visitIndices(assignment->place);
  else
    visitExpr(assignment->place);
  if (part && assignment->oldValue)
    read(*part, assignment->place->getLoc());
  visitExpr(assignment->value);
  if (part)
    assign(*part);
}

void FlowChecker::visitExpressionStmt(ExpressionStmt *stmt) {
  visitExpr(stmt->expr);
  if (auto *builtin = dyn_cast<BuiltinExpr>(stmt->expr);
      builtin && builtin->builtin == Builtin::Trap)
    state = makeUnreachable();
}

void FlowChecker::visitIf(IfStmt *branch) {
  visitExpr(branch->condition);
  State before = state;
  visitStmt(branch->thenBody);
  std::swap(state, before);
  visitStmt(branch->elseBody);
  state.join(before);
}

void FlowChecker::visitWhile(WhileStmt *loop) {
  visitExpr(loop->condition);
  State after = state;
  auto *constant = dyn_cast<ConstantExpr>(loop->condition);
  if (constant && constant->scalars.size() == 1) {
    auto *value = std::get_if<llvm::APInt>(&constant->scalars.front());
    if (value && !value->isZero())
      after = makeUnreachable();
  }
  after.join(visitLoopBody(loop->body));
  state = std::move(after);
}

void FlowChecker::visitFor(ForStmt *loop) {
  forEachExpr(loop, [&](Expr *&bound) { visitExpr(bound); });
  State after = state;
  after.join(visitLoopBody(loop->body));
  state = std::move(after);
}

State FlowChecker::visitLoopBody(Stmt *body) {
  breaks.push_back(makeUnreachable());
  visitStmt(body);
  State atBreaks = std::move(breaks.back());
  breaks.pop_back();
  return atBreaks;
}

void FlowChecker::leaveFunction() {
  exits.join(state);
  state = makeUnreachable();
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

void FlowChecker::visitExpr(Expr *expr) {
  if (!expr)
    return;
  if (std::optional<Part> part = resolve(expr)) {
    visitIndices(expr);
    return read(*part, expr->getLoc());
  }
  if (auto *call = dyn_cast<CallExpr>(expr))
    return visitCall(call);
  if (auto *conditional = dyn_cast<ConditionalExpr>(expr))
    return visitConditional(conditional);
  if (auto *logical = dyn_cast<LogicalExpr>(expr)) {
    visitExpr(logical->left);
    State afterLeft = state;
    visitExpr(logical->right);
    state = std::move(afterLeft);
    return;
  }
  forEachOperand(expr, [&](Expr *&operand) { visitExpr(operand); });
}

void FlowChecker::visitConditional(ConditionalExpr *conditional) {
  visitExpr(conditional->condition);
  State before = state;
  visitExpr(conditional->ifTrue);
  std::swap(state, before);
  visitExpr(conditional->ifFalse);
  state.join(before);
}

void FlowChecker::visitCall(CallExpr *call) {
  const Summary &summary = summaries.get(call->callee);
  for (unsigned i = 0; i < call->args.size(); ++i) {
    bool isReference =
        i < call->callee->params.size() &&
        call->callee->params[i]->storage == Variable::Storage::Reference;
    if (isReference && i < summary.size())
      visitReference(call->args[i], summary[i]);
    else
      visitExpr(call->args[i]);
  }
}

void FlowChecker::visitReference(Expr *place, const ParamEffect &effect) {
  std::optional<Part> part = resolve(place);
  if (!part)
    return visitExpr(place);
  visitIndices(place);
  if (part->throughIndex || part->count != effect.needs.size()) {
    if (effect.needs.any())
      read(*part, place->getLoc());
    if (effect.assigns.any())
      assign(*part);
    return;
  }
  for (unsigned slot : effect.needs.set_bits())
    readSlot(*part->tracked, part->first + slot, place->getLoc());
  if (!state.reachable)
    return;
  for (unsigned slot : effect.assigns.set_bits())
    state.assigned.set(part->first + slot);
}

void FlowChecker::visitIndices(Expr *place) {
  if (auto *member = dyn_cast<MemberExpr>(place))
    return visitIndices(member->base);
  auto *index = dyn_cast<IndexExpr>(place);
  if (!index)
    return;
  visitIndices(index->base);
  for (Expr *part : index->indices)
    visitExpr(part);
}

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

void FlowChecker::track(const Variable *variable,
                        std::optional<unsigned> param) {
  unsigned count = countSlots(variable->type);
  unsigned first = touched.size();
  variables[variable] = {variable, first, count, param};
  touched.resize(first + count);
  needed.resize(first + count);
  // What the state says of slots of variables out of scope is never asked.
  state.assigned.resize(first);
  state.assigned.resize(first + count);
}

std::optional<Part> FlowChecker::resolve(Expr *place) {
  if (auto *variable = dyn_cast<VariableExpr>(place)) {
    auto it = variables.find(variable->variable);
    if (it == variables.end())
      return std::nullopt;
    const Tracked &tracked = it->second;
    return Part{&tracked, tracked.first, tracked.count, false};
  }
  auto *member = dyn_cast<MemberExpr>(place);
  auto *index = dyn_cast<IndexExpr>(place);
  if (!member && !index)
    return std::nullopt;
  Expr *base = member ? member->base : index->base;
  std::optional<Part> part = resolve(base);
  if (!part || part->throughIndex)
    return part;
  std::optional<unsigned> number;
  if (member) {
    number = member->index;
  } else if (base->getType()->isVector()) {
    auto *constant = dyn_cast<ConstantExpr>(index->indices.front());
    if (constant && constant->scalars.size() == 1)
      if (auto *value = std::get_if<llvm::APInt>(&constant->scalars.front()))
        if (value->ult(base->getType()->getCount()))
          number = value->getZExtValue();
  }
  if (!number)
    return Part{part->tracked, part->first, part->count, true};
  part->first += getMemberOffset(base->getType(), *number);
  part->count = countSlots(place->getType());
  return part;
}

void FlowChecker::read(const Part &part, SMLoc loc) {
  for (unsigned slot = part.first; slot < part.first + part.count; ++slot)
    readSlot(*part.tracked, slot, loc);
}

void FlowChecker::readSlot(const Tracked &tracked, unsigned slot, SMLoc loc) {
  if (isAssigned(slot))
    return;
  if (tracked.param) {
    needed.set(slot);
    return;
  }
  if (!diags)
    return;
  const Variable &variable = *tracked.variable;
  std::string name =
      variable.name.str() + getSlotPath(variable.type, slot - tracked.first);
  diags
      ->error(loc, "'" + llvm::Twine(name) +
                       "' is not assigned on every path before it is read")
      .note(variable.loc, "'" + llvm::Twine(variable.name) +
                              "' is declared here without a value");
  // One report a variable is enough.
  touched.set(tracked.first, tracked.first + tracked.count);
}

void FlowChecker::assign(const Part &part) {
  if (!state.reachable)
    return;
  if (part.throughIndex)
    touched.set(part.first, part.first + part.count);
  else
    state.assigned.set(part.first, part.first + part.count);
}

//===----------------------------------------------------------------------===//
// Functions and bodies
//===----------------------------------------------------------------------===//

const Summary &Summaries::get(const Function *function) {
  std::unique_ptr<Summary> &entry = summaries[function];
  if (entry)
    return *entry;
  // Recursion is an error of its own; here it only has to end.
  entry = std::make_unique<Summary>();
  Summary *summary = entry.get();
  *summary = FlowChecker(*this, nullptr).runFunction(*function);
  return *summary;
}

void coll::sema::checkDefiniteAssignment(const Stmt *body,
                                         DiagnosticEngine &diags) {
  Summaries summaries;
  // The visitors are shared with passes that rewrite; this one does not.
  FlowChecker(summaries, &diags).run(const_cast<Stmt *>(body));
}
