//===- LineSpec.h - A source line to look for -------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_SIMULATOR_LINESPEC_H
#define COLL_SIMULATOR_LINESPEC_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace coll::sim {

/// "12" is that line of any file, "softmax.coll:12" that of files whose path
/// is, or ends in, this one.
struct LineSpec {
  std::string file; ///< Empty: any.
  unsigned line = 0;

  static llvm::Expected<LineSpec> parse(llvm::StringRef text);
  std::string str() const;
  bool matches(llvm::StringRef path, unsigned lineOfPath) const;
};

} // namespace coll::sim

#endif // COLL_SIMULATOR_LINESPEC_H
