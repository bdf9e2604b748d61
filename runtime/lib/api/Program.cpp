//===- Program.cpp - Programs and modules of the host API -----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "State.h"
#include "coll/Driver/Compile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace coll;

namespace {
using CompiledRef = std::shared_ptr<const v0::CompiledProgram>;
} // namespace

//===----------------------------------------------------------------------===//
// Sources and bundles
//===----------------------------------------------------------------------===//

v0::Expected<v0::Program> v0::Program::fromFile(const std::string &path,
                                                ProgramOptions options) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return makeUsageError("cannot read '" + llvm::Twine(path) +
                          "': " + buffer.getError().message());
  std::string bytes = (*buffer)->getBuffer().str();
  if (!Bundle::isBundle(bytes))
    return fromSource(bytes, std::move(options), path);
  Expected<Program> program = fromBundle(bytes);
  if (!program)
    return Error(ErrorKind::Usage, path + ": " + program.error().message());
  return program;
}

static std::unique_ptr<Compilation>
startCompilation(const v0::ProgramState &p) {
  CompileOptions options;
  options.defines = p.options.defines;
  options.kernelInstances = p.options.instances;
  options.contract = p.options.contract;
  return Compilation::fromText(p.name, p.text, std::move(options));
}

static std::string printDiagnostics(Compilation &compilation) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  compilation.getDiagnostics().print(stream);
  return text;
}

v0::Expected<v0::Program> v0::Program::fromSource(const std::string &text,
                                                  ProgramOptions options,
                                                  const std::string &name) {
  auto state = std::make_shared<ProgramState>();
  state->name = name;
  state->text = text;
  state->options = std::move(options);
  std::unique_ptr<Compilation> compilation = startCompilation(*state);
  if (!compilation->parse())
    return Error(ErrorKind::Program, printDiagnostics(*compilation));
  return Program(std::move(state));
}

v0::Expected<v0::Program> v0::Program::fromBundle(const std::string &bytes) {
  llvm::Expected<Bundle> bundle = Bundle::parse(bytes);
  if (!bundle)
    return makeError(bundle.takeError(), ErrorKind::Usage);
  auto state = std::make_shared<ProgramState>();
  state->name = "bundle";
  state->bundle = std::make_shared<CompiledProgram>(
      CompiledProgram{std::move(*bundle), /*warnings=*/""});
  return Program(std::move(state));
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

static v0::Expected<CompiledRef>
compileFor(const v0::ProgramState &program,
           llvm::ArrayRef<CompileTarget> targets) {
  std::unique_ptr<Compilation> compilation = startCompilation(program);
  llvm::Expected<std::optional<Bundle>> bundle = compilation->compile(targets);
  if (!bundle)
    return v0::makeError(bundle.takeError(), v0::ErrorKind::Program,
                         "compiling '" + llvm::Twine(program.name) + "'");
  std::string diagnostics = printDiagnostics(*compilation);
  if (!*bundle)
    return v0::Error(v0::ErrorKind::Program, std::move(diagnostics));
  return CompiledRef(std::make_shared<v0::CompiledProgram>(
      v0::CompiledProgram{std::move(**bundle), std::move(diagnostics)}));
}

/// The code for a device. The lock on `program` is held.
static v0::Expected<CompiledRef> getCompiled(v0::ProgramState &program,
                                             const coll::DeviceInfo &info) {
  if (program.bundle)
    return program.bundle;
  llvm::Expected<std::string> name = getCompileTarget(info);
  if (!name)
    return v0::makeError(name.takeError(), v0::ErrorKind::Device);
  CompiledRef &known = program.compiled[*name];
  if (known)
    return known;
  llvm::Expected<CompileTarget> target = CompileTarget::parse(*name);
  if (!target)
    return v0::makeError(target.takeError(), v0::ErrorKind::Device);
  v0::Expected<CompiledRef> compiled = compileFor(program, *target);
  if (compiled)
    known = *compiled;
  return compiled;
}

v0::Expected<std::string>
v0::Program::compile(const std::vector<std::string> &targets) const {
  if (state->bundle)
    return makeUsageError("a bundle has no source to compile");
  if (targets.empty())
    return makeUsageError("compiling '" + llvm::Twine(state->name) +
                          "' needs a target");
  std::vector<CompileTarget> parsed;
  for (const std::string &name : targets) {
    llvm::Expected<CompileTarget> target = CompileTarget::parse(name);
    if (!target)
      return makeError(target.takeError(), ErrorKind::Usage);
    parsed.push_back(*target);
  }
  Expected<CompiledRef> compiled = compileFor(*state, parsed);
  if (!compiled)
    return compiled.error();
  llvm::Expected<std::string> bytes = (*compiled)->bundle.serialize();
  if (!bytes)
    return makeError(bytes.takeError(), ErrorKind::Program);
  return std::move(*bytes);
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

v0::Expected<v0::Module> v0::Program::load(const Device &device) const {
  std::lock_guard<std::mutex> lock(state->mutex);
  for (auto it = state->modules.begin(); it != state->modules.end();)
    it = it->second.expired() ? state->modules.erase(it) : std::next(it);
  if (auto known = state->modules.find(device.state);
      known != state->modules.end())
    if (std::shared_ptr<ModuleState> module = known->second.lock())
      return Module(std::move(module));

  const coll::DeviceInfo &info = device.state->device->getInfo();
  Expected<CompiledRef> compiled = getCompiled(*state, info);
  if (!compiled)
    return compiled.error();
  llvm::Expected<const Image *> image = selectImage((*compiled)->bundle, info);
  if (!image)
    return makeError(image.takeError(), ErrorKind::Device,
                     "loading '" + llvm::Twine(state->name) + "'");
  auto module = std::make_shared<ModuleState>();
  module->device = device.state;
  module->program = *compiled;
  std::unique_lock<std::mutex> deviceLock(device.state->mutex);
  llvm::Expected<std::unique_ptr<coll::Module>> loaded =
      device.state->device->loadModule(**image);
  deviceLock.unlock();
  if (!loaded)
    return makeError(loaded.takeError(), ErrorKind::Device,
                     "loading '" + llvm::Twine(state->name) + "' on " +
                         device.state->info.id);
  module->module = std::move(*loaded);
  state->modules[device.state] = module;
  return Module(std::move(module));
}

std::vector<std::string> v0::Module::kernels() const {
  std::vector<std::string> names;
  for (const KernelManifest &kernel : state->program->bundle.kernels)
    names.push_back(kernel.name);
  return names;
}

const std::string &v0::Module::warnings() const {
  return state->program->warnings;
}

v0::Expected<v0::Kernel> v0::Module::kernel(const std::string &name) const {
  const KernelManifest *manifest = state->program->bundle.findKernel(name);
  if (!manifest) {
    std::vector<std::string> names = kernels();
    std::string message =
        "there is no kernel '" + name + "', " +
        (names.empty() ? "nor any other" : "only " + llvm::join(names, ", "));
    if (name.find('<') != std::string::npos)
      message += "; name instances of generic kernels in "
                 "ProgramOptions::instances";
    return makeUsageError(message);
  }
  std::lock_guard<std::mutex> lock(state->device->mutex);
  llvm::Expected<coll::Kernel *> kernel = state->module->getKernel(name);
  if (!kernel)
    return makeError(kernel.takeError(), ErrorKind::Device,
                     "kernel '" + llvm::Twine(name) + "'");
  return Kernel(
      std::make_shared<KernelState>(KernelState{state, manifest, *kernel}));
}
