//===- Npy.cpp - Arrays in files ------------------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "coll/Runtime/Npy.h"
#include "coll/Support/ReadFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace coll;
using namespace llvm;
using namespace llvm::support;

static constexpr StringLiteral magic = "\x93NUMPY";

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

/// In the order of ScalarType.
static constexpr StringLiteral descrTable[numScalarTypes] = {
    "|b1", "|i1", "<i2", "<i4", "<i8", "|u1", "<u2",
    "<u4", "<u8", "<f2", "<V2", "<f4", "<f8"};

static StringRef getDescr(ScalarType type) {
  return descrTable[static_cast<unsigned>(type)];
}

/// The type of all leaves, if they lie densely: those of a vector, and of a
/// struct of one type.
static std::optional<ScalarType> getVectorScalar(const StorageType &element) {
  ScalarType type = element.leaves[0].type;
  unsigned size = getScalarTypeSize(type);
  for (auto [i, leaf] : enumerate(element.leaves))
    if (leaf.type != type || leaf.offset != i * size)
      return std::nullopt;
  if (element.sizeBytes != element.leaves.size() * size)
    return std::nullopt;
  return type;
}

/// What stands after 'descr': a string, or a list of fields without spaces.
static std::string getDescrText(const StorageType &element) {
  auto quote = [](StringRef text) { return ("'" + text + "'").str(); };
  if (std::optional<ScalarType> type = getVectorScalar(element))
    return quote(getDescr(*type));
  std::string text = "[";
  ListSeparator comma(",");
  uint64_t end = 0;
  auto addField = [&](StringRef name, StringRef descr) {
    text += StringRef(comma);
    text += "(" + quote(name) + "," + quote(descr) + ")";
  };
  auto padTo = [&](uint64_t offset) {
    if (offset != end)
      addField("", ("|V" + Twine(offset - end)).str());
  };
  for (const StorageLeaf &leaf : element.leaves) {
    padTo(leaf.offset);
    addField(leaf.path, getDescr(leaf.type));
    end = leaf.offset + getScalarTypeSize(leaf.type);
  }
  padTo(element.sizeBytes);
  return text + "]";
}

/// Whether a file with `descr` holds `element`s.
static bool isDescrOf(StringRef descr, const StorageType &element) {
  if (descr == getDescrText(element))
    return true;
  std::optional<ScalarType> type = getVectorScalar(element);
  if (!type || !descr.consume_front("'") || !descr.consume_back("'"))
    return false;
  if (*type == ScalarType::BF16)
    return descr == "|V2" || descr == "<u2";
  // A single byte has no order, but some writers say '<'.
  return getScalarTypeSize(*type) == 1 && descr.consume_front("<") &&
         descr == getDescr(*type).drop_front();
}

//===----------------------------------------------------------------------===//
// The header
//===----------------------------------------------------------------------===//

namespace {
struct NpyHeader {
  std::string descr; ///< As in the file, without spaces.
  std::vector<int64_t> shape;
  uint64_t dataStart = 0;
};

/// Reads the header, a Python dictionary of three entries.
class HeaderParser {
public:
  HeaderParser(StringRef text, StringRef name, size_t start)
      : text(text), name(name), start(start) {}

  Expected<NpyHeader> parse();

private:
  Error error(const Twine &message) const {
    return createStringError(name + ": byte " + Twine(start + position) + ": " +
                             message);
  }
  void skipSpace() {
    while (position < text.size() && isSpace(text[position]))
      ++position;
  }
  bool consume(StringRef word) {
    skipSpace();
    if (!text.substr(position).starts_with(word))
      return false;
    position += word.size();
    return true;
  }
  Expected<std::string> parseString();
  Error parseDescr();
  Error parseOrder();
  Error parseShape();
  Error parseEntry();

  StringRef text;
  StringRef name;
  size_t start;
  size_t position = 0;
  NpyHeader header;
  bool hasDescr = false, hasOrder = false, hasShape = false;
};
} // namespace

Expected<std::string> HeaderParser::parseString() {
  skipSpace();
  char quote = position < text.size() ? text[position] : '\0';
  if (quote != '\'' && quote != '"')
    return error("expected a string in quotes");
  size_t end = text.find(quote, position + 1);
  if (end == StringRef::npos)
    return error("the string does not end");
  StringRef content = text.slice(position + 1, end);
  if (content.contains('\\'))
    return error("escapes in strings are not supported");
  position = end + 1;
  return content.str();
}

/// A string, or a list up to its bracket, of which spaces are dropped and
/// quotes made single ones.
Error HeaderParser::parseDescr() {
  skipSpace();
  if (position == text.size() || text[position] != '[') {
    Expected<std::string> descr = parseString();
    if (!descr)
      return descr.takeError();
    header.descr = "'" + *descr + "'";
    return Error::success();
  }
  unsigned depth = 0;
  do {
    skipSpace();
    if (position == text.size())
      return error("the list of fields does not end");
    char c = text[position];
    if (c == '\'' || c == '"') {
      Expected<std::string> word = parseString();
      if (!word)
        return word.takeError();
      header.descr += "'" + *word + "'";
      continue;
    }
    depth += c == '[';
    depth -= c == ']';
    header.descr += c;
    ++position;
  } while (depth != 0);
  return Error::success();
}

Error HeaderParser::parseOrder() {
  if (consume("False"))
    return Error::success();
  if (text.substr(position).starts_with("True"))
    return error("the array is in Fortran order; save "
                 "numpy.ascontiguousarray(a)");
  return error("expected True or False");
}

Error HeaderParser::parseShape() {
  if (!consume("("))
    return error("expected a shape such as (3, 4)");
  while (!consume(")")) {
    skipSpace();
    StringRef digits = text.substr(position).take_while(isDigit);
    int64_t extent;
    if (digits.empty() || digits.getAsInteger(10, extent))
      return error("expected an extent of at most 63 bits");
    header.shape.push_back(extent);
    position += digits.size();
    if (!consume(",")) {
      if (consume(")"))
        return Error::success();
      return error("expected ',' or ')'");
    }
  }
  return Error::success();
}

Error HeaderParser::parseEntry() {
  Expected<std::string> key = parseString();
  if (!key)
    return key.takeError();
  bool *seen = *key == "descr"           ? &hasDescr
               : *key == "fortran_order" ? &hasOrder
               : *key == "shape"         ? &hasShape
                                         : nullptr;
  if (!seen)
    return error("unknown key '" + *key + "'");
  if (*seen)
    return error("the key '" + *key + "' is there twice");
  *seen = true;
  if (!consume(":"))
    return error("expected ':'");
  if (seen == &hasDescr)
    return parseDescr();
  return seen == &hasOrder ? parseOrder() : parseShape();
}

Expected<NpyHeader> HeaderParser::parse() {
  if (!consume("{"))
    return error("expected '{'");
  while (!consume("}")) {
    if (Error failure = parseEntry())
      return failure;
    if (consume(","))
      continue;
    if (consume("}"))
      break;
    return error("expected ',' or '}'");
  }
  skipSpace();
  if (position != text.size())
    return error("expected nothing after '}'");
  const std::pair<bool, const char *> keys[] = {
      {hasDescr, "descr"}, {hasOrder, "fortran_order"}, {hasShape, "shape"}};
  for (auto [seen, key] : keys)
    if (!seen)
      return error(Twine("the header has no '") + key + "'");
  header.dataStart = start + text.size();
  return header;
}

/// The part before the data, of version 1, 2 or 3.
static Expected<NpyHeader> parseHeader(StringRef bytes, StringRef name) {
  if (!bytes.starts_with(magic))
    return createStringError(name + ": this is no .npy file: it does not start "
                                    "with \\x93NUMPY");
  auto cutOff = [&](uint64_t needed) {
    return createStringError(name + ": the header is cut off: it has " +
                             Twine(needed) + " bytes, the file " +
                             Twine(bytes.size()));
  };
  if (bytes.size() < 10)
    return cutOff(10);
  unsigned major = static_cast<uint8_t>(bytes[6]);
  if (major < 1 || major > 3)
    return createStringError(name + ": unknown .npy version " + Twine(major) +
                             ", expected 1, 2 or 3");
  size_t start = major == 1 ? 10 : 12;
  if (bytes.size() < start)
    return cutOff(start);
  uint64_t length = major == 1 ? endian::read16le(bytes.data() + 8)
                               : endian::read32le(bytes.data() + 8);
  if (length > bytes.size() - start)
    return cutOff(start + length);
  return HeaderParser(bytes.substr(start, length), name, start).parse();
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// Any other byte than 0 and 1 in a bool has no meaning on a device.
static Error checkBools(const HostArray &array, StringRef name) {
  for (const StorageLeaf &leaf : array.getElement().leaves) {
    if (leaf.type != ScalarType::Bool)
      continue;
    for (uint64_t index = 0; index != array.getCount(); ++index)
      if (uint64_t bits = array.getLeaf(index, leaf); bits > 1)
        return createStringError(name + ": element " + Twine(index) +
                                 " is the byte " + Twine(bits) +
                                 ", which is no bool");
  }
  return Error::success();
}

static Error typeError(StringRef name, StringRef descr,
                       const StorageType &element) {
  std::string message =
      (name + ": expected elements of type " + element.name + ", which are " +
       getDescrText(element) + " in a .npy file, got " + descr)
          .str();
  if (descr.starts_with("'>"))
    message += "; this is big-endian, save a.astype(a.dtype.newbyteorder('<'))";
  return createStringError(message);
}

Expected<HostArray> coll::parseNpy(StringRef bytes, StringRef name,
                                   const StorageType &element) {
  Expected<NpyHeader> header = parseHeader(bytes, name);
  if (!header)
    return header.takeError();
  if (!isDescrOf(header->descr, element))
    return typeError(name, header->descr, element);
  std::vector<int64_t> shape = header->shape;
  uint64_t width = element.leaves.size();
  if (width > 1 && getVectorScalar(element)) {
    if (shape.empty() || static_cast<uint64_t>(shape.back()) != width)
      return createStringError(name + ": the last dimension of an array of " +
                               element.name + " must be " + Twine(width));
    shape.pop_back();
  }
  StringRef data = bytes.substr(header->dataStart);
  // Before memory is taken for what the header claims.
  uint64_t needed = element.sizeBytes;
  for (int64_t extent : shape)
    needed = SaturatingMultiply<uint64_t>(needed, extent);
  if (needed != data.size())
    return createStringError(name + ": the data of " + formatShape(shape) +
                             element.name + " takes " + Twine(needed) +
                             " bytes, the file has " + Twine(data.size()) +
                             " after its header");
  Expected<HostArray> array = HostArray::create(element, shape);
  if (!array)
    return createStringError(name + ": " + toString(array.takeError()));
  array->setDenseBytes(arrayRefFromStringRef(data));
  if (Error error = checkBools(*array, name))
    return error;
  return array;
}

Expected<HostArray> coll::readNpyFile(StringRef path,
                                      const StorageType &element) {
  Expected<std::unique_ptr<MemoryBuffer>> file = readFile(path);
  if (!file)
    return file.takeError();
  return parseNpy((*file)->getBuffer(), path, element);
}

Expected<HostArray> coll::readRawFile(StringRef path,
                                      const StorageType &element) {
  Expected<std::unique_ptr<MemoryBuffer>> file = readFile(path);
  if (!file)
    return file.takeError();
  StringRef data = (*file)->getBuffer();
  if (data.size() % element.sizeBytes != 0)
    return createStringError(path + ": " + Twine(data.size()) +
                             " bytes are no whole number of " + element.name +
                             " (" + Twine(element.sizeBytes) + " bytes each)");
  Expected<HostArray> array = HostArray::create(
      element, {static_cast<int64_t>(data.size() / element.sizeBytes)});
  if (!array)
    return array.takeError();
  array->setDenseBytes(arrayRefFromStringRef(data));
  if (Error error = checkBools(*array, path))
    return error;
  return array;
}

std::string coll::writeNpy(const HostArray &array) {
  const StorageType &element = array.getElement();
  std::vector<int64_t> shape = array.getShape().vec();
  if (element.leaves.size() > 1 && getVectorScalar(element))
    shape.push_back(element.leaves.size());
  std::string header = "{'descr': " + getDescrText(element) +
                       ", 'fortran_order': False, 'shape': (";
  for (int64_t extent : shape)
    header += std::to_string(extent) + ", ";
  // NumPy writes (3,) and (3, 4) and ().
  if (shape.size() == 1)
    header.pop_back();
  else if (shape.size() > 1)
    header.resize(header.size() - 2);
  header += "), }";
  // A line break at its end, a multiple of 64 bytes with what is before it.
  // Version 1 has 16 bits for the length, version 2 has 32.
  bool isLong = header.size() > 65000;
  uint64_t prefix = isLong ? 12 : 10;
  header.resize(alignTo(prefix + header.size() + 1, 64) - prefix - 1, ' ');
  header += '\n';
  std::string file = magic.str();
  file += isLong ? '\2' : '\1';
  file.resize(prefix, '\0');
  if (isLong)
    endian::write32le(&file[8], header.size());
  else
    endian::write16le(&file[8], header.size());
  file += header;
  std::vector<uint8_t> dense = array.getDenseBytes();
  file.append(dense.begin(), dense.end());
  return file;
}

Error coll::writeNpyFile(StringRef path, const HostArray &array) {
  std::error_code code;
  raw_fd_ostream file(path, code, sys::fs::OF_None);
  if (!code) {
    file << writeNpy(array);
    file.close();
    code = file.error();
    file.clear_error();
  }
  if (code)
    return createStringError("cannot write '" + path + "': " + code.message());
  return Error::success();
}
