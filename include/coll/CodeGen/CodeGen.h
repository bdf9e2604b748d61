//===- CodeGen.h - LLVM IR, its optimiser, PTX, AMDGPU code -----*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One function a step. Nothing here contracts or reorders floating point: what
// the front end wrote is what is emitted.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_CODEGEN_CODEGEN_H
#define COLL_CODEGEN_CODEGEN_H

#include "coll/Target/Target.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
} // namespace llvm

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace coll {

/// What decides about the code besides the program and the target.
struct CodeGenOptions {
  /// 0 to 3, as LLVM's -O levels.
  unsigned optLevel = 3;
  /// AMD code object version: 5 (widest choice of ROCm releases) or 6.
  unsigned codeObjectVersion = 5;
  /// A PTX ISA version (78 for 7.8) to use instead of the lowest that the code
  /// needs; 0: the lowest.
  unsigned ptxVersion = 0;
};

/// The LLVM target machine of `target`, strict about floating point. For NVIDIA
/// `ptxVersion` is the PTX ISA version times ten.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(const Target &target, const CodeGenOptions &options,
                    unsigned ptxVersion);

/// The llvm dialect to LLVM IR, with the triple, data layout and module flags
/// of the target. The module is verified: an invalid one is an error here
/// instead of a crash of the back end later.
llvm::Expected<std::unique_ptr<llvm::Module>>
translateToLLVM(mlir::ModuleOp module, llvm::LLVMContext &context,
                const Target &target, const llvm::TargetMachine &machine,
                const CodeGenOptions &options);

/// Runs LLVM's default pipeline of `options.optLevel`, less the passes that
/// find nothing to do in kernels.
void optimize(llvm::Module &module, const Target &target,
              llvm::TargetMachine &machine, const CodeGenOptions &options);

/// Makes the operands of shuffles depend on the lane where ptxas might take
/// them for the same in all lanes. A part of `optimize` for NVIDIA.
void hideUniformShuffles(llvm::Module &module);

/// Removes shuffles and their kin whose results nobody reads, which ptxas
/// mistreats. A part of `optimize` for NVIDIA.
void dropUnusedExchanges(llvm::Module &module);

/// Combines under the predicates of shuffles, where LLVM selected a neutral
/// value instead. A part of `optimize` for NVIDIA.
void predicateCombinations(llvm::Module &module);

/// Keeps the blocks in which lanes meet at the end of a loop's body. Comes
/// before LLVM's passes for AMD.
void keepLatches(llvm::Module &module);

/// Takes back what `keepLatches` put into loops that have been unrolled since.
/// Comes behind LLVM's passes for AMD.
void dropUnrolledLatches(llvm::Module &module);

/// The PTX ISA version, times ten, with minima and maxima of two short integers
/// in a register.
constexpr unsigned packedMinMaxPTX = 80;

/// Keeps LLVM's passes from computing with bf16 in f16. A part of `optimize`.
void fenceHalf(llvm::Module &module);

/// Takes away the fences that kept LLVM's passes from combining operations. A
/// part of `optimize`.
void dropFences(llvm::Module &module);

/// Computes minima and maxima of short integers in 32 bits, or two in one
/// instruction, as ptxas gets the pairs wrong that it makes itself. A part of
/// `optimize` for NVIDIA.
void widenMinMax(llvm::Module &module, const Target &target,
                 const CodeGenOptions &options);

/// Computes sums, products, minima and maxima of 16-bit floats as f32 where
/// ptxas might overwrite an operand. A part of `optimize` for NVIDIA.
void widenHalf(llvm::Module &module);

/// Computes sums, minima and maxima of vectors of 16-bit numbers number by
/// number where some are constants, which ptxas loses. A part of `optimize` for
/// NVIDIA.
void splitPairs(llvm::Module &module);

/// Keeps LLVM from making minima and maxima of selects of zeros. A part of
/// `optimize`.
void selectBitsOfZeros(llvm::Module &module);

/// Converts floats to integers by PTX's cvt alone. A part of `optimize` for
/// NVIDIA.
void saturateByCvt(llvm::Module &module);

/// Keeps ptxas from losing NaNs and negative zeros. A part of `optimize` for
/// NVIDIA.
void keepSpecialFloats(llvm::Module &module, const Target &target);

/// Keeps LLVM from taking atomic loads for loads of constant memory. A part of
/// `optimize` for NVIDIA.
void keepAtomicLoads(llvm::Module &module);

/// Says what inline assembly for AMD depends on. A part of `optimize` for AMD.
void markLaneAssembly(llvm::Module &module);

/// Keeps LLVM from moving v_permlane64 into branches. A part of `optimize` for
/// AMD.
void pinPermlane64(llvm::Module &module);

/// Keeps LLVM from moving moves within eight lanes into branches. A part of
/// `optimize` for AMD.
void pinDPP8(llvm::Module &module);

/// Keeps LLVM from making DPP moves a part of instructions on 64 bits. A part
/// of `optimize` for GFX12.
void pinWideDPP(llvm::Module &module);

/// Ors of 64 bits of which a half is known, as LLVM gets some of them wrong. A
/// part of `optimize` for AMD.
void splitKnownOrs(llvm::Module &module);

/// Hides constants that LLVM does the wrong thing with: those that DPP moves,
/// and zeros in sums, differences, bounds and pairs of 16-bit floats. A part of
/// `optimize` for AMD.
void hideConstants(llvm::Module &module);

/// Keeps LLVM from taking bf16 in private memory for the same in all lanes. A
/// part of `optimize` for AMD.
void pinPrivateBF16(llvm::Module &module);

/// Keeps the signs of products that are rounded to f16 and are zero. A part of
/// `optimize` for AMD.
void keepProducts(llvm::Module &module);

/// Keeps LLVM from dividing by floats where that is not exact. A part of
/// `optimize` for AMD.
void hideDividends(llvm::Module &module);

/// Keeps the upper halves of short integers that are shifted by 8. A part of
/// `optimize` for AMD's GFX9.
void widenShifts(llvm::Module &module);

/// Keeps the upper bits of factors that LLVM would take for ones of 24 bits. A
/// part of `optimize` for AMD.
void hideFactors(llvm::Module &module);

/// Makes known low bits of addresses of shared memory a part of their constant
/// offsets. A part of `optimize` for AMD, before `selectLanes`.
void offsetKnownBits(llvm::Module &module);

/// Makes conditions on the lane alone constant masks. A part of `optimize` for
/// AMD.
void selectLanes(llvm::Module &module, const Target &target);

/// The lowest PTX ISA version, times ten, that has everything that `module`
/// uses on `target`, at least the chip's own minimum.
unsigned getRequiredPTXVersion(const llvm::Module &module,
                               const Target &target);

/// PTX or AMDGPU assembly. Consumes the module's contents. `machine` is for the
/// chip's lowest PTX version; code that needs a higher one gets a machine of
/// its own.
llvm::Expected<std::string> emitAssembly(llvm::Module &module,
                                         const Target &target,
                                         llvm::TargetMachine &machine,
                                         const CodeGenOptions &options);

/// A linked AMDGPU code object. Consumes the module's contents.
llvm::Expected<std::string> emitCodeObject(llvm::Module &module,
                                           const Target &target,
                                           llvm::TargetMachine &machine);

/// Finds ptxas: in $COLL_PTXAS, on the PATH, or in /usr/local/cuda/bin; empty
/// if there is none.
std::string findPtxas();

/// Machine code (a cubin) of PTX, made by ptxas. An error says which ptxas does
/// not know the chip or the version of PTX, or what its words are.
llvm::Expected<std::string>
assemblePTX(llvm::StringRef ptx, const Target &target, llvm::StringRef ptxas);

} // namespace coll

#endif // COLL_CODEGEN_CODEGEN_H
