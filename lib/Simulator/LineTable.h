//===- LineTable.h - Source lines of a code object --------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SIMULATOR_LINETABLE_H
#define COLL_LIB_SIMULATOR_LINETABLE_H

#include "coll/Simulator/LineSpec.h"
#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace coll::sim {

struct SourceLocation {
  llvm::StringRef file; ///< As the compiler was given it.
  unsigned line = 0, column = 0;

  /// "file.coll:3:5"
  std::string str() const;
};

/// The .debug_line section of a code object, if it has one. What is damaged
/// gives no lines.
class LineTable {
public:
  LineTable() = default;
  /// `base` is the device address of the object's address 0.
  static LineTable read(llvm::ArrayRef<uint8_t> object, uint64_t base);

  /// Nothing for code that has no line of its own: what the optimiser merged
  /// from several lines, and what the back end adds.
  std::optional<SourceLocation> find(uint64_t address) const;
  bool empty() const { return rows.empty(); }
  /// True if there is code of a line.
  bool hasLine(const LineSpec &spec) const;

private:
  /// From `address` up to the next row's.
  struct Row {
    uint64_t address;
    size_t file;           ///< In `files`.
    unsigned line, column; ///< Line 0: none.
  };
  std::vector<std::string> files;
  std::vector<Row> rows; ///< By address.
};

} // namespace coll::sim

#endif // COLL_LIB_SIMULATOR_LINETABLE_H
