//===- Stage.cpp - The stages of the compiler -----------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Support/Stage.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"

using namespace coll;

llvm::StringRef coll::getStageName(Stage stage) {
  switch (stage) {
  case Stage::Ast:
    return "ast";
  case Stage::Coll:
    return "coll";
  case Stage::Lowered:
    return "lowered";
  case Stage::LLVM:
    return "llvm";
  case Stage::Asm:
    return "asm";
  case Stage::Obj:
    return "obj";
  case Stage::Bundle:
    return "bundle";
  }
  llvm_unreachable("unknown stage");
}

std::optional<Stage> coll::parseStage(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<Stage>>(name)
      .Case("ast", Stage::Ast)
      .Case("coll", Stage::Coll)
      .Case("lowered", Stage::Lowered)
      .Case("llvm", Stage::LLVM)
      .Case("asm", Stage::Asm)
      .Case("obj", Stage::Obj)
      .Case("bundle", Stage::Bundle)
      .Default(std::nullopt);
}
