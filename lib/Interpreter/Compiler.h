//===- Compiler.h - From a coll.kernel to instructions ----------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One walk over the kernel's regions. Slots are given out like a stack: what a
// region defines is not visible after it, so its slots are free again then.
// Constants have slots of their own at the bottom, filled when a warp starts. A
// variable whose view is only loaded and stored as a whole lives in slots too.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_INTERPRETER_COMPILER_H
#define COLL_LIB_INTERPRETER_COMPILER_H

#include "Program.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

namespace coll::ref {

/// The scalar type of `type` or of its elements, if the reference device has
/// it.
std::optional<Scalar> getScalar(mlir::Type type);
/// 1, or the number of elements of a vector.
unsigned getLaneCount(mlir::Type type);

class Compiler {
public:
  Compiler(ir::KernelOp op, CompiledKernel &kernel) : op(op), kernel(kernel) {}
  /// The error names the first operation that cannot run, with its place.
  llvm::Error compile();

private:
  using Label = uint32_t;
  struct Variable {
    Slot slot;
    MaskSlot assigned;
  };
  struct InlineContext {
    mlir::Operation *op; ///< Null in a kernel's body or a combiner.
    MaskSlot mask;
    Slot results;
  };

  // Structure: Compiler.cpp.
  mlir::LogicalResult compileConstants();
  mlir::LogicalResult compileParams();
  mlir::LogicalResult compileBlock(mlir::Block &block);
  mlir::LogicalResult compileOp(mlir::Operation *op);
  mlir::LogicalResult compileTerminator(mlir::Operation *op);
  /// Compiles `region` with slots of its own; lanes that all leave it early
  /// jump to `escape`.
  mlir::LogicalResult compileRegion(mlir::Region &region, Label escape);
  mlir::LogicalResult compileIf(ir::IfOp op);
  mlir::LogicalResult compileLoop(ir::LoopOp op);
  mlir::LogicalResult compileInline(ir::InlineOp op);

  // Memory: CompileMemory.cpp.
  mlir::FailureOr<ViewInfo> makeView(mlir::Operation *op, ir::ViewType type);
  mlir::LogicalResult compileMemoryOp(mlir::Operation *op);
  mlir::LogicalResult compileVar(ir::VarOp op);
  mlir::LogicalResult compileShared(ir::SharedOp op);
  mlir::LogicalResult compileSlice(ir::SliceOp op);
  mlir::LogicalResult compileReshape(mlir::Operation *op, Opcode opcode,
                                     mlir::Value view, mlir::Value result,
                                     uint64_t offset);
  mlir::LogicalResult compileAccess(mlir::Operation *op);
  mlir::FailureOr<Access> makeAccess(mlir::Operation *op, mlir::Value view,
                                     mlir::ValueRange indices,
                                     mlir::ValueRange values);
  mlir::LogicalResult compileAtomic(mlir::Operation *op);
  bool compileVariableAccess(mlir::Operation *op);

  // Groups: CompileCollectives.cpp.
  GroupInfo makeGroup(ir::GroupRef group);
  mlir::LogicalResult compileQuery(mlir::Operation *op);
  mlir::LogicalResult compileCollective(mlir::Operation *op);
  /// Fills in what is particular to the operation.
  mlir::LogicalResult describe(mlir::Operation *op, CollectiveInfo &info);
  mlir::LogicalResult describeOperator(mlir::Operation *op,
                                       std::optional<ir::CombineKind> kind,
                                       mlir::ValueRange values,
                                       CollectiveInfo &info);
  mlir::LogicalResult compileCombiner(mlir::Region &region, uint32_t index);
  mlir::LogicalResult compileAssert(ir::AssertOp op);

  // Collectives that order and rearrange: CompileOrder.cpp.
  mlir::LogicalResult describeOrder(mlir::Operation *op, CollectiveInfo &info);
  mlir::LogicalResult compileHistogram(ir::HistogramOp op);

  // Arithmetic: CompileArith.cpp.
  mlir::LogicalResult compileArith(mlir::Operation *op);
  mlir::LogicalResult compileVectorOp(mlir::Operation *op);
  /// vector.extract and vector.insert.
  mlir::LogicalResult compileElements(mlir::Operation *op);
  /// fn on each element of the operands, all of the result's shape.
  void emitElementwise(mlir::Operation *op, LaneFn fn,
                       Opcode opcode = Opcode::Lanes);

  // Values.
  Slot slotOf(mlir::Value value) const { return slots.lookup(value); }
  std::optional<unsigned> countSlots(mlir::Type type) const;
  /// Gives slots to the results of `op`, in order; fails for a type that the
  /// device does not have.
  mlir::LogicalResult allocateResults(mlir::Operation *op);
  mlir::LogicalResult allocate(mlir::Operation *op, mlir::Value value);
  /// The slots of all scalars of `values`.
  std::vector<Slot> scalarsOf(mlir::ValueRange values) const;
  Slot reserve(unsigned count);
  /// The slots of a constant.
  Slot addConstant(const std::vector<uint64_t> &bits);
  MaskSlot reserveMasks(unsigned count);

  // Code.
  Inst &emit(mlir::Operation *op, Opcode opcode);
  void emitMove(mlir::Operation *op, Slot out, Slot in, Opcode opcode);
  void emitMoves(mlir::Operation *op, Slot out, Slot in, unsigned count);
  Label makeLabel();
  void bind(Label label) { labels[label] = kernel.code.size(); }
  void resolveLabels();
  uint32_t placeOf(mlir::Location location);
  mlir::LogicalResult fail(mlir::Operation *op, const llvm::Twine &message);
  mlir::LogicalResult failUnknown(mlir::Operation *op);

  ir::KernelOp op;
  CompiledKernel &kernel;
  llvm::DenseMap<mlir::Value, Slot> slots;
  llvm::DenseMap<mlir::Value, Variable> variables;
  llvm::DenseMap<mlir::Location, uint32_t> placeIndices;
  std::map<std::vector<uint64_t>, Slot> constantSlots;
  Slot nextSlot = 0;
  std::vector<uint32_t> labels;
  Label escape = 0;
  MaskSlot loopMask = 0;
  InlineContext inlined = {nullptr, 0, 0};
  std::string error;
};

/// The places that `location` stands for.
PlaceInfo makePlace(mlir::Location location);
/// "file:1:2: error: text".
llvm::Error makeError(const SourcePlace &place, const llvm::Twine &text);

} // namespace coll::ref

#endif // COLL_LIB_INTERPRETER_COMPILER_H
