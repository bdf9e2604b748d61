//===- LineTable.cpp - Source lines of a code object ----------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LineTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/Path.h"

using namespace coll::sim;
using namespace llvm;

std::string SourceLocation::str() const {
  return file.str() + ":" + std::to_string(line) + ":" + std::to_string(column);
}

//===----------------------------------------------------------------------===//
// LineSpec
//===----------------------------------------------------------------------===//

Expected<LineSpec> LineSpec::parse(StringRef text) {
  LineSpec spec;
  size_t colon = text.rfind(':');
  StringRef number = colon == StringRef::npos ? text : text.substr(colon + 1);
  if (colon == 0 || number.getAsInteger(10, spec.line) || spec.line == 0)
    return createStringError("expected LINE or FILE:LINE, got '" + text + "'");
  if (colon != StringRef::npos)
    spec.file = text.take_front(colon).str();
  return spec;
}

std::string LineSpec::str() const {
  return (file.empty() ? "" : file + ":") + std::to_string(line);
}

bool LineSpec::matches(StringRef path, unsigned lineOfPath) const {
  if (lineOfPath != line)
    return false;
  if (file.empty() || path == file)
    return true;
  return path.consume_back(file) &&
         sys::path::is_separator(path.empty() ? 'x' : path.back());
}

//===----------------------------------------------------------------------===//
// LineTable
//===----------------------------------------------------------------------===//

LineTable LineTable::read(ArrayRef<uint8_t> object, uint64_t base) {
  LineTable table;
  StringRef bytes(reinterpret_cast<const char *>(object.data()), object.size());
  auto file =
      object::ObjectFile::createObjectFile(MemoryBufferRef(bytes, "object"));
  if (!file) {
    consumeError(file.takeError());
    return table;
  }
  auto ignore = [](Error error) { consumeError(std::move(error)); };
  std::unique_ptr<DWARFContext> context = DWARFContext::create(
      **file, DWARFContext::ProcessDebugRelocations::Ignore, nullptr, "",
      ignore, ignore);
  const DWARFObject &sections = context->getDWARFObj();
  DWARFDataExtractor lines(sections, sections.getLineSection(),
                           context->isLittleEndian(), /*AddressSize=*/8);
  DWARFDebugLine::SectionParser parser(lines, *context,
                                       context->normal_units());
  StringMap<size_t> numbers;
  while (!parser.done()) {
    DWARFDebugLine::LineTable unit = parser.parseNext(ignore, ignore);
    for (const DWARFDebugLine::Row &row : unit.Rows) {
      Row result{base + row.Address.Address, 0, row.EndSequence ? 0 : row.Line,
                 row.Column};
      std::string name;
      if (!unit.getFileNameByIndex(
              row.File, "",
              DILineInfoSpecifier::FileLineInfoKind::RelativeFilePath, name))
        result.line = 0;
      auto [number, isNew] = numbers.try_emplace(name, table.files.size());
      if (isNew)
        table.files.push_back(name);
      result.file = number->second;
      table.rows.push_back(result);
    }
  }
  // Of several rows for an address the last one counts.
  stable_sort(table.rows,
              [](const Row &a, const Row &b) { return a.address < b.address; });
  return table;
}

bool LineTable::hasLine(const LineSpec &spec) const {
  return any_of(rows, [&](const Row &row) {
    return spec.matches(files[row.file], row.line);
  });
}

std::optional<SourceLocation> LineTable::find(uint64_t address) const {
  auto row = upper_bound(rows, address, [](uint64_t address, const Row &row) {
    return address < row.address;
  });
  if (row == rows.begin() || std::prev(row)->line == 0)
    return std::nullopt;
  --row;
  return SourceLocation{files[row->file], row->line, row->column};
}
