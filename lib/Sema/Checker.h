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

#include "Scope.h"
#include "coll/Sema/Sema.h"
#include "coll/Syntax/AST.h"
#include "llvm/ADT/StringMap.h"

namespace coll::sema {

/// How far the check of a declaration is: asking for one in progress is a
/// cycle.
enum class Progress { NotStarted, InProgress, Done };

struct Module;

/// A named item of a file.
struct Decl {
  const ast::Item *item = nullptr;
  Module *module = nullptr;
  Progress progress = Progress::NotStarted;
  /// Once done: of a struct, enum or alias without generics.
  const Type *type = nullptr;
  /// Once done: of a const; null after an error.
  ConstantExpr *value = nullptr;
};

/// The names of one file, together with those that it imports.
struct Module {
  llvm::StringRef name;
  bool isStd = false;
  bool importsDone = false;
  const ast::SourceFile *file = nullptr;
  llvm::DenseMap<llvm::StringRef, Decl *> decls;
  llvm::SmallVector<Module *, 4> imports;
};

/// An argument of a generic: one of the two is set.
struct GenericValue {
  const Type *type = nullptr;
  ConstantExpr *value = nullptr;
};

/// A function, op or kernel with its generic arguments.
struct Instance {
  Decl *decl = nullptr;
  llvm::SmallVector<GenericValue, 2> args;
  std::string name; ///< "digit", "pass<8>"
  Progress progress = Progress::NotStarted;
  Function *function = nullptr; ///< Of a function or op.
  Kernel *kernel = nullptr;
  const Type *result = nullptr;
  /// Of an op: its declared identity, or null.
  Expr *identity = nullptr;
  bool commutative = false;
  /// Bytes of shared arrays declared in the body itself.
  uint64_t sharedBytes = 0;
  Variable *dynamicShared = nullptr;
  llvm::SmallVector<Instance *, 4> callees;

  // While the body is being checked.
  Scopes scopes;
  unsigned loopDepth = 0;
  Instance *caller = nullptr;
  llvm::SMLoc callLoc;
};

/// What `for c in g.chunks(n, K)` knows about its variable.
struct ChunkInfo {
  Group group;
  unsigned perThread = 1;
  Variable *trip = nullptr;  ///< The loop variable: the trip's number, i64.
  Variable *count = nullptr; ///< A `let` before the loop: n, i64.
};

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
  /// An expression of the error type, for a place whose error was reported.
  Expr *makeError(llvm::SMRange range);
  /// Reports at the start of `range` and returns `makeError(range)`.
  Expr *fail(llvm::SMRange range, const llvm::Twine &text);
  /// "'what' is not supported yet"
  Expr *failUnsupported(llvm::SMRange range, const llvm::Twine &what);

  //===--------------------------------------------------------------------===//
  // Names (Items.cpp, Scope.h)
  //===--------------------------------------------------------------------===//

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
  /// "unknown `what` 'x'", with the nearest name in a note.
  Expr *failUnknownName(const ast::Name &name, llvm::StringRef what);

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
  /// Any integer, converted to i64 (i32).
  Expr *checkIndex(const ast::Expr *expr);
  Expr *checkI32(const ast::Expr *expr);
  /// True for literals and what is computed from literals alone: its type may
  /// come from what it meets.
  static bool isFlexible(const ast::Expr *expr);
  /// Brings both to one type: the constant or literal to the other's, the
  /// narrower integer to the wider. False (after an error) if there is none.
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
  Expr *makeUnary(UnaryExpr::Op op, Expr *operand, llvm::SMRange range);
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
  /// The value of an integer (or enum) constant, null if it is something else.
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
  /// The positional arguments, at least `min` and at most `max`, and the named
  /// ones among `names`. Reports what is wrong and returns false.
  bool matchArgs(const ast::CallExpr &call, unsigned min, unsigned max,
                 llvm::ArrayRef<llvm::StringRef> names,
                 llvm::SmallVectorImpl<const ast::Expr *> &positional,
                 llvm::StringMap<const ast::Expr *> &named);

  //===--------------------------------------------------------------------===//
  // Statements (Statements.cpp, Loops.cpp)
  //===--------------------------------------------------------------------===//

  Stmt *checkStmt(const ast::Stmt *stmt);
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

  //===--------------------------------------------------------------------===//
  // Builtins (Builtins.cpp), atomics (Atomics.cpp), views (Views.cpp)
  //===--------------------------------------------------------------------===//

  /// Names such as "min", "ceil_div", "fence", "fast.exp".
  static bool isBuiltinFunction(llvm::StringRef name);
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
  Expr *checkAtomicCall(llvm::StringRef name, const ast::CallExpr &call,
                        const Type *expected);
  Expr *checkViewMethod(Expr *base, const ast::CallExpr &call,
                        const ast::MemberExpr &callee, const Type *expected);
  Expr *checkMaskMethod(Expr *base, const ast::CallExpr &call,
                        const ast::MemberExpr &callee);
  Expr *checkChunkMethod(const ChunkInfo &chunk, const ast::CallExpr &call,
                         const ast::MemberExpr &callee, const Type *expected);

private:
  // Items.cpp
  Module *addModule(const ast::SourceFile *file, bool isStd);
  void resolveImports(Module *module);
  void resolveFileImport(Module *module, const ast::ImportItem *item);
  void checkItem(Decl *decl);
  ConstantExpr *resolveConst(Decl *decl, llvm::SMRange use);
  ConstantExpr *evaluateDefine(const ast::ConstItem &item, const Type *type);
  void checkDefines();

  // Types.cpp
  const Type *resolveNamedType(const ast::NamedType &type);
  const Type *resolveArrayType(const ast::ArrayType &type);
  const Type *resolveEnum(Decl *decl);
  const Type *makeArray(const Type *element, uint64_t count, llvm::SMLoc loc);

  // Private sections of the other files follow as they are written.
};

//===----------------------------------------------------------------------===//
// Passes over a finished body
//===----------------------------------------------------------------------===//

/// Contraction.cpp: turns additions with a product into fma builtins
/// (docs/semantics.md says which).
void contract(Program &program, Stmt *body);
/// DefiniteAssignment.cpp: every `var` is assigned on all paths to its reads.
void checkDefiniteAssignment(const Stmt *body, DiagnosticEngine &diags);
/// Purity.cpp: an `op` neither writes nor reads memory, has no collectives, no
/// atomics, no traps, and calls only such functions.
void checkPurity(const Function &op, DiagnosticEngine &diags);

} // namespace coll::sema

#endif // COLL_LIB_SEMA_CHECKER_H
