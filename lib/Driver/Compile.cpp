//===- Compile.cpp - The compiler as one library call ---------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Driver/Compile.h"
#include "ContextPool.h"
#include "DiagnosticBridge.h"
#include "Manifest.h"
#include "coll/Analysis/Passes.h"
#include "coll/CodeGen/CodeGen.h"
#include "coll/Dialect/Coll/IR/Coll.h"
#include "coll/IRGen/IRGen.h"
#include "coll/Lowering/Lowering.h"
#include "coll/Plan/CollectiveLog.h"
#include "coll/Plan/Strategy.h"
#include "coll/Sema/Sema.h"
#include "coll/Std/Std.h"
#include "coll/Support/ReadFile.h"
#include "coll/Syntax/Parser.h"
#include "coll/Target/Registers.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include <chrono>

using namespace coll;

//===----------------------------------------------------------------------===//
// CompileTarget
//===----------------------------------------------------------------------===//

llvm::Expected<CompileTarget> CompileTarget::parse(llvm::StringRef text) {
  if (text == "reference" || text == "reference:32")
    return reference(32);
  if (text == "reference:64")
    return reference(64);
  llvm::Expected<Target> chip = Target::parse(text);
  if (!chip)
    return chip.takeError();
  return CompileTarget(*chip);
}

std::string CompileTarget::str() const {
  if (chip)
    return chip->str();
  return warpSize == 32 ? "reference" : "reference:64";
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

namespace {
/// The coll dialect of a target, from which manifests and all later stages
/// come.
using Module = mlir::OwningOpRef<mlir::ModuleOp>;
} // namespace

struct Compilation::Impl {
  explicit Impl(CompileOptions options)
      : options(std::move(options)), diags(sources) {}

  /// Reports how long `run` takes under `step`.
  template <typename Function> auto timed(llvm::StringRef step, Function run);

  bool parse();
  Module generate(const CompileTarget &target);
  bool hasKernels = false; ///< What `generate` made last.
  bool lower(mlir::ModuleOp module, const Target &target);
  llvm::Expected<std::unique_ptr<llvm::Module>>
  translate(mlir::ModuleOp module, llvm::LLVMContext &context,
            const Target &target, llvm::TargetMachine &machine);
  llvm::Expected<std::optional<std::string>> emit(const CompileTarget &target,
                                                  Stage stage);
  /// From the coll dialect on. Consumes `module`.
  llvm::Expected<std::optional<std::string>> emitFrom(mlir::ModuleOp module,
                                                      const Target &target,
                                                      Stage stage,
                                                      Image *image = nullptr);
  llvm::Error addImage(const CompileTarget &target, Module module,
                       Bundle &bundle, bool &failed);
  mlir::MLIRContext &getContext();
  CodeGenOptions getCodeGenOptions() const;

  CompileOptions options;
  llvm::SourceMgr sources;
  DiagnosticEngine diags;
  unsigned mainBuffer = 0;
  ast::Context syntax;
  const ast::SourceFile *file = nullptr;
  std::vector<const ast::SourceFile *> std;
  std::optional<PooledContext> context;
  std::optional<DiagnosticBridge> bridge;
  std::vector<StepTime> times;
  CollectiveLog log; ///< Of all lowerings.
};

template <typename Function>
auto Compilation::Impl::timed(llvm::StringRef step, Function run) {
  auto start = std::chrono::steady_clock::now();
  auto record = llvm::make_scope_exit([&] {
    std::chrono::duration<double, std::milli> taken =
        std::chrono::steady_clock::now() - start;
    auto time = llvm::find_if(
        times, [&](const StepTime &time) { return time.step == step; });
    if (time == times.end())
      times.push_back({step.str(), taken.count()});
    else
      time->milliseconds += taken.count();
  });
  return run();
}

mlir::MLIRContext &Compilation::Impl::getContext() {
  if (!context) {
    context.emplace();
    bridge.emplace(**context, diags);
  }
  return **context;
}

CodeGenOptions Compilation::Impl::getCodeGenOptions() const {
  CodeGenOptions result;
  result.optLevel = options.optLevel;
  result.codeObjectVersion = options.codeObjectVersion;
  result.ptxVersion = options.ptxVersion;
  return result;
}

bool Compilation::Impl::parse() {
  if (file)
    return !diags.hasErrors();
  return timed("parse", [&] {
    file = ast::parseSource(mainBuffer, diags, syntax);
    unsigned id = sources.AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBuffer(getStdModule("std.math"),
                                         "std/math.coll"),
        llvm::SMLoc());
    std.push_back(ast::parseSource(id, diags, syntax));
    return !diags.hasErrors();
  });
}

/// What `target.*` means in the source.
static sema::TargetValues getTargetValues(const CompileTarget &target) {
  sema::TargetValues values;
  values.warpSize = target.getWarpSize();
  if (target.isReference()) {
    // What runs on a chip can be checked there.
    for (const ChipInfo &chip : getChips())
      values.maxSharedBytes =
          std::max<uint64_t>(values.maxSharedBytes, chip.maxSharedBytes);
    return values;
  }
  const Target &chip = target.getChip();
  values.vendor = chip.getVendorName().str();
  values.chip = chip.getChip().name.str();
  values.maxSharedBytes = chip.getChip().maxSharedBytes;
  values.maxRegisters = getMaxRegisters(chip);
  values.features.clear();
  for (unsigned i = 0; i < numFeatures; ++i)
    if (chip.has(static_cast<Feature>(i)))
      values.features.push_back(getFeatureName(static_cast<Feature>(i)).str());
  return values;
}

/// Removes all kernels but those that have these names, if there are names.
static void keepKernels(mlir::ModuleOp module,
                        llvm::ArrayRef<std::string> names) {
  if (names.empty())
    return;
  for (auto kernel : llvm::to_vector(module.getOps<ir::KernelOp>()))
    if (llvm::none_of(names, [&](llvm::StringRef name) {
          return name.trim() == kernel.getKernelName();
        }))
      kernel.erase();
}

Module Compilation::Impl::generate(const CompileTarget &target) {
  if (!parse())
    return {};
  sema::SemaOptions semaOptions;
  semaOptions.target = getTargetValues(target);
  semaOptions.defines = options.defines;
  semaOptions.contract = options.contract;
  semaOptions.kernelInstances = options.kernelInstances;
  std::unique_ptr<sema::Program> program = timed(
      "sema", [&] { return sema::analyze(*file, std, semaOptions, diags); });
  if (diags.hasErrors())
    return {};
  if (program->getKernels().empty() &&
      llvm::none_of(file->getItems(), llvm::IsaPred<ast::KernelItem>))
    diags.warning(llvm::SMLoc::getFromPointer(
                      sources.getMemoryBuffer(mainBuffer)->getBufferStart()),
                  "the program has no kernel");
  mlir::MLIRContext &mlirContext = getContext();
  Module module = timed("irgen", [&] {
    return generateIR(*program, sources, mlirContext, diags);
  });
  if (!module || diags.hasErrors())
    return {};
  bool isAccepted = timed("analysis", [&] {
    unsigned warpSize = target.getWarpSize();
    bool hasOperands = mlir::succeeded(verifyOperands(*module, warpSize));
    return mlir::succeeded(verifyUniformity(*module, warpSize)) &&
           mlir::succeeded(verifySplitBarriers(*module, warpSize)) &&
           hasOperands;
  });
  if (!isAccepted)
    return {};
  keepKernels(*module, options.onlyKernels);
  hasKernels = !module->getOps<ir::KernelOp>().empty();
  return module;
}

bool Compilation::Impl::lower(mlir::ModuleOp module, const Target &target) {
  return timed("lower", [&] {
    mlir::PassManager passes(module->getContext());
    passes.enableVerifier(false);
    LoweringOptions lowering(target);
    if (isStrategy(target.getVendor(), options.strategy))
      lowering.strategy = options.strategy;
    lowering.remarks = options.remarks;
    lowering.debugLines = options.debugLines;
    lowering.log = options.logCollectives ? &log : nullptr;
    buildLoweringPipeline(passes, lowering);
    return mlir::succeeded(passes.run(module)) && !diags.hasErrors();
  });
}

llvm::Expected<std::unique_ptr<llvm::Module>>
Compilation::Impl::translate(mlir::ModuleOp module, llvm::LLVMContext &context,
                             const Target &target,
                             llvm::TargetMachine &machine) {
  CodeGenOptions codeGen = getCodeGenOptions();
  auto result = timed("translate", [&] {
    return translateToLLVM(module, context, target, machine, codeGen);
  });
  if (!result)
    return result.takeError();
  timed("optimize", [&] { optimize(**result, target, machine, codeGen); });
  return std::move(*result);
}

/// Static shared memory of a kernel: its globals, each once.
static uint64_t getStaticSharedBytes(const llvm::Module &module,
                                     const llvm::Function &kernel);

static std::string print(mlir::ModuleOp module, bool withLocations) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  mlir::OpPrintingFlags flags;
  flags.enableDebugInfo(withLocations);
  module.print(stream, flags);
  stream << '\n';
  return text;
}

/// What launches must provide, as the lowering says it.
static llvm::Error noteLaunchMemory(mlir::ModuleOp module, Image &image) {
  for (ImageEntry &entry : image.entries) {
    auto function = module.lookupSymbol<mlir::LLVM::LLVMFuncOp>(entry.symbol);
    if (!function)
      continue;
    if (auto bytes =
            function->getAttrOfType<mlir::IntegerAttr>(launchSharedAttrName))
      entry.launchSharedBytes = bytes.getInt();
    auto text = function->getAttrOfType<mlir::StringAttr>(workspaceAttrName);
    if (!text)
      continue;
    llvm::Expected<LaunchExpr> bytes = LaunchExpr::parse(text);
    if (!bytes)
      return bytes.takeError();
    entry.workspace = std::move(*bytes);
  }
  return llvm::Error::success();
}

llvm::Expected<std::optional<std::string>>
Compilation::Impl::emitFrom(mlir::ModuleOp module, const Target &target,
                            Stage stage, Image *image) {
  if (!lower(module, target))
    return std::nullopt;
  if (stage == Stage::Lowered)
    return print(module, /*withLocations=*/false);
  CodeGenOptions codeGen = getCodeGenOptions();
  auto created = timed("translate", [&] {
    return createTargetMachine(target, codeGen, target.getChip().minPTX);
  });
  if (!created)
    return created.takeError();
  llvm::TargetMachine &machine = **created;
  llvm::LLVMContext llvmContext;
  auto llvmModule = translate(module, llvmContext, target, machine);
  if (!llvmModule)
    return llvmModule.takeError();
  if (stage == Stage::LLVM) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    (*llvmModule)->print(stream, nullptr);
    return text;
  }
  if (image) {
    if (llvm::Error error = noteLaunchMemory(module, *image))
      return error;
    for (ImageEntry &entry : image->entries)
      if (const llvm::Function *kernel =
              (*llvmModule)->getFunction(entry.symbol))
        entry.staticSharedBytes = getStaticSharedBytes(**llvmModule, *kernel);
    unsigned version = getRequiredPTXVersion(**llvmModule, target);
    image->isa = target.isAMD() ? "code object " +
                                      std::to_string(options.codeObjectVersion)
                                : "ptx " + std::to_string(version / 10) + "." +
                                      std::to_string(version % 10);
  }
  if (target.isAMD() && stage == Stage::Obj) {
    auto object = timed(
        "emit", [&] { return emitCodeObject(**llvmModule, target, machine); });
    if (!object)
      return object.takeError();
    return std::move(*object);
  }
  auto text = timed("emit", [&] {
    return emitAssembly(**llvmModule, target, machine, codeGen);
  });
  if (!text || stage == Stage::Asm)
    return std::move(text);
  std::string ptxas = options.ptxas.empty() ? findPtxas() : options.ptxas;
  if (ptxas.empty())
    return llvm::createStringError(
        "a cubin needs ptxas, which is not on the PATH, in "
        "/usr/local/cuda/bin or named by COLL_PTXAS; --emit=asm gives PTX");
  auto cubin =
      timed("ptxas", [&] { return assemblePTX(*text, target, ptxas); });
  if (!cubin)
    return cubin.takeError();
  return std::move(*cubin);
}

static uint64_t getStaticSharedBytes(const llvm::Module &module,
                                     const llvm::Function &kernel) {
  // Functions are expanded into their kernels, so that a kernel uses a global
  // directly: in an instruction of its own, or through a constant expression.
  auto usedIn = [&](const llvm::GlobalVariable &global) {
    llvm::SmallVector<const llvm::User *> worklist(global.users());
    while (!worklist.empty()) {
      const llvm::User *user = worklist.pop_back_val();
      if (auto *instruction = llvm::dyn_cast<llvm::Instruction>(user)) {
        if (instruction->getFunction() == &kernel)
          return true;
      } else {
        worklist.append(user->user_begin(), user->user_end());
      }
    }
    return false;
  };
  constexpr unsigned sharedAddressSpace = 3; // on both vendors
  uint64_t bytes = 0;
  for (const llvm::GlobalVariable &global : module.globals())
    if (global.getAddressSpace() == sharedAddressSpace && usedIn(global)) {
      bytes = llvm::alignTo(bytes, global.getAlign().valueOrOne());
      bytes += module.getDataLayout().getTypeAllocSize(global.getValueType());
    }
  return bytes;
}

llvm::Expected<std::optional<std::string>>
Compilation::Impl::emit(const CompileTarget &target, Stage stage) {
  if (stage == Stage::Ast) {
    if (!parse())
      return std::nullopt;
    std::string text;
    llvm::raw_string_ostream stream(text);
    ast::printAST(stream, *file);
    return text;
  }
  if (target.isReference() && stage > Stage::Coll)
    return llvm::createStringError(
        "the reference device runs the coll dialect: it has no stage '" +
        getStageName(stage) + "'; name a chip with --target");
  Module module = generate(target);
  if (!module)
    return std::nullopt;
  if (stage == Stage::Coll)
    return print(*module, /*withLocations=*/false);
  return emitFrom(*module, target.getChip(), stage);
}

llvm::Error Compilation::Impl::addImage(const CompileTarget &target,
                                        Module module, Bundle &bundle,
                                        bool &failed) {
  Image image;
  image.targetName = target.str();
  for (auto kernel : module->getOps<ir::KernelOp>()) {
    ImageEntry entry{kernel.getKernelName().str(), kernel.getSymName().str()};
    entry.cooperative = kernel.isCooperative();
    entry.cluster[0] = kernel.getCluster();
    image.entries.push_back(std::move(entry));
  }
  if (target.isReference()) {
    image.kind = ImageKind::CollIR;
    image.isa = "coll";
    image.bytes = print(*module, /*withLocations=*/true);
  } else {
    const Target &chip = target.getChip();
    image.kind = chip.isAMD() ? ImageKind::HSACO : ImageKind::PTX;
    auto bytes =
        emitFrom(*module, chip, chip.isAMD() ? Stage::Obj : Stage::Asm, &image);
    if (!bytes)
      return bytes.takeError();
    if (!*bytes) {
      failed = true;
      return llvm::Error::success();
    }
    image.bytes = std::move(**bytes);
  }
  bundle.images.push_back(std::move(image));
  return llvm::Error::success();
}

Compilation::Compilation(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Compilation::~Compilation() = default;

llvm::Expected<std::unique_ptr<Compilation>>
Compilation::fromFile(llvm::StringRef path, CompileOptions options) {
  auto buffer = readFile(path);
  if (!buffer)
    return buffer.takeError();
  if (Bundle::isBundle((*buffer)->getBuffer()))
    return llvm::createStringError(
        std::errc::invalid_argument,
        "'%s' is a bundle, not a source file; a program loads it with "
        "coll::Program::fromFile",
        path.str().c_str());
  auto impl = std::make_unique<Impl>(std::move(options));
  impl->mainBuffer =
      impl->sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  return std::unique_ptr<Compilation>(new Compilation(std::move(impl)));
}

std::unique_ptr<Compilation> Compilation::fromText(llvm::StringRef name,
                                                   llvm::StringRef text,
                                                   CompileOptions options) {
  auto impl = std::make_unique<Impl>(std::move(options));
  impl->mainBuffer = impl->sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(text, name), llvm::SMLoc());
  return std::unique_ptr<Compilation>(new Compilation(std::move(impl)));
}

DiagnosticEngine &Compilation::getDiagnostics() { return impl->diags; }
bool Compilation::parse() { return impl->parse(); }
bool Compilation::hasKernels() const { return impl->hasKernels; }
llvm::ArrayRef<StepTime> Compilation::getTimes() const { return impl->times; }
llvm::ArrayRef<CollectiveRecord> Compilation::getCollectives() const {
  return impl->log.getRecords();
}

llvm::Expected<std::optional<std::string>>
Compilation::emit(const CompileTarget &target, Stage stage) {
  if (stage != Stage::Bundle)
    return impl->emit(target, stage);
  auto bundle = compile(target);
  if (!bundle)
    return bundle.takeError();
  if (!*bundle)
    return std::nullopt;
  auto bytes = (*bundle)->serialize();
  if (!bytes)
    return bytes.takeError();
  return std::move(*bytes);
}

llvm::Expected<std::optional<Bundle>>
Compilation::compile(llvm::ArrayRef<CompileTarget> targets) {
  Bundle bundle;
  for (const CompileTarget &target : targets) {
    Module module = impl->generate(target);
    if (!module)
      return std::nullopt;
    if (bundle.kernels.empty()) {
      auto manifests = buildManifests(*module);
      if (!manifests)
        return manifests.takeError();
      bundle.kernels = std::move(*manifests);
    }
    bool failed = false;
    if (llvm::Error error =
            impl->addImage(target, std::move(module), bundle, failed))
      return error;
    if (failed)
      return std::nullopt;
  }
  return bundle;
}
