//===- Status.cpp - Loading the HIP runtime and its errors ----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Api.h"
#include "llvm/ADT/StringExtras.h"

using namespace coll;
using namespace coll::hip;
using namespace llvm;

Expected<SharedLibrary> Api::openLibrary(Api &api) {
  Expected<SharedLibrary> library = SharedLibrary::open(
      "COLL_HIP_LIBRARY",
      {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5",
       "libamdhip64.so"},
      "install the HIP runtime (Debian: libamdhip64-5), or use "
      "--device=reference");
  if (!library)
    return library.takeError();
#define COLL_REQUIRED(field, symbol, result, parameters)                       \
  library->bind(api.field, #symbol);
#define COLL_OPTIONAL(field, symbol, use, result, parameters)                  \
  library->bind(api.field, #symbol, use);
#include "Symbols.inc"
  return library;
}

static constexpr const char *noGpuAdvice =
    "there is no AMD GPU: check /dev/kfd and HIP_VISIBLE_DEVICES, or use "
    "--device=reference";

Expected<std::shared_ptr<const Api>> Api::load() {
  auto api = std::make_shared<Api>();
  Expected<SharedLibrary> library = openLibrary(*api);
  if (!library)
    return library.takeError();
  if (Error error = library->checkRequired())
    return error;
  // Without a GPU some versions say so here, as an invalid device.
  hipError_t status = api->init(0);
  if (Error error =
          api->check(status, "hipInit",
                     status == ErrorInvalidDevice ? noGpuAdvice : nullptr))
    return error;
  return api;
}

static const char *getAdvice(hipError_t status) {
  switch (status) {
  case ErrorOutOfMemory:
    return "use smaller arrays, or free memory on the device";
  case ErrorNoDevice:
    return noGpuAdvice;
  case ErrorInsufficientDriver:
    return "update the amdgpu kernel driver";
  case ErrorInvalidDevice:
    return "`collc devices` lists the devices there are";
  case ErrorNoBinaryForGpu:
  case ErrorInvalidImage:
  case ErrorInvalidKernelFile:
  case ErrorSharedObjectInitFailed:
    return "compile for the chip of this device";
  case ErrorIllegalAddress:
  case ErrorAssert:
  case ErrorLaunchFailure:
    return "run with --device=reference to find the place";
  case ErrorLaunchOutOfResources:
    return "use a smaller workgroup or less shared memory";
  default:
    return "";
  }
}

Error Api::check(hipError_t status, const Twine &call,
                 const char *advice) const {
  if (status == Success)
    return Error::success();
  const char *name = getErrorName(status);
  const char *text = getErrorString(status);
  if (!name)
    name = "an error that the runtime does not name";
  // Old versions give the name for the text too.
  if (!text || StringRef(text) == name)
    text = "";
  return make_error<DeviceError>(call.str(),
                                 (name + Twine(" ") + Twine(int(status))).str(),
                                 text, advice ? advice : getAdvice(status));
}

std::string Api::getVersion() const {
  // The version is 10,000,000 major + 100,000 minor + patch.
  int version = 0;
  if (runtimeGetVersion(&version) != Success)
    return "HIP";
  return ("HIP " + Twine(version / 10000000) + "." +
          Twine(version % 10000000 / 100000))
      .str();
}

StringRef coll::hip::findChip(StringRef properties) {
  constexpr size_t nameSize = 256;
  for (size_t at = nameSize;
       (at = properties.find("gfx", at)) != StringRef::npos; ++at) {
    StringRef digits = properties.substr(at + 3).take_while(isHexDigit);
    StringRef rest = properties.substr(at + 3 + digits.size());
    bool ends = !rest.empty() && (rest[0] == '\0' || rest[0] == ':');
    if (properties[at - 1] == '\0' && digits.size() >= 3 && ends)
      return properties.substr(at, 3 + digits.size());
  }
  return {};
}

Expected<std::vector<EntryPoint>> coll::getHipEntryPoints() {
  Api api;
  Expected<SharedLibrary> library = Api::openLibrary(api);
  if (!library)
    return library.takeError();
  return library->getEntryPoints();
}
