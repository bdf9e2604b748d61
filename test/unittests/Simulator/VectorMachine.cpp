//===- VectorMachine.cpp - One wave that runs assembly --------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorMachine.h"
#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCObjectWriter.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Triple.h"
#include "gtest/gtest.h"

using namespace coll;
using namespace coll::sim;
using namespace llvm;

static std::vector<uint8_t> getText(StringRef object) {
  auto file =
      object::ObjectFile::createObjectFile(MemoryBufferRef(object, "assembly"));
  if (!file) {
    ADD_FAILURE() << toString(file.takeError());
    return {};
  }
  for (const object::SectionRef &section : (*file)->sections())
    if (section.isText())
      if (Expected<StringRef> contents = section.getContents())
        return {contents->bytes_begin(), contents->bytes_end()};
  return {};
}

std::vector<uint8_t> coll::sim::assemble(const coll::Target &target,
                                         StringRef text) {
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTargetMC();
  LLVMInitializeAMDGPUAsmParser();
  Triple triple("amdgcn-amd-amdhsa");
  std::string message;
  const llvm::Target *backend = TargetRegistry::lookupTarget(triple, message);
  StringRef features;
  if (target.getChip().hasWave64Mode)
    features =
        target.getWarpSize() == 64 ? "+wavefrontsize64" : "+wavefrontsize32";
  MCTargetOptions options;
  std::unique_ptr<MCRegisterInfo> registers(backend->createMCRegInfo(triple));
  std::unique_ptr<MCAsmInfo> info(
      backend->createMCAsmInfo(*registers, triple, options));
  std::unique_ptr<MCInstrInfo> instructions(backend->createMCInstrInfo());
  std::unique_ptr<MCSubtargetInfo> subtarget(
      backend->createMCSubtargetInfo(triple, target.getChip().name, features));
  SourceMgr sources;
  sources.AddNewSourceBuffer(MemoryBuffer::getMemBufferCopy(text), SMLoc());
  MCContext context(triple, info.get(), registers.get(), subtarget.get(),
                    &sources);
  std::unique_ptr<MCObjectFileInfo> objectInfo(
      backend->createMCObjectFileInfo(context, /*PIC=*/true));
  context.setObjectFileInfo(objectInfo.get());
  SmallString<0> object;
  raw_svector_ostream os(object);
  auto assemblyBackend = std::unique_ptr<MCAsmBackend>(
      backend->createMCAsmBackend(*subtarget, *registers, options));
  auto writer = assemblyBackend->createObjectWriter(os);
  std::unique_ptr<MCStreamer> streamer(backend->createMCObjectStreamer(
      triple, context, std::move(assemblyBackend), std::move(writer),
      std::unique_ptr<MCCodeEmitter>(
          backend->createMCCodeEmitter(*instructions, context)),
      *subtarget));
  std::unique_ptr<MCAsmParser> parser(
      createMCAsmParser(sources, context, *streamer, *info));
  std::unique_ptr<MCTargetAsmParser> targetParser(
      backend->createMCAsmParser(*subtarget, *parser, *instructions, options));
  parser->setTargetParser(*targetParser);
  if (parser->Run(/*NoInitialTextSection=*/false))
    return {};
  return getText(object);
}

struct VectorMachine::State {
  State(std::unique_ptr<Decoder> decoder, uint64_t ulpSeed)
      : decoder(std::move(decoder)), memory(1 << 20),
        launch{.chip = this->decoder->getChip(),
               .memory = memory,
               .options = options,
               .kernel = kernel,
               .statistics = {},
               .fault = std::nullopt} {
    options.ulpSeed = ulpSeed;
  }
  std::unique_ptr<Decoder> decoder;
  DeviceMemory memory;
  LaunchOptions options;
  KernelInfo kernel;
  Launch launch;
  Workgroup group;
  std::unique_ptr<Wave> wave;
};

VectorMachine::VectorMachine(StringRef target, uint64_t ulpSeed) {
  std::unique_ptr<Decoder> decoder =
      cantFail(Decoder::create(cantFail(coll::Target::parse(target))));
  state = std::make_unique<State>(std::move(decoder), ulpSeed);
  state->wave = std::make_unique<Wave>(state->launch, state->group, 0);
  wave = state->wave.get();
  wave->mode = 0xf << Denorm32Shift | DX10Clamp;
  wave->scalarInit.set();
  for (unsigned reg = 0; reg < 512; ++reg) {
    std::fill_n(wave->getVGPR(reg), 64, 0);
    wave->vgprInit[reg] = ~0ull;
  }
}

VectorMachine::~VectorMachine() = default;

std::optional<Fault> VectorMachine::runChecked(StringRef assembly) {
  checksHazards = true;
  run(assembly);
  checksHazards = false;
  return state->launch.fault;
}

void VectorMachine::run(StringRef assembly) {
  std::vector<uint8_t> code =
      assemble(state->decoder->getChip().getTarget(), assembly);
  ASSERT_FALSE(code.empty()) << assembly.str();
  ArrayRef<uint8_t> rest = code;
  while (!rest.empty()) {
    std::unique_ptr<DecodedInst> inst = state->decoder->decode(rest, 0);
    ASSERT_TRUE(inst) << assembly.str();
    ASSERT_TRUE(inst->handler) << inst->text;
    wave->current = inst.get();
    if (checksHazards)
      checkHazards(*wave, *inst);
    if (state->launch.fault)
      return;
    inst->handler(*wave, *inst);
    // Good enough for halves that do not read what the other one writes.
    if (inst->second)
      inst->second->handler(*wave, *inst->second);
    wave->current = nullptr;
    ASSERT_FALSE(state->launch.fault) << state->launch.fault->str();
    rest = rest.drop_front(inst->size);
  }
}
