//===- ProgramMachine.cpp - Code objects to launch in tests ---------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramMachine.h"
#include "coll/CodeGen/CodeGen.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"
#include "gtest/gtest.h"

using namespace coll;
using namespace coll::sim;

std::string coll::sim::compile(llvm::StringRef chip, llvm::StringRef ir,
                               unsigned version) {
  Target target = cantFail(Target::parse(chip));
  CodeGenOptions options;
  options.optLevel = 1;
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(ir, diagnostic, context);
  EXPECT_TRUE(module) << diagnostic.getMessage().str();
  auto machine = cantFail(createTargetMachine(target, options, 0));
  module->setTargetTriple(machine->getTargetTriple());
  module->setDataLayout(machine->createDataLayout());
  module->addModuleFlag(llvm::Module::Error, "amdhsa_code_object_version",
                        version * 100);
  return cantFail(emitCodeObject(*module, target, *machine));
}

Machine::Machine(llvm::StringRef chip, llvm::StringRef object)
    : program(cantFail(Program::load(
          {reinterpret_cast<const uint8_t *>(object.data()), object.size()},
          cantFail(Target::parse(chip)), memory))),
      out(*memory.allocate(outBytes)) {
  std::memset(memory.find(out, outBytes), 0, outBytes);
}

LaunchResult Machine::launch(const LaunchOptions &options) {
  std::vector<uint8_t> arguments(8);
  std::memcpy(arguments.data(), &out, 8);
  return cantFail(
      program->launch(*program->findKernel("k"), arguments, options));
}

uint32_t Machine::at(unsigned index) const {
  uint32_t value;
  std::memcpy(&value, memory.find(out + 4 * index, 4), 4);
  return value;
}
