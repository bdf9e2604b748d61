//===- collc.cpp - The compiler and runner of Coll ------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Commands/Commands.h"

int main(int argc, char **argv) { return coll::runCollc(argc, argv); }
