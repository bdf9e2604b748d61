//===- Commands.h - The command line of collc -------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_COMMANDS_COMMANDS_H
#define COLL_COMMANDS_COMMANDS_H

namespace coll {

/// What the process ends with.
enum ExitCode : int {
  ExitDone = 0,
  ExitProgramWrong = 1, ///< The program is wrong, or a check failed.
  ExitBadUsage = 2,
  ExitDeviceFailed = 3, ///< The device, its driver or a file of ours failed.
};

/// All of collc: parses the command line and runs the sub-command.
int runCollc(int argc, char **argv);

} // namespace coll

#endif // COLL_COMMANDS_COMMANDS_H
