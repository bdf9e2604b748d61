//===- Devices.cpp - collc devices ----------------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompileFlags.h"
#include "coll/Commands/Commands.h"
#include "coll/Runtime/Device.h"
#include "llvm/Support/raw_ostream.h"

using namespace coll;

static void printDevice(const Device &device) {
  const DeviceInfo &info = device.getInfo();
  llvm::outs() << device.str() << ": " << info.name << ", " << info.chip
               << ", warps of " << info.warpSize << ", " << info.multiprocessors
               << " multiprocessors, " << info.maxSharedBytes / 1024
               << " KiB shared, " << (info.memoryBytes >> 20) << " MiB, "
               << info.driver << '\n';
}

/// Lists the devices of one kind, or says why there are none.
static void listDevices(
    llvm::StringRef kind, llvm::Expected<unsigned> count,
    llvm::function_ref<llvm::Expected<std::unique_ptr<Device>>(unsigned)>
        open) {
  if (!count) {
    llvm::outs() << "no " << kind
                 << " device: " << llvm::toString(count.takeError()) << '\n';
    return;
  }
  if (*count == 0)
    llvm::outs() << "no " << kind << " device\n";
  for (unsigned i = 0; i < *count; ++i) {
    llvm::Expected<std::unique_ptr<Device>> device = open(i);
    if (device)
      printDevice(**device);
    else
      llvm::outs() << kind << ':' << i << ": "
                   << llvm::toString(device.takeError()) << '\n';
  }
}

int coll::runDevicesCommand() {
  listDevices("cuda", countCudaDevices(), openCudaDevice);
  listDevices("hip", countHipDevices(), openHipDevice);
  llvm::outs() << "reference:32: interpreter, warps of 32\n"
               << "reference:64: interpreter, warps of 64\n";
  return ExitDone;
}
