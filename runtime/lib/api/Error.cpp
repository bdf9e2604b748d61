//===- Error.cpp - Errors of the host API ---------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "State.h"
#include "coll/Runtime/ReferenceDevice.h"
#include <cstdio>
#include <cstdlib>

using namespace coll;

v0::Error v0::makeError(llvm::Error error, ErrorKind kind,
                        const llvm::Twine &context) {
  std::string code, causes;
  auto addCause = [&](llvm::StringRef text) {
    causes += (causes.empty() ? "" : "; ") + text.str();
  };
  llvm::handleAllErrors(
      std::move(error),
      [&](const DeviceError &device) {
        kind = ErrorKind::Device;
        code = device.getCode().str();
        addCause(device.message());
      },
      [&](const KernelFault &fault) {
        kind = ErrorKind::Fault;
        code = fault.getKind().str();
        addCause(fault.getText());
      },
      [&](const llvm::ErrorInfoBase &other) { addCause(other.message()); });
  std::string message = context.str();
  if (!message.empty())
    message += ": ";
  return Error(kind, message + causes, std::move(code));
}

v0::Error v0::makeUsageError(const llvm::Twine &message) {
  return Error(ErrorKind::Usage, message.str());
}

void v0::failAccess(const Error *error) {
  if (error)
    std::fprintf(stderr, "coll: an error was not handled: %s\n",
                 error->message().c_str());
  else
    std::fputs("coll: the error of a success was asked for\n", stderr);
  std::abort();
}

const char *v0::version() { return COLL_VERSION; }
