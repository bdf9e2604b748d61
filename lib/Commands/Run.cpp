//===- Run.cpp - collc run ------------------------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompileFlags.h"
#include "coll/Commands/Commands.h"
#include "coll/Runtime/Arguments.h"
#include "coll/Runtime/Npy.h"
#include "coll/Runtime/ReferenceDevice.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace coll;
namespace cl = llvm::cl;

static cl::opt<std::string> input(cl::Positional, cl::Required,
                                  cl::desc("FILE (- for standard input)"),
                                  cl::sub(runCommand));
static cl::opt<std::string>
    kernelName("kernel", cl::value_desc("NAME"),
               cl::desc("Which kernel, if the file has several; an instance "
                        "of a generic one as 'pass<8>'"),
               cl::sub(runCommand));
static cl::opt<std::string>
    deviceName("device", cl::init("auto"),
               cl::value_desc("auto|reference[:32|:64]|cuda[:N]|hip[:N]"),
               cl::desc("Where to run (default auto: a GPU if there is one)"),
               cl::sub(runCommand));
static cl::opt<std::string>
    gridText("grid", cl::value_desc("X,Y,Z"),
             cl::desc("Number of blocks, instead of the kernel's own grid"),
             cl::sub(runCommand));
static cl::list<std::string>
    argTexts("arg", cl::value_desc("NAME=VALUE"),
             cl::desc("A parameter: a scalar, @FILE.npy, @FILE:TYPE, iota, "
                      "zeros, full(V) or random(SEED)"),
             cl::sub(runCommand));
static cl::list<std::string>
    extentTexts("extent", cl::value_desc("NAME=N"),
                cl::desc("An extent that no array gives"), cl::sub(runCommand));
static cl::list<std::string>
    outTexts("out", cl::value_desc("NAME=FILE.npy"),
             cl::desc("Write an output to a NumPy file"), cl::sub(runCommand));
static cl::opt<std::string> checkDevice(
    "check", cl::ValueOptional, cl::value_desc("DEVICE"),
    cl::desc("Run on a second device too (default: the reference device) and "
             "compare all outputs bit by bit"),
    cl::sub(runCommand));
static cl::opt<bool> jsonFlag("json", cl::desc("Print the results as JSON"),
                              cl::sub(runCommand));

namespace {
/// A kernel on a device, ready to be launched.
struct LoadedKernel {
  std::unique_ptr<Device> device;
  std::unique_ptr<Module> module;
  KernelManifest manifest;
};

/// An exit code instead of a value: what was wrong has been reported.
template <typename T> struct OrExit {
  OrExit(T value) : value(std::move(value)) {}
  OrExit(int code) : code(code) {}
  explicit operator bool() const { return value.has_value(); }
  T &operator*() { return *value; }
  T *operator->() { return &*value; }
  std::optional<T> value;
  int code = ExitDone;
};
} // namespace

/// Opens the device that `text` names; `auto` is a GPU if there is one.
static llvm::Expected<std::unique_ptr<Device>>
openDevice(const DeviceSpec &spec, unsigned referenceWarpSize) {
  if (spec.kind == DeviceKind::Reference)
    return openReferenceDevice(spec.number ? spec.number : referenceWarpSize);
  llvm::Expected<std::unique_ptr<Device>> gpu = openGpu(spec);
  if (gpu || spec.kind)
    return gpu;
  llvm::consumeError(gpu.takeError());
  return openReferenceDevice(referenceWarpSize);
}

static OrExit<KernelManifest> selectKernel(const Bundle &bundle) {
  if (!kernelName.empty()) {
    if (const KernelManifest *kernel = bundle.findKernel(kernelName))
      return *kernel;
  } else if (bundle.kernels.size() == 1) {
    return bundle.kernels.front();
  }
  std::string message;
  if (bundle.kernels.empty())
    message = "'" + input + "' has no kernel";
  else if (kernelName.empty())
    message = "'" + input + "' has several kernels; name one with --kernel=";
  else
    message = "'" + input + "' has no kernel '" + kernelName + "'";
  llvm::SmallVector<llvm::StringRef> names;
  for (const KernelManifest &kernel : bundle.kernels)
    names.push_back(kernel.name);
  if (!names.empty())
    message += ": it has " + llvm::join(names, ", ");
  return reportError(llvm::createStringError(message), ExitProgramWrong);
}

/// Compiles the file for a device and loads it there.
static OrExit<LoadedKernel> load(std::unique_ptr<Device> device,
                                 const CompileOptions &options) {
  auto compilation = Compilation::fromFile(input, options);
  if (!compilation)
    return reportError(compilation.takeError(), ExitDeviceFailed);
  auto targetName = getCompileTarget(device->getInfo());
  if (!targetName)
    return reportError(targetName.takeError(), ExitDeviceFailed);
  auto target = CompileTarget::parse(*targetName);
  if (!target)
    return reportError(target.takeError(), ExitDeviceFailed);
  auto bundle = (*compilation)->compile(*target);
  printDiagnostics((*compilation)->getDiagnostics());
  if (!bundle)
    return reportError(bundle.takeError(), ExitDeviceFailed);
  if (!*bundle)
    return int(ExitProgramWrong);
  if (timeFlag)
    printTimes((*compilation)->getTimes());
  OrExit<KernelManifest> kernel = selectKernel(**bundle);
  if (!kernel)
    return kernel.code;
  auto module = device->loadModule((*bundle)->images.front());
  if (!module)
    return reportError(module.takeError(), ExitDeviceFailed);
  return LoadedKernel{std::move(device), std::move(*module),
                      std::move(*kernel)};
}

/// A fault that the reference device found is the program's; anything else the
/// device's.
static int getExitCode(const Device &device) {
  return device.getInfo().kind == DeviceKind::Reference ? ExitProgramWrong
                                                        : ExitDeviceFailed;
}

static void printOutputs(const KernelManifest &kernel,
                         const BoundArguments &arguments) {
  for (auto [param, argument] : llvm::zip(kernel.params, arguments.args))
    if (param.isWritten() && argument.array)
      argument.array->printSummary(llvm::outs(), param.name);
}

static void printJSON(const LoadedKernel &loaded,
                      const BoundArguments &arguments,
                      std::optional<llvm::StringRef> checkedWith) {
  llvm::json::OStream json(llvm::outs(), /*IndentSize=*/2);
  json.object([&] {
    json.attribute("kernel", loaded.manifest.name);
    json.attribute("device", loaded.device->str());
    json.attribute("name", loaded.device->getInfo().name);
    json.attributeArray("outputs", [&] {
      for (auto [param, argument] :
           llvm::zip(loaded.manifest.params, arguments.args)) {
        if (!param.isWritten() || !argument.array)
          continue;
        const HostArray &array = *argument.array;
        json.object([&] {
          json.attribute("name", param.name);
          json.attribute("type", array.getTypeName());
          json.attribute("checksum",
                         llvm::utohexstr(array.getChecksum(), true, 16));
          json.attributeArray("values", [&] {
            for (uint64_t i = 0; i < std::min<uint64_t>(8, array.getCount());
                 ++i)
              json.value(array.formatElement(i));
          });
        });
      }
    });
    if (checkedWith)
      json.attribute("equal_to", *checkedWith);
  });
  llvm::outs() << '\n';
}

/// Checks the names in --out before anything runs.
static llvm::Expected<std::vector<NamedValue>>
parseOutputs(const KernelManifest &kernel) {
  std::vector<NamedValue> outputs;
  for (llvm::StringRef text : outTexts) {
    llvm::Expected<NamedValue> output = NamedValue::parse(text, "--out");
    if (!output)
      return output.takeError();
    bool known = llvm::any_of(kernel.params, [&](const ParamManifest &param) {
      return param.name == output->name && param.isView() && param.isWritten();
    });
    if (!known)
      return llvm::createStringError("--out names '" + output->name +
                                     "', which is no mut view of kernel '" +
                                     kernel.name + "'");
    outputs.push_back(std::move(*output));
  }
  return outputs;
}

static llvm::Error writeOutputs(llvm::ArrayRef<NamedValue> outputs,
                                const KernelManifest &kernel,
                                const BoundArguments &arguments) {
  for (const NamedValue &output : outputs)
    for (auto [param, argument] : llvm::zip(kernel.params, arguments.args))
      if (param.name == output.name)
        if (llvm::Error error = writeNpyFile(output.value, *argument.array))
          return error;
  return llvm::Error::success();
}

static llvm::Expected<BoundArguments> bind(const KernelManifest &kernel) {
  std::vector<NamedValue> values, extents;
  for (llvm::StringRef text : argTexts) {
    llvm::Expected<NamedValue> value = NamedValue::parse(text, "--arg");
    if (!value)
      return value.takeError();
    values.push_back(std::move(*value));
  }
  for (llvm::StringRef text : extentTexts) {
    llvm::Expected<NamedValue> extent = NamedValue::parse(text, "--extent");
    if (!extent)
      return extent.takeError();
    extents.push_back(std::move(*extent));
  }
  return bindArguments(kernel, values, extents);
}

static llvm::Expected<LaunchConfig> configure(const KernelManifest &kernel,
                                              const BoundArguments &arguments) {
  if (gridText.empty())
    return makeLaunchConfig(kernel, arguments);
  llvm::Expected<std::array<uint64_t, 3>> grid = parseGrid(gridText);
  if (!grid)
    return grid.takeError();
  return makeLaunchConfig(kernel, arguments, *grid);
}

/// Runs a copy of the input on the second device; the exit code says whether
/// all outputs are the same.
static int check(const LoadedKernel &first, const BoundArguments &results,
                 BoundArguments inputs, const CompileOptions &options,
                 std::string &checkedWith) {
  llvm::Expected<DeviceSpec> spec = DeviceSpec::parse(
      checkDevice.empty() ? "reference" : llvm::StringRef(checkDevice));
  if (!spec)
    return reportError(spec.takeError(), ExitBadUsage);
  auto device = openDevice(*spec, first.device->getInfo().warpSize);
  if (!device)
    return reportError(device.takeError(), ExitDeviceFailed);
  OrExit<LoadedKernel> second = load(std::move(*device), options);
  if (!second)
    return second.code;
  llvm::Expected<LaunchConfig> config = configure(second->manifest, inputs);
  if (!config)
    return reportError(config.takeError(), ExitProgramWrong);
  if (llvm::Error error = runKernel(*second->device, *second->module,
                                    second->manifest, inputs, *config))
    return reportError(std::move(error), getExitCode(*second->device));
  checkedWith = second->device->str();
  std::optional<std::string> difference = describeDifference(
      first.manifest, results, first.device->str(), inputs, checkedWith);
  if (difference)
    return reportError(llvm::createStringError("check failed: " + *difference),
                       ExitProgramWrong);
  return ExitDone;
}

int coll::runRunCommand() {
  llvm::Expected<CompileOptions> options = getCompileOptions();
  if (!options)
    return reportError(options.takeError(), ExitBadUsage);
  if (llvm::StringRef(kernelName).contains('<'))
    options->kernelInstances.push_back(kernelName);
  llvm::Expected<DeviceSpec> spec = DeviceSpec::parse(deviceName);
  if (!spec)
    return reportError(spec.takeError(), ExitBadUsage);
  auto device = openDevice(*spec, /*referenceWarpSize=*/32);
  if (!device)
    return reportError(device.takeError(), ExitDeviceFailed);
  OrExit<LoadedKernel> loaded = load(std::move(*device), *options);
  if (!loaded)
    return loaded.code;

  auto outputs = parseOutputs(loaded->manifest);
  if (!outputs)
    return reportError(outputs.takeError(), ExitBadUsage);
  llvm::Expected<BoundArguments> arguments = bind(loaded->manifest);
  if (!arguments)
    return reportError(arguments.takeError(), ExitBadUsage);
  llvm::Expected<LaunchConfig> config = configure(loaded->manifest, *arguments);
  if (!config)
    return reportError(config.takeError(), ExitBadUsage);

  bool checks = checkDevice.getNumOccurrences() > 0;
  BoundArguments inputs = checks ? *arguments : BoundArguments();
  if (llvm::Error error = runKernel(*loaded->device, *loaded->module,
                                    loaded->manifest, *arguments, *config))
    return reportError(std::move(error), getExitCode(*loaded->device));
  if (llvm::Error error = writeOutputs(*outputs, loaded->manifest, *arguments))
    return reportError(std::move(error), ExitDeviceFailed);

  std::string checkedWith;
  int code = ExitDone;
  if (checks)
    code = check(*loaded, *arguments, std::move(inputs), *options, checkedWith);
  std::optional<llvm::StringRef> equalTo;
  if (checks && code == ExitDone)
    equalTo = checkedWith;
  if (jsonFlag) {
    printJSON(*loaded, *arguments, equalTo);
    return code;
  }
  llvm::outs() << loaded->manifest.name << " on " << loaded->device->str()
               << " (" << loaded->device->getInfo().name << ")\n";
  printOutputs(loaded->manifest, *arguments);
  if (equalTo)
    llvm::outs() << "equal to " << checkedWith << ", bit for bit\n";
  return code;
}
