//===- Batch.cpp - collc batch --------------------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Many command lines in one process, which makes a GPU's context once: a driver
// makes those of several processes one after the other, which takes longer than
// most tests. What a command prints goes to files meanwhile, as the driver and
// ptxas print, too.
//
//===----------------------------------------------------------------------===//

#include "CompileFlags.h"
#include "coll/Commands/Commands.h"
#include "coll/Runtime/Device.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <iostream>
#include <unistd.h>

using namespace coll;

namespace {
/// A descriptor of the process that goes to a file while commands run.
class Capture {
public:
  explicit Capture(int descriptor) : descriptor(descriptor) {}
  llvm::Error open();
  ~Capture();
  /// Where the descriptor went before.
  int getOriginal() const { return original; }
  /// What has been written since the last call.
  llvm::Expected<std::string> take();

private:
  int descriptor;
  int original = -1;
  int file = -1;
};

/// A line of the input.
struct Request {
  std::string directory;
  std::vector<std::string> arguments;
};

bool fromJSON(const llvm::json::Value &value, Request &request,
              llvm::json::Path path) {
  llvm::json::ObjectMapper mapper(value, path);
  if (!mapper || !mapper.mapOptional("directory", request.directory) ||
      !mapper.map("arguments", request.arguments))
    return false;
  for (const auto &member : *value.getAsObject())
    if (member.first != "directory" && member.first != "arguments") {
      path.field(member.first).report("unknown member");
      return false;
    }
  return true;
}
} // namespace

static llvm::Error getSystemError(const char *what) {
  std::error_code error(errno, std::generic_category());
  return llvm::createStringError(llvm::Twine("cannot ") + what + ": " +
                                 error.message());
}

llvm::Error Capture::open() {
  llvm::SmallString<128> path;
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("collc-batch", "txt", file, path))
    return llvm::createStringError("cannot make a temporary file: " +
                                   error.message());
  llvm::sys::fs::remove(path);
  original = ::dup(descriptor);
  if (original < 0 || ::dup2(file, descriptor) < 0)
    return getSystemError("redirect what commands print");
  return llvm::Error::success();
}

Capture::~Capture() {
  if (original >= 0) {
    ::dup2(original, descriptor);
    ::close(original);
  }
  if (file >= 0)
    ::close(file);
}

llvm::Expected<std::string> Capture::take() {
  llvm::SmallString<0> text;
  if (::lseek(file, 0, SEEK_SET) < 0)
    return getSystemError("read what a command printed");
  if (llvm::Error error = llvm::sys::fs::readNativeFileToEOF(
          llvm::sys::fs::convertFDToNativeFile(file), text))
    return std::move(error);
  if (::ftruncate(file, 0) < 0 || ::lseek(file, 0, SEEK_SET) < 0)
    return getSystemError("read what a command printed");
  return llvm::json::fixUTF8(text);
}

/// The devices that commands name stay open: so do their contexts.
static void keepDevices(const Request &request,
                        llvm::StringMap<std::unique_ptr<Device>> &kept) {
  for (llvm::StringRef argument : request.arguments) {
    if (!argument.consume_front("--device=") || kept.contains(argument))
      continue;
    llvm::Expected<DeviceSpec> spec = DeviceSpec::parse(argument);
    if (!spec) {
      llvm::consumeError(spec.takeError()); // The command will say so.
      continue;
    }
    if (spec->kind != DeviceKind::CUDA && spec->kind != DeviceKind::HIP)
      continue;
    llvm::Expected<std::unique_ptr<Device>> device = openGpu(*spec);
    if (device)
      kept[argument] = std::move(*device);
    else
      llvm::consumeError(device.takeError());
  }
}

/// As they were before a command line was read. Others are LLVM's, which the
/// back ends may have set.
static void resetFlags() {
  for (auto *getCommand : {getCompileCommand, getExplainCommand, getRunCommand})
    for (auto &[name, option] : llvm::cl::getRegisteredOptions(getCommand()))
      option->reset();
}

static int runCommandLine(const Request &request) {
  if (!request.directory.empty())
    if (std::error_code error =
            llvm::sys::fs::set_current_path(request.directory))
      return reportError(llvm::createStringError("cannot go to '" +
                                                 request.directory +
                                                 "': " + error.message()),
                         ExitBadUsage);
  if (!request.arguments.empty() && request.arguments.front() == "batch")
    return reportError(llvm::createStringError("batch runs no other batch"),
                       ExitBadUsage);
  for (llvm::StringRef word : request.arguments) {
    if (word.contains('\0'))
      return reportError(llvm::createStringError("an argument has a zero byte"),
                         ExitBadUsage);
    // They end the process.
    llvm::StringRef flag = word.ltrim('-');
    if (flag != word &&
        (flag == "h" || flag == "version" || flag.starts_with("help")))
      return reportError(llvm::createStringError("a batch prints no " + word),
                         ExitBadUsage);
  }
  std::vector<std::string> words = {"collc"};
  llvm::append_range(words, request.arguments);
  std::vector<char *> pointers;
  for (std::string &word : words)
    pointers.push_back(word.data());
  resetFlags();
  return runCollc(pointers.size(), pointers.data());
}

/// Whether JSON has more levels than any request, of which LLVM's parser calls
/// itself for each.
static bool isDeep(llvm::StringRef json) {
  constexpr int maxLevels = 16;
  int level = 0;
  bool isInString = false;
  for (size_t i = 0; i < json.size() && level <= maxLevels; ++i) {
    char c = json[i];
    if (isInString && c == '\\')
      ++i;
    else if (c == '"')
      isInString = !isInString;
    else if (!isInString)
      level += (c == '[' || c == '{') - (c == ']' || c == '}');
  }
  return level > maxLevels;
}

/// Runs the command line in a line of the input. One that is none is answered
/// like a wrong command line.
static int runLine(llvm::StringRef line, unsigned number,
                   llvm::StringMap<std::unique_ptr<Device>> &kept) {
  llvm::Expected<Request> request = isDeep(line)
                                        ? llvm::createStringError("too deep")
                                        : llvm::json::parse<Request>(line);
  if (!request)
    return reportError(
        llvm::createStringError("line " + llvm::Twine(number) +
                                " is not an object with 'arguments', a list of "
                                "strings, and perhaps a 'directory': " +
                                llvm::toString(request.takeError())),
        ExitBadUsage);
  keepDevices(*request, kept);
  return runCommandLine(*request);
}

static llvm::Error serve() {
  Capture out(STDOUT_FILENO), err(STDERR_FILENO);
  if (llvm::Error error = out.open())
    return error;
  if (llvm::Error error = err.open())
    return error;
  llvm::raw_fd_ostream answers(out.getOriginal(), /*shouldClose=*/false);
  llvm::StringMap<std::unique_ptr<Device>> kept;
  unsigned number = 0;
  for (std::string line; std::getline(std::cin, line);) {
    int code = runLine(line, ++number, kept);
    llvm::Expected<std::string> output = out.take();
    if (!output)
      return output.takeError();
    llvm::Expected<std::string> errors = err.take();
    if (!errors)
      return errors.takeError();
    answers << llvm::json::Value(llvm::json::Object{{"exit_code", code},
                                                    {"stdout", *output},
                                                    {"stderr", *errors}})
            << '\n';
    answers.flush();
  }
  return llvm::Error::success();
}

int coll::runBatchCommand() {
  if (llvm::Error error = serve())
    return reportError(std::move(error), ExitBadUsage);
  return ExitDone;
}
