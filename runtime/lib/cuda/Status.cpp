//===- Status.cpp - Loading the CUDA driver and its errors ----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Api.h"

using namespace coll;
using namespace coll::cuda;
using namespace llvm;

Expected<SharedLibrary> Api::openLibrary(Api &api) {
  Expected<SharedLibrary> library = SharedLibrary::open(
      "COLL_CUDA_LIBRARY", {"libcuda.so.1"},
      "install the NVIDIA driver, or use --device=reference");
  if (!library)
    return library.takeError();
#define COLL_REQUIRED(field, symbol, parameters)                               \
  library->bind(api.field, #symbol);
#define COLL_OPTIONAL(field, symbol, use, parameters)                          \
  library->bind(api.field, #symbol, use);
#include "Symbols.inc"
  return library;
}

Expected<std::shared_ptr<const Api>> Api::load() {
  auto api = std::make_shared<Api>();
  Expected<SharedLibrary> library = openLibrary(*api);
  if (!library)
    return library.takeError();
  if (Error error = library->checkRequired())
    return error;
  if (Error error = api->check(api->init(0), "cuInit"))
    return error;
  return api;
}

static const char *getAdvice(CUresult status) {
  switch (status) {
  case ErrorOutOfMemory:
    return "use smaller arrays, or free memory on the device";
  case ErrorNoDevice:
    return "no NVIDIA GPU is visible: check nvidia-smi and "
           "CUDA_VISIBLE_DEVICES, or use --device=reference";
  case ErrorInvalidDevice:
    return "`collc devices` lists the devices there are";
  case ErrorNoBinaryForGpu:
  case ErrorInvalidImage:
    return "compile for the chip of this device";
  case ErrorUnsupportedPtxVersion:
    return "the code needs a newer driver";
  case ErrorInvalidPtx:
    return "the driver's log says where";
  case ErrorIllegalAddress:
  case ErrorAssert:
  case ErrorIllegalInstruction:
  case ErrorLaunchFailed:
    return "run with --device=reference to find the place";
  case ErrorLaunchOutOfResources:
    return "use a smaller workgroup or less shared memory";
  case ErrorSystemDriverMismatch:
    return "the driver's library and kernel module differ: restart the machine "
           "or reinstall the driver";
  default:
    return "";
  }
}

Error Api::check(CUresult status, const Twine &call) const {
  if (status == Success)
    return Error::success();
  const char *name = nullptr, *text = nullptr;
  if (getErrorName(status, &name) != Success || !name)
    name = "an error that the driver does not name";
  if (getErrorString(status, &text) != Success || !text)
    text = "no description";
  return make_error<DeviceError>(call.str(),
                                 (name + Twine(" ") + Twine(int(status))).str(),
                                 text, getAdvice(status));
}

std::string Api::getDriverVersion() const {
  int version = 0;
  if (driverGetVersion(&version) != Success)
    return "CUDA";
  return ("CUDA " + Twine(version / 1000) + "." + Twine(version % 1000 / 10))
      .str();
}

Expected<std::vector<EntryPoint>> coll::getCudaEntryPoints() {
  Api api;
  Expected<SharedLibrary> library = Api::openLibrary(api);
  if (!library)
    return library.takeError();
  return library->getEntryPoints();
}
