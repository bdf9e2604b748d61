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
#include "coll/Runtime/SimulatorDevice.h"
#include "coll/Simulator/LineSpec.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace coll;
namespace cl = llvm::cl;

static cl::opt<std::string> inputFlag(cl::Positional,
                                      cl::desc("FILE (- for standard input)"),
                                      cl::sub(getRunCommand()));
static NonEmptyOption
    kernelFlag("kernel", cl::value_desc("NAME"),
               cl::desc("Which kernel, if the file has several; an instance "
                        "of a generic one as 'pass<8>'"),
               cl::sub(getRunCommand()));
static NonEmptyOption deviceFlag(
    "device", cl::init("auto"),
    cl::value_desc("auto|reference[:32|:64]|cuda[:N]|hip[:N]|sim:CHIP"),
    cl::desc("Where to run (default auto: a GPU if there is one)"),
    cl::sub(getRunCommand()));
static NonEmptyOption
    gridFlag("grid", cl::value_desc("X,Y,Z"),
             cl::desc("Number of blocks, instead of the kernel's own grid"),
             cl::sub(getRunCommand()));
static cl::list<std::string>
    argFlag("arg", cl::value_desc("NAME=VALUE"),
            cl::desc("A parameter: a scalar, @FILE.npy, @FILE:TYPE, iota, "
                     "zeros, 'full(V)' or 'random(SEED)'"),
            cl::sub(getRunCommand()));
static cl::list<std::string>
    extentFlag("extent", cl::value_desc("NAME=N"),
               cl::desc("An extent that no array gives"),
               cl::sub(getRunCommand()));
static cl::list<std::string>
    outFlag("out", cl::value_desc("NAME=FILE.npy"),
            cl::desc("Write an output to a NumPy file"),
            cl::sub(getRunCommand()));
static cl::opt<std::string> checkFlag(
    "check", cl::ValueOptional, cl::value_desc("DEVICE"),
    cl::desc("Run on a second device too (default: the reference device) and "
             "compare all outputs bit by bit"),
    cl::sub(getRunCommand()));
static cl::opt<uint64_t>
    scheduleFlag("sim-schedule", cl::value_desc("SEED"),
                 cl::desc("Simulated devices: step waves in a random order"),
                 cl::sub(getRunCommand()));
static cl::opt<uint64_t> ulpFlag(
    "sim-ulp", cl::value_desc("SEED"),
    cl::desc("Simulated devices: move results of inexact instructions within "
             "their bounds"),
    cl::sub(getRunCommand()));
static cl::opt<unsigned> threadsFlag(
    "sim-threads", cl::value_desc("N"),
    cl::desc("Simulated devices: run blocks on N threads (default: one for "
             "each core)"),
    cl::sub(getRunCommand()));
static cl::opt<unsigned>
    residentFlag("sim-resident", cl::value_desc("N"),
                 cl::desc("Simulated devices: have N blocks resident at once"),
                 cl::sub(getRunCommand()));
static cl::opt<uint64_t> maxInstructionsFlag(
    "max-instructions", cl::value_desc("N"),
    cl::desc("Give a launch up that executes more: of one warp on the "
             "reference device (default 20 million), of all waves on "
             "simulated devices (2 billion)"),
    cl::sub(getRunCommand()));
static cl::opt<bool> traceFlag(
    "sim-trace",
    cl::desc("Simulated devices: print each instruction and what it changed"),
    cl::sub(getRunCommand()));
static cl::opt<std::string>
    breakFlag("sim-break", cl::value_desc("[FILE:]LINE"),
              cl::desc("Simulated devices: print the state of each wave when "
                       "it first reaches each place of this line"),
              cl::sub(getRunCommand()));
static cl::opt<bool>
    statsFlag("stats",
              cl::desc("Simulated devices: count instructions by class"),
              cl::sub(getRunCommand()));
static cl::opt<bool> jsonFlag("json", cl::desc("Print the results as JSON"),
                              cl::sub(getRunCommand()));

namespace {
/// The flags, copied before anything is compiled: LLD resets every option of
/// the process when it links a code object.
struct Flags {
  std::string input, kernel, grid;
  std::vector<std::string> args, extents, outs;
  DeviceSpec device;
  std::optional<DeviceSpec> check;
  bool json = false;
  bool time = false;
  CompileOptions options;
  SimulatorSettings simulator;
};

/// A kernel on a device, ready to be launched.
struct LoadedKernel {
  std::unique_ptr<Device> device;
  std::unique_ptr<Module> module;
  KernelManifest manifest;
};

/// What --check found.
struct Comparison {
  std::string device; ///< Empty: nothing was compared.
  std::optional<std::string> difference;
  bool isEqual() const { return !device.empty() && !difference; }
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
openDevice(const DeviceSpec &spec, unsigned referenceWarpSize,
           const SimulatorSettings &simulator) {
  if (spec.kind == DeviceKind::Simulator)
    return openSimulatedDevice(spec.chip, simulator);
  if (spec.kind == DeviceKind::Reference)
    return openReferenceDevice(spec.number ? spec.number : referenceWarpSize,
                               simulator.maxInstructions);
  llvm::Expected<std::unique_ptr<Device>> gpu = openGpu(spec);
  if (gpu || spec.kind)
    return gpu;
  llvm::consumeError(gpu.takeError());
  return openReferenceDevice(referenceWarpSize, simulator.maxInstructions);
}

static OrExit<KernelManifest> selectKernel(const Flags &flags,
                                           const Bundle &bundle) {
  // A name that the file does not have is the compiler's error.
  if (!flags.kernel.empty())
    if (const KernelManifest *kernel =
            bundle.findKernel(llvm::StringRef(flags.kernel).trim()))
      return *kernel;
  if (bundle.kernels.size() == 1)
    return bundle.kernels.front();
  std::string message = "'" + flags.input + "' has no kernel";
  if (!bundle.kernels.empty())
    message =
        "'" + flags.input + "' has several kernels; name one with --kernel=";
  llvm::SmallVector<llvm::StringRef> names;
  for (const KernelManifest &kernel : bundle.kernels)
    names.push_back(kernel.name);
  if (!names.empty())
    message += ": it has " + llvm::join(names, ", ");
  return reportError(llvm::createStringError(message), ExitProgramWrong);
}

/// Compiles the file for a device and loads it there. `isFirst`: it is no
/// second one to compare with, which need not have the strategy asked for.
static OrExit<LoadedKernel> load(std::unique_ptr<Device> device,
                                 const Flags &flags, bool isFirst) {
  CompileOptions options = flags.options;
  // Lines cost nothing there, and faults are told by them.
  options.debugLines |= device->getInfo().kind == DeviceKind::Simulator;
  auto compilation = Compilation::fromFile(flags.input, std::move(options));
  if (!compilation)
    return reportError(compilation.takeError(), ExitDeviceFailed);
  auto targetName = getCompileTarget(device->getInfo());
  if (!targetName)
    return reportError(targetName.takeError(), ExitDeviceFailed);
  auto target = CompileTarget::parse(*targetName);
  if (!target)
    return reportError(target.takeError(), ExitDeviceFailed);
  if (isFirst)
    if (llvm::Error error = checkStrategy(flags.options, *target))
      return reportError(std::move(error), ExitBadUsage);
  auto bundle = (*compilation)->compile(*target);
  printReports(**compilation);
  if (!bundle)
    return reportError(bundle.takeError(), ExitDeviceFailed);
  if (!*bundle)
    return int(ExitProgramWrong);
  if (flags.time)
    printTimes((*compilation)->getTimes());
  OrExit<KernelManifest> kernel = selectKernel(flags, **bundle);
  if (!kernel)
    return kernel.code;
  auto module = device->loadModule((*bundle)->images.front());
  if (!module)
    return reportError(module.takeError(), ExitDeviceFailed);
  return LoadedKernel{std::move(device), std::move(*module),
                      std::move(*kernel)};
}

/// A fault that the reference device or the simulator found is the program's;
/// anything else the device's.
static int reportRun(llvm::Error error, const Device &device) {
  bool isProgram = error.isA<KernelFault>() ||
                   device.getInfo().kind == DeviceKind::Reference;
  bool isLimit = false;
  error = llvm::handleErrors(
      std::move(error), [&](std::unique_ptr<KernelFault> fault) -> llvm::Error {
        isLimit = fault->getKind() == "no-end" ||
                  fault->getKind() == "instruction-limit";
        return llvm::Error(std::move(fault));
      });
  int code = reportError(std::move(error),
                         isProgram ? ExitProgramWrong : ExitDeviceFailed);
  if (isLimit)
    llvm::WithColor::note() << "--max-instructions=N allows more\n";
  return code;
}

static void printOutputs(const KernelManifest &kernel,
                         const BoundArguments &arguments) {
  for (auto [param, argument] : llvm::zip(kernel.params, arguments.args))
    if (param.isWritten() && argument.array)
      argument.array->printSummary(llvm::outs(), param.name);
}

static void printJSON(const LoadedKernel &loaded,
                      const BoundArguments &arguments,
                      const Comparison &comparison) {
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
    if (comparison.isEqual())
      json.attribute("equal_to", comparison.device);
    if (comparison.difference) {
      json.attribute("differs_from", comparison.device);
      json.attribute("difference", *comparison.difference);
    }
  });
  llvm::outs() << '\n';
}

/// Checks the names in --out before anything runs.
static llvm::Expected<std::vector<NamedValue>>
parseOutputs(const Flags &flags, const KernelManifest &kernel) {
  std::vector<NamedValue> outputs;
  for (llvm::StringRef text : flags.outs) {
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

static llvm::Expected<BoundArguments> bind(const Flags &flags,
                                           const KernelManifest &kernel) {
  std::vector<NamedValue> values, extents;
  for (llvm::StringRef text : flags.args) {
    llvm::Expected<NamedValue> value = NamedValue::parse(text, "--arg");
    if (!value)
      return value.takeError();
    values.push_back(std::move(*value));
  }
  for (llvm::StringRef text : flags.extents) {
    llvm::Expected<NamedValue> extent = NamedValue::parse(text, "--extent");
    if (!extent)
      return extent.takeError();
    extents.push_back(std::move(*extent));
  }
  return bindArguments(kernel, values, extents);
}

static llvm::Expected<LaunchConfig> configure(const Flags &flags,
                                              const KernelManifest &kernel,
                                              const BoundArguments &arguments) {
  if (flags.grid.empty())
    return makeLaunchConfig(kernel, arguments);
  llvm::Expected<std::array<uint64_t, 3>> grid = parseGrid(flags.grid);
  if (!grid)
    return grid.takeError();
  return makeLaunchConfig(kernel, arguments, *grid);
}

/// Runs a copy of the input on the second device; the exit code says whether
/// all outputs are the same.
static int check(const Flags &flags, const LoadedKernel &first,
                 const BoundArguments &results, BoundArguments inputs,
                 Comparison &comparison) {
  auto device = openDevice(*flags.check, first.device->getInfo().warpSize,
                           flags.simulator);
  if (!device)
    return reportError(device.takeError(), ExitDeviceFailed);
  OrExit<LoadedKernel> second =
      load(std::move(*device), flags, /*isFirst=*/false);
  if (!second)
    return second.code;
  llvm::Expected<LaunchConfig> config =
      configure(flags, second->manifest, inputs);
  if (!config)
    return reportError(config.takeError(), ExitProgramWrong);
  if (llvm::Error error = runKernel(*second->device, *second->module,
                                    second->manifest, inputs, *config))
    return reportRun(std::move(error), *second->device);
  comparison.device = second->device->str();
  comparison.difference = describeDifference(
      first.manifest, results, first.device->str(), inputs, comparison.device);
  if (!comparison.difference)
    return ExitDone;
  int code = reportError(
      llvm::createStringError("check failed: " + *comparison.difference),
      ExitProgramWrong);
  llvm::WithColor::note() << "results of fast.* functions, and what depends on "
                             "the order of atomics, on races or on the warp's "
                             "width, may differ\n";
  return code;
}

/// Flags of simulated devices say nothing to others.
static llvm::Error checkSimulatorFlags(const Flags &flags) {
  bool isSimulated =
      flags.device.kind == DeviceKind::Simulator ||
      (flags.check && flags.check->kind == DeviceKind::Simulator);
  const cl::Option *options[] = {&scheduleFlag, &ulpFlag,   &threadsFlag,
                                 &residentFlag, &traceFlag, &breakFlag,
                                 &statsFlag};
  for (const cl::Option *option : options)
    if (!isSimulated && option->getNumOccurrences() != 0)
      return llvm::createStringError(
          "--" + option->ArgStr +
          " is for simulated devices: --device=sim:CHIP");
  return llvm::Error::success();
}

static llvm::Expected<Flags> readFlags() {
  Flags flags;
  if (llvm::Error error = requireFile(inputFlag))
    return std::move(error);
  flags.input = inputFlag;
  flags.kernel = kernelFlag;
  flags.grid = gridFlag;
  flags.args.assign(argFlag.begin(), argFlag.end());
  flags.extents.assign(extentFlag.begin(), extentFlag.end());
  flags.outs.assign(outFlag.begin(), outFlag.end());
  flags.json = jsonFlag;
  flags.time = timeFlag;
  flags.simulator.scheduleSeed = scheduleFlag;
  flags.simulator.ulpSeed = ulpFlag;
  flags.simulator.threads = threadsFlag;
  flags.simulator.residentGroups = residentFlag;
  flags.simulator.maxInstructions = maxInstructionsFlag;
  flags.simulator.trace = traceFlag;
  flags.simulator.printStatistics = statsFlag;
  if (!breakFlag.empty()) {
    llvm::Expected<sim::LineSpec> line = sim::LineSpec::parse(breakFlag);
    if (!line)
      return llvm::createStringError("--sim-break: " +
                                     llvm::toString(line.takeError()));
    flags.simulator.breakFile = line->file;
    flags.simulator.breakLine = line->line;
  }
  llvm::Expected<CompileOptions> options = getCompileOptions();
  if (!options)
    return options.takeError();
  flags.options = std::move(*options);
  if (!flags.kernel.empty())
    flags.options.kernelInstances = flags.options.onlyKernels = {flags.kernel};
  llvm::Expected<DeviceSpec> device = DeviceSpec::parse(deviceFlag);
  if (!device)
    return device.takeError();
  flags.device = *device;
  if (checkFlag.getNumOccurrences() != 0) {
    llvm::Expected<DeviceSpec> check = DeviceSpec::parse(
        checkFlag.empty() ? "reference" : checkFlag.getValue());
    if (!check)
      return check.takeError();
    flags.check = *check;
  }
  if (llvm::Error error = checkSimulatorFlags(flags))
    return std::move(error);
  return flags;
}

/// Prints what the run gave, and writes what --out asks for.
static llvm::Error report(const Flags &flags, const LoadedKernel &loaded,
                          const BoundArguments &arguments,
                          llvm::ArrayRef<NamedValue> outputs,
                          const Comparison &comparison) {
  if (flags.json) {
    printJSON(loaded, arguments, comparison);
  } else {
    llvm::outs() << loaded.manifest.name << " on " << loaded.device->str()
                 << " (" << loaded.device->getInfo().name << ")\n";
    printOutputs(loaded.manifest, arguments);
    if (comparison.isEqual())
      llvm::outs() << "equal to " << comparison.device << ", bit for bit\n";
  }
  return writeOutputs(outputs, loaded.manifest, arguments);
}

int coll::runRunCommand() {
  llvm::Expected<Flags> flags = readFlags();
  if (!flags)
    return reportError(flags.takeError(), ExitBadUsage);
  auto device =
      openDevice(flags->device, /*referenceWarpSize=*/32, flags->simulator);
  if (!device)
    return reportError(device.takeError(), ExitDeviceFailed);
  OrExit<LoadedKernel> loaded =
      load(std::move(*device), *flags, /*isFirst=*/true);
  if (!loaded)
    return loaded.code;

  auto outputs = parseOutputs(*flags, loaded->manifest);
  if (!outputs)
    return reportError(outputs.takeError(), ExitBadUsage);
  llvm::Expected<BoundArguments> arguments = bind(*flags, loaded->manifest);
  if (!arguments)
    return reportError(arguments.takeError(), ExitBadUsage);
  llvm::Expected<LaunchConfig> config =
      configure(*flags, loaded->manifest, *arguments);
  if (!config)
    return reportError(config.takeError(), ExitBadUsage);

  BoundArguments inputs = flags->check ? *arguments : BoundArguments();
  if (llvm::Error error = runKernel(*loaded->device, *loaded->module,
                                    loaded->manifest, *arguments, *config))
    return reportRun(std::move(error), *loaded->device);
  Comparison comparison;
  int code = ExitDone;
  if (flags->check)
    code = check(*flags, *loaded, *arguments, std::move(inputs), comparison);
  if (llvm::Error error =
          report(*flags, *loaded, *arguments, *outputs, comparison))
    return reportError(std::move(error), ExitDeviceFailed);
  return code;
}
