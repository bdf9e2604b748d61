//===- Stage.h - The stages of the compiler ---------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_SUPPORT_STAGE_H
#define COLL_SUPPORT_STAGE_H

#include "llvm/ADT/StringRef.h"
#include <optional>

namespace coll {

/// What `collc compile --emit=` can print, in the order of the pipeline.
enum class Stage {
  Ast,     ///< The parsed source, printed as Coll text again.
  Coll,    ///< The coll dialect, before any lowering; what the reference device
           ///< runs.
  Lowered, ///< The llvm dialect with nvvm or rocdl operations; nothing of coll
           ///< is left.
  LLVM,    ///< LLVM IR after LLVM's optimiser.
  Asm,     ///< PTX or AMDGPU assembly.
  Obj,     ///< A cubin (needs ptxas) or a linked AMDGPU code object.
  Bundle,  ///< The manifest and the images of all targets.
};

/// The name used on the command line: `ast`, `coll`, `lowered`, ...
llvm::StringRef getStageName(Stage stage);
std::optional<Stage> parseStage(llvm::StringRef name);

} // namespace coll

#endif // COLL_SUPPORT_STAGE_H
