//===- Checker.h - The state and helpers of checking ------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One `Checker` turns the parsed files into typed kernels. Its members are
// defined by topic: Items (declarations, modules), Kernels, Generics
// (instances), Types, Statements, Loops, Expressions, Operators, Conversions,
// Constants, Collectives, Builtins, Atomics, Views. The passes over finished
// bodies are at the end.
//
// Conventions. A check function never returns null unless it says so: after an
// error it returns an expression of the error type, and whoever meets that type
// says nothing more. `expected` is a hint, may be null, and only steers how
// literals adapt; the result may have another type, `coerce` settles it. What
// is built from constants is folded at once: whether an expression is a
// compile-time constant is whether it is a ConstantExpr.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SEMA_CHECKER_H
#define COLL_LIB_SEMA_CHECKER_H

#include "Instance.h"
#include "coll/Bundle/LaunchExpr.h"
#include "coll/Sema/Sema.h"
#include "coll/Syntax/AST.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <set>

namespace coll::sema {

class Checker {
public:
  Checker(Program &program, const SemaOptions &options,
          DiagnosticEngine &diags);
  ~Checker();

  void run(const ast::SourceFile &file,
           llvm::ArrayRef<const ast::SourceFile *> std);

  //===--------------------------------------------------------------------===//
  // Helpers
  //===--------------------------------------------------------------------===//

  Program &program;
  TypeContext &types;
  const SemaOptions &options;
  DiagnosticEngine &diags;

  template <typename T> T *make(const Type *type, llvm::SMRange range) {
    return program.make<T>(type, range);
  }
  template <typename T> T *makeStmt(llvm::SMLoc loc) {
    return program.make<T>(loc);
  }
  DiagnosticBuilder error(llvm::SMLoc loc, const llvm::Twine &text) {
    return diags.error(loc, text);
  }
  /// The target in a message: "sm_90", "the reference device".
  std::string getDeviceName() const {
    const std::string &chip = options.target.chip;
    return chip == "reference" ? "the reference device" : chip;
  }
  /// An expression of the error type, for a place whose error was reported.
  Expr *makeError(llvm::SMRange range);
  /// Reports at the start of `range` and returns `makeError(range)`.
  Expr *fail(llvm::SMRange range, const llvm::Twine &text);
  /// "'what' is not supported yet"
  Expr *failUnsupported(llvm::SMRange range, const llvm::Twine &what);

  //===--------------------------------------------------------------------===//
  // Names (Items.cpp, Scope.h)
  //===--------------------------------------------------------------------===//

  /// Adds to what was reported since the last time, while `instance` was the
  /// current one, who asked for it with its generic arguments.
  void noteCallers(const Instance *instance);
  /// The instance whose body (or signature) is being checked. Never null: items
  /// outside of functions are checked in an empty one.
  Instance *current = nullptr;
  Scopes &scopes() { return current->scopes; }

  /// A local name, a generic parameter or an extent; null if there is none.
  const Symbol *lookupLocal(llvm::StringRef name);
  /// An item of the current module, of its imports or, last, of std.
  Decl *lookupDecl(llvm::StringRef name);
  /// True if neither a local name nor an item of the user's hides the builtin
  /// meaning of `name` (`block`, `atomic`, `min`).
  bool isBuiltinMeaning(llvm::StringRef name);
  /// Declares a local name; an error if the innermost scope has it already.
  void declare(const ast::Name &name, Symbol symbol);
  Variable *makeVariable(llvm::StringRef name, llvm::SMLoc loc,
                         const Type *type, Variable::Storage storage);
  /// Makes and declares.
  Variable *declareVariable(const ast::Name &name, const Type *type,
                            Variable::Storage storage);
  VariableExpr *makeRead(Variable *variable, llvm::SMRange range);
  /// `text` with 'name' after it, and the nearest of `candidates` in a note.
  Expr *failNoMember(const llvm::Twine &text, const ast::Name &name,
                     llvm::ArrayRef<llvm::StringRef> candidates,
                     llvm::SMRange range);
  /// `text` with 'name' after it, and `meant`, if there is one, in a note.
  Expr *failNamed(const llvm::Twine &text, const ast::Name &name,
                  llvm::StringRef meant, llvm::SMRange range);
  /// `text` with 'name' after it, and the nearest of `candidates`, names that
  /// chips, vendors or features have.
  Expr *failNoName(const llvm::Twine &text, llvm::StringRef name,
                   llvm::ArrayRef<llvm::StringRef> candidates,
                   llvm::SMRange range);
  static bool isGroupName(llvm::StringRef name);
  /// "unknown `what` 'x'", with the nearest name in a note.
  Expr *failUnknownName(const ast::Name &name, llvm::StringRef what);
  /// The error `text 'name'`, and what is `meant` by it: of a function that is
  /// still to come its `fast` form, or that it is not there.
  Expr *failMeant(const llvm::Twine &text, const ast::Name &name,
                  llvm::StringRef meant);

  //===--------------------------------------------------------------------===//
  // Types (Types.cpp)
  //===--------------------------------------------------------------------===//

  /// The error type after an error. Views are refused: they occur in parameters
  /// and shared declarations only.
  const Type *resolveType(const ast::TypeExpr *type);
  /// A scalar or vector type of that name ("f32", "u8x16"), "mask", or null.
  const Type *lookupBuiltinType(llvm::StringRef name);
  const Type *resolveStruct(Decl *decl, llvm::ArrayRef<GenericValue> args,
                            llvm::SMLoc loc);
  /// The type of a declaration that is one (struct, enum, alias), else null
  /// without an error.
  const Type *resolveTypeDecl(Decl *decl, llvm::SMRange range);

  //===--------------------------------------------------------------------===//
  // Expressions (Expressions.cpp, Operators.cpp)
  //===--------------------------------------------------------------------===//

  Expr *checkExpr(const ast::Expr *expr, const Type *expected = nullptr);
  /// `checkExpr`, then `coerce` to `type`.
  Expr *checkAs(const ast::Expr *expr, const Type *type);
  /// A bool condition.
  Expr *checkCondition(const ast::Expr *expr);
  /// Any integer, converted to i64.
  Expr *checkIndex(const ast::Expr *expr);
  /// An integer of at most 32 bits (or a constant that fits), converted to i32.
  Expr *checkI32(const ast::Expr *expr);
  /// A value of any type that may be stored: not void, a view, a group.
  Expr *checkValue(const ast::Expr *expr, const Type *expected = nullptr);
  /// True for literals and what is computed from literals alone: its type may
  /// come from what it meets.
  static bool isFlexible(const ast::Expr *expr);
  /// Brings both to one type: the narrower integer to the wider, a constant to
  /// the other's type, i32 and u32 to i64. False (after an error) if there is
  /// none.
  bool unifyOperands(Expr *&left, Expr *&right, llvm::SMLoc loc,
                     const llvm::Twine &what);
  /// Checks the two with literals adapting to the other one, then unifies.
  bool checkOperands(const ast::Expr *leftAST, const ast::Expr *rightAST,
                     const Type *expected, Expr *&left, Expr *&right,
                     llvm::SMLoc loc, const llvm::Twine &what);
  /// Builds (or folds) with operands of one fitting type.
  Expr *makeBinary(BinaryExpr::Op op, Expr *left, Expr *right,
                   llvm::SMRange range);
  Expr *makeCompare(CompareExpr::Op op, Expr *left, Expr *right,
                    llvm::SMRange range);
  /// `count` may be of any integer type.
  Expr *makeShift(BinaryExpr::Op op, Expr *value, Expr *count,
                  llvm::SMRange range);
  Expr *makeUnary(UnaryExpr::Op op, Expr *operand, llvm::SMRange range);
  Expr *makeLogical(bool isAnd, Expr *left, Expr *right, llvm::SMRange range);
  Expr *makeConditional(Expr *condition, Expr *ifTrue, Expr *ifFalse,
                        llvm::SMRange range);
  Expr *makeMember(Expr *base, unsigned index, llvm::SMRange range);
  /// `base[index]` of an array, vector or view; indices are i64 already.
  Expr *makeIndex(Expr *base, llvm::ArrayRef<Expr *> indices,
                  llvm::SMRange range);
  /// A struct, tuple, array or vector of members in order, folded if constant.
  Expr *makeAggregate(const Type *type, llvm::ArrayRef<Expr *> members,
                      bool splat, llvm::SMRange range);
  /// Whether the expression denotes memory or a variable that may be written.
  static bool isPlace(const Expr *expr);
  /// Reports (and returns false) unless `place` is one that may be written;
  /// `action` completes "cannot ...": "assign to", "pass as a 'mut' argument".
  bool requireMutable(const Expr *place, llvm::SMLoc loc,
                      const llvm::Twine &action);
  /// The innermost view that `place` is a part of, or null.
  static const Expr *getUnderlyingView(const Expr *place);
  /// The variable that a place or view is a part of, or null.
  static Variable *getRootVariable(const Expr *place);

  //===--------------------------------------------------------------------===//
  // Conversions (Conversions.cpp)
  //===--------------------------------------------------------------------===//

  /// Whether every value of the integer type `from` is one of `to`.
  static bool isLosslessWidening(const Type *from, const Type *to);
  /// The implicit conversion: same type, integer widening, integer constants
  /// that fit, a scalar where a vector or array is expected; `mut` views where
  /// others are expected. Else reports "expected T, got U".
  Expr *coerce(Expr *expr, const Type *type, llvm::SMLoc loc);
  /// The same without a report: null if there is no implicit conversion.
  Expr *tryCoerce(Expr *expr, const Type *type);
  /// `v as T`, folded if constant, for a pair of types that allows it.
  Expr *makeCast(Expr *expr, const Type *type, llvm::SMRange range);
  /// Whether `as` converts between the two.
  static bool canCast(const Type *from, const Type *to);
  /// Whether a value is one of the integer kind.
  static bool fits(const llvm::APSInt &value, ScalarKind kind);
  /// Whether a view or shared array may be passed where `param` (a view type)
  /// is asked for.
  static bool acceptsView(const Type *param, const Expr *arg);

  //===--------------------------------------------------------------------===//
  // Constants (Constants.cpp)
  //===--------------------------------------------------------------------===//

  ConstantExpr *makeConstant(const Type *type,
                             std::vector<ConstantExpr::Scalar> scalars,
                             llvm::SMRange range);
  ConstantExpr *makeInt(const Type *type, int64_t value, llvm::SMRange range);
  ConstantExpr *makeBool(bool value, llvm::SMRange range);
  /// Folds; null if the operation has no constant result.
  ConstantExpr *foldBinary(BinaryExpr::Op op, const ConstantExpr &left,
                           const ConstantExpr &right, llvm::SMRange range);
  ConstantExpr *foldCompare(CompareExpr::Op op, const ConstantExpr &left,
                            const ConstantExpr &right, llvm::SMRange range);
  ConstantExpr *foldUnary(UnaryExpr::Op op, const ConstantExpr &operand,
                          llvm::SMRange range);
  /// With the meaning of `as`; null where `as` is not defined.
  ConstantExpr *foldCast(const ConstantExpr &operand, const Type *type,
                         llvm::SMRange range);
  ConstantExpr *foldBitcast(const ConstantExpr &operand, const Type *type,
                            llvm::SMRange range);
  /// The number of `ConstantExpr::scalars` of a constant of that type.
  static uint64_t countScalars(const Type *type);
  /// The value of an integer (or enum) constant, none if it is something else.
  static std::optional<llvm::APSInt> getInteger(const Expr *expr);
  static std::optional<bool> getBool(const Expr *expr);
  /// Checks an expression that must be an integer constant from `min` to `max`;
  /// `what` names it: "the tile's size". None after an error.
  std::optional<int64_t> requireConstantInt(const ast::Expr *expr,
                                            llvm::StringRef what, int64_t min,
                                            int64_t max);
  std::optional<bool> requireConstantBool(const ast::Expr *expr,
                                          llvm::StringRef what);
  /// A string known at compile time: a literal, `target.vendor`, `target.chip`.
  std::optional<llvm::StringRef> evaluateString(const ast::Expr *expr);

  //===--------------------------------------------------------------------===//
  // Launch expressions (LaunchExprs.cpp)
  //===--------------------------------------------------------------------===//

  /// An integer expression as what the host computes; an error that starts
  /// with `what` if it needs more than a launch knows.
  std::optional<LaunchExpr> makeLaunchExpr(const Expr *expr,
                                           llvm::StringRef what);
  /// An extent or a parameter of the current kernel.
  bool isLaunchValue(const Variable *variable) const;

  //===--------------------------------------------------------------------===//
  // Calls and instances (Calls.cpp, Generics.cpp)
  //===--------------------------------------------------------------------===//

  /// A call of a declared function or op with arguments that are checked here.
  Expr *checkFunctionCall(Decl *decl, const ast::CallExpr &call,
                          const Type *expected);
  /// The instance of a function or op item for arguments of these types (an
  /// `op` named in `g.reduce(merge, v)`, with `generics` if any are written);
  /// null after an error.
  Instance *instantiateFor(Decl *decl, llvm::ArrayRef<const Type *> argTypes,
                           llvm::ArrayRef<ast::GenericArg> generics,
                           llvm::SMRange range);
  /// A call of an instance with typed arguments, converted to its parameters.
  Expr *makeCall(Instance *instance, llvm::ArrayRef<Expr *> args,
                 llvm::SMRange range);

  //===--------------------------------------------------------------------===//
  // Statements (Statements.cpp, Loops.cpp)
  //===--------------------------------------------------------------------===//

  /// Appends what the statement becomes, which may be nothing.
  void checkStmt(const ast::Stmt *stmt, StmtList &out);
  /// A block in a scope of its own.
  BlockStmt *checkBlock(const ast::BlockStmt *block);
  /// The body of a loop (`break` and `continue` are allowed in it).
  BlockStmt *checkLoopBody(const ast::BlockStmt *block);
  /// `#[unroll]` and `#[unroll(n)]` as in ForStmt::unroll; other attributes are
  /// errors.
  unsigned checkLoopAttributes(const ast::Stmt &stmt);

  //===--------------------------------------------------------------------===//
  // Groups and collectives (Collectives.cpp)
  //===--------------------------------------------------------------------===//

  /// False if `expr` does not denote a group. True if it does: then `group` is
  /// set, or empty after an error (`warp.active()`, a bad tile size).
  bool resolveGroup(const ast::Expr *expr, std::optional<Group> &group);
  /// block.index, thread.rank, block.index3.y, `c.trip` of a chunk. Null if the
  /// base is neither a group (or its 3-D form) nor a chunk.
  Expr *checkGroupMember(const ast::MemberExpr &member);
  /// A call `base.method<generics>(args)` of a group, chunk, view or mask.
  /// Reports a base that has no methods.
  Expr *checkMethodCall(const ast::CallExpr &call,
                        const ast::MemberExpr &callee, const Type *expected);
  /// `for i in g.strided(n)`, `for c in g.chunks(n, K)`; null if `call` is no
  /// such call.
  Stmt *checkForOverGroup(const ast::ForStmt &stmt, const ast::CallExpr &call,
                          const ast::MemberExpr &callee);
  /// Where an operator is expected: a builtin's name, an op, a function, a
  /// lambda. Null after an error.
  Operator *resolveOperator(const ast::Expr *expr, const Type *element);
  /// Whether `expr` names a builtin operator.
  bool isBuiltinOperator(const ast::Expr *expr);

  //===--------------------------------------------------------------------===//
  // Builtins (Builtins.cpp), atomics (Atomics.cpp), views (Views.cpp)
  //===--------------------------------------------------------------------===//

  /// Names such as "min", "ceil_div", "fence", "fast.exp".
  static bool isBuiltinFunction(llvm::StringRef name);
  /// One of those that are still to come.
  static bool isUnsupportedFunction(llvm::StringRef name);
  /// For the nearest name of an unknown one.
  static void
  listBuiltinFunctions(llvm::SmallVectorImpl<llvm::StringRef> &names);
  /// A call of one that `isBuiltinFunction` knows; folded if constant.
  Expr *checkBuiltinCall(llvm::StringRef name, const ast::CallExpr &call,
                         const Type *expected);
  /// `ceil_div` at run time is a call of a function that this makes; the host's
  /// launch expressions recognise it.
  bool isCeilDiv(const Function *function);
  /// atomic.NAME(...)
  Expr *checkAtomicCall(llvm::StringRef name, const ast::CallExpr &call);
  /// fast.atomic_NAME(...)
  Expr *checkFastAtomicCall(llvm::StringRef name, const ast::CallExpr &call);
  Expr *checkViewMethod(Expr *base, const ast::CallExpr &call,
                        const ast::MemberExpr &callee, const Type *expected);
  Expr *checkMaskMethod(Expr *base, const ast::CallExpr &call,
                        const ast::MemberExpr &callee);
  Expr *checkChunkMethod(const ChunkInfo &chunk, const ast::CallExpr &call,
                         const ast::MemberExpr &callee, const Type *expected);

private:
  class Inference;
  struct RangeHead;

  /// `more`: bytes of stack to come.
  bool isStackNearlyExhausted(ptrdiff_t more = 0) const;

  // Items.cpp
  Module *addModule(const ast::SourceFile *file, bool isStd);
  Module *findStdModule(llvm::StringRef name);
  void resolveImports(Module *module);
  void resolveFileImport(Module *module, const ast::ImportItem *item);
  void checkItem(Module *module, const ast::Item *item);
  static llvm::ArrayRef<ast::GenericParam> getGenerics(const ast::Item *item);
  static llvm::ArrayRef<ast::Param> getParams(const ast::Item *item);
  ConstantExpr *resolveConst(Decl *decl, llvm::SMRange use);
  void checkDefines();

  // Names.cpp
  Decl *lookupPath(llvm::ArrayRef<ast::Name> path);

  // Types.cpp
  const Type *resolveNamedType(const ast::NamedType &type);
  const Type *resolveArrayType(const ast::ArrayType &type);
  const Type *resolveEnum(const ast::EnumItem &item);
  const Type *makeStruct(const ast::StructItem &item, llvm::StringRef name);
  const Type *resolveLiteralStruct(const ast::StructLiteral &literal,
                                   const Type *expected);
  /// The error type (after an error) if it is too large.
  const Type *makeTuple(llvm::ArrayRef<const Type *> members, llvm::SMLoc loc);
  const Type *resolveViewElement(const ast::ViewType &view);
  const Type *makeArray(const Type *element, uint64_t count, llvm::SMLoc loc);

  // Generics.cpp
  bool bindExplicit(Decl *decl, llvm::ArrayRef<ast::GenericParam> params,
                    llvm::ArrayRef<ast::GenericArg> args,
                    llvm::MutableArrayRef<GenericValue> values,
                    llvm::SMRange range);
  bool bindConst(const ast::Name &param, const ast::GenericArg &arg,
                 GenericValue &value, llvm::SMRange range);
  void infer(const ast::TypeExpr *pattern, const Type *type,
             llvm::ArrayRef<ast::GenericParam> params,
             llvm::MutableArrayRef<GenericValue> values);
  /// Completes `instance.args` with the defaults, checks them and declares them
  /// in its scope.
  bool declareGenerics(Instance &instance,
                       llvm::ArrayRef<ast::GenericParam> params,
                       llvm::SMRange use);
  bool declareTypeGeneric(Instance &instance, const ast::GenericParam &param,
                          GenericValue &value, llvm::SMRange use);
  bool declareConstGeneric(Instance &instance, const ast::GenericParam &param,
                           GenericValue &value, llvm::SMRange use);
  bool failToInfer(const Instance &instance, const ast::GenericParam &param,
                   llvm::SMRange use);
  static std::string makeInstanceName(const Instance &instance);
  static std::string makeKey(const Instance &instance);

  // Instances.cpp
  Instance *getInstance(Decl *decl, llvm::ArrayRef<GenericValue> values,
                        llvm::SMRange range);
  Instance *failRecursion(Instance *instance, llvm::SMRange range);
  bool checkCallDepth(Instance &callee, llvm::SMRange range);
  /// The caller of the current instance goes as deep as what it calls.
  void noteCallDepth(const Instance &callee);
  void checkInstance(Instance &instance);
  bool checkSignature(Instance &instance);
  bool checkOperatorSignature(Instance &instance, const ast::OperatorItem &op);
  Variable *declareParam(Instance &instance, const ast::Param &param,
                         unsigned index);
  const Type *resolveView(Instance &instance, const ast::ViewType &view,
                          bool isMut, bool isShared, unsigned index);
  /// A name in an expression that is no constant, or null.
  const ast::NameExpr *findVariableName(const ast::Expr *expr);
  std::optional<Extent> resolveExtent(Instance &instance, const ast::Expr *expr,
                                      unsigned param, unsigned dimension);
  void checkFunctionBody(Instance &instance);
  void finishBody(Instance &instance, Stmt *body);

  // Kernels.cpp
  void makeKernels(Module *main);
  void makeRequestedKernel(llvm::StringRef request, Module *main);
  /// `name` is the kernel's for `--kernel=`: as it was asked for, so that
  /// "pass<8>" stays that where another argument has a default.
  void instantiateKernel(Decl *decl, llvm::ArrayRef<GenericValue> values,
                         llvm::StringRef name, llvm::SMRange range,
                         Module *main);
  void checkKernel(Instance &instance, llvm::StringRef name,
                   const ast::KernelItem &item);
  void checkKernelParams(Instance &instance, const ast::KernelItem &item);
  void checkKernelParam(const ast::Param &param, Kernel::Param &result);
  std::optional<unsigned>
  declarePitch(const ast::ViewType &view,
               llvm::SmallVectorImpl<Variable *> &extents);
  void checkClauses(Instance &instance, const ast::KernelItem &item);
  /// After the grid has been checked.
  void checkCluster(Instance &instance, const ast::Expr &clause,
                    llvm::ArrayRef<const ast::Expr *> grid);
  void checkWorkgroup(Instance &instance, const ast::KernelItem &item);
  void checkSharedSize(const Instance &kernel);

  // Statements.cpp
  /// The most values of a `switch`, each of which nests in the one before.
  static constexpr unsigned maxBranches = 256;
  void checkVar(const ast::VarStmt &stmt, StmtList &out);
  /// Warns of an array that the registers of a thread cannot hold.
  void warnOfLargeArray(const ast::Name &name, const Type *type);
  void declareLocal(const ast::Name &name, const Type *type, bool isLet,
                    Expr *init, StmtList &out);
  void bindPattern(const ast::Pattern *pattern, bool isLet, Expr *init,
                   StmtList &out);
  void poisonPattern(const ast::Pattern *pattern);
  void checkAssign(const ast::AssignStmt &stmt, StmtList &out);
  Expr *checkCompound(const ast::AssignStmt &stmt, Expr *oldValue);
  void checkExprStmt(const ast::ExprStmt &stmt, StmtList &out);
  void checkIf(const ast::IfStmt &first, StmtList &out);
  void checkSwitch(const ast::SwitchStmt &stmt, StmtList &out);
  Expr *checkCases(const ast::SwitchCase &branch, Variable *value,
                   std::map<uint64_t, llvm::SMLoc> &seen);

  // Control.cpp
  void checkWhile(const ast::WhileStmt &stmt, StmtList &out);
  void checkFor(const ast::ForStmt &stmt, StmtList &out);
  bool checkRangeHead(const ast::Expr *expr, RangeHead &head);
  bool checkRangeCall(const ast::CallExpr &call, const ast::MemberExpr &callee,
                      RangeHead &head);
  void checkStaticFor(const ast::ForStmt &stmt, StmtList &out);
  void checkJump(const ast::Stmt &stmt, StmtList &out);
  void checkReturn(const ast::ReturnStmt &stmt, StmtList &out);
  void checkAssert(const ast::AssertStmt &stmt, StmtList &out);

  // Shared.cpp
  void checkShared(const ast::SharedStmt &stmt, StmtList &out);
  const Type *resolveSharedView(const ast::ViewType &view,
                                Expr *&dynamicExtent);
  bool declareDynamicShared(Variable *variable);

  // Expressions.cpp
  Expr *checkName(const ast::NameExpr &name);
  Expr *checkDeclName(Decl *decl, llvm::SMRange range);
  Expr *checkEnumerator(const Type *type, const ast::MemberExpr &member);
  Expr *checkTargetMember(const ast::MemberExpr &member);
  Expr *checkMember(const ast::MemberExpr &member);
  Expr *checkMemberOf(Expr *base, const ast::MemberExpr &member);
  Expr *checkCast(const ast::CastExpr &cast);

  // Operators.cpp
  Expr *checkIntLiteral(const ast::IntLiteral &literal, bool negative,
                        const Type *expected, llvm::SMRange range);
  Expr *checkFloatLiteral(const ast::FloatLiteral &literal,
                          const Type *expected);
  Expr *checkUnary(const ast::UnaryExpr &unary, const Type *expected);
  Expr *checkBinary(const ast::BinaryExpr &binary, const Type *expected);
  Expr *checkLogical(const ast::BinaryExpr &binary);
  Expr *checkStringCompare(CompareExpr::Op op, const ast::BinaryExpr &binary);
  /// Null unless a value of `target` is compared with a name that none has.
  Expr *checkTargetName(const ast::BinaryExpr &binary);
  Expr *checkConditional(const ast::ConditionalExpr &conditional,
                         const Type *expected);
  static BinaryExpr::Op toBinaryOp(ast::BinaryOp op);

  // Conversions.cpp
  Expr *coerceInteger(Expr *expr, const Type *type);

  // Aggregates.cpp
  Expr *checkTuple(const ast::TupleExpr &tuple, const Type *expected);
  Expr *checkArrayLiteral(const ast::ArrayLiteral &literal,
                          const Type *expected);
  Expr *checkArrayRepeat(const ast::ArrayRepeat &repeat, const Type *expected);
  Expr *checkStructLiteral(const ast::StructLiteral &literal,
                           const Type *expected);
  bool checkFieldInit(const Type *type, const ast::FieldInit &init,
                      llvm::MutableArrayRef<Expr *> members);
  Expr *checkIndexExpr(const ast::IndexExpr &index);
  static unsigned getIndexLimit(const Type *type);
  bool checkBounds(const Expr *index, int64_t extent, const Type *type);
  Expr *makeElement(Expr *base, Expr *each, llvm::SMRange range);
  Expr *checkSlice(Expr *base, const ast::IndexExpr &index);
  std::pair<Expr *, Expr *> checkSliceRange(Expr *base, unsigned dimension,
                                            const ast::RangeExpr &range);

  // Calls.cpp
  Expr *checkCall(const ast::CallExpr &call, const Type *expected);
  Expr *checkDeclCall(Decl *decl, const ast::CallExpr &call,
                      const Type *expected);
  Expr *checkMemberCall(const ast::CallExpr &call,
                        const ast::MemberExpr &callee, const Type *expected);
  Decl *lookupStdCallee(const ast::MemberExpr &callee);
  Expr *checkTargetHas(const ast::CallExpr &call);
  Expr *checkBitcast(const ast::CallExpr &call);
  Expr *checkConstructor(const Type *type, const ast::CallExpr &call);
  bool checkArgCount(Decl *decl, const ast::CallExpr &call);
  bool inferFromArgs(Decl *decl, const ast::CallExpr &call,
                     llvm::MutableArrayRef<GenericValue> values,
                     llvm::MutableArrayRef<Expr *> args);
  Expr *makeArgument(const Variable &param, Expr *arg);

  // Builtins.cpp
  Function *getCeilDiv(const Type *type, llvm::SMRange range);

  llvm::DenseMap<const Type *, Function *> ceilDivs;
  const char *stackBottom;
  std::vector<std::unique_ptr<Module>> modules;
  llvm::SmallVector<Module *, 4> stdModules;
  ast::Context importedContext;
  llvm::StringMap<const ast::Expr *> defines;
  llvm::StringMap<std::shared_ptr<Instance>> instances;
  llvm::StringMap<StructInfo *> structs;
  llvm::DenseMap<const Type *, StructInfo *> structOrigins;
  unsigned structDepth = 0;
  std::set<std::string> kernelSymbols;
  /// The diagnostics before this one have the notes of `noteCallers`.
  size_t firstWithoutCallers = 0;
};

/// Checks in other surroundings for as long as it lives; what is reported there
/// gets its notes of `noteCallers`.
class InstanceGuard {
public:
  InstanceGuard(Checker &checker, Instance *instance)
      : checker(checker), saved(checker.current) {
    checker.noteCallers(saved);
    checker.current = instance;
  }
  ~InstanceGuard() {
    checker.noteCallers(checker.current);
    checker.current = saved;
  }
  InstanceGuard(const InstanceGuard &) = delete;
  InstanceGuard &operator=(const InstanceGuard &) = delete;

private:
  Checker &checker;
  Instance *saved;
};

//===----------------------------------------------------------------------===//
// Passes over a finished body
//===----------------------------------------------------------------------===//

/// Contraction.cpp: turns additions with a product into fma builtins
/// (docs/semantics.md says which).
void contract(Program &program, Stmt *body);
/// DefiniteAssignment.cpp: every `var` is assigned on all paths to its reads.
void checkDefiniteAssignment(const Stmt *body, DiagnosticEngine &diags);
/// Purity.cpp: an `op` and what it calls write no memory and have no
/// collectives, atomics or fences.
void checkPurity(const Function &op, DiagnosticEngine &diags);

} // namespace coll::sema

#endif // COLL_LIB_SEMA_CHECKER_H
