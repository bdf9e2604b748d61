//===- CollDialect.cpp - Registration, types and attributes ---------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Dialect/Coll/IR/Coll.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace coll::ir;

#include "coll/Dialect/Coll/IR/CollDialect.cpp.inc"
#include "coll/Dialect/Coll/IR/CollEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "coll/Dialect/Coll/IR/CollAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "coll/Dialect/Coll/IR/CollTypes.cpp.inc"

/// The built-in operator of a collective, if there is one: a keyword.
static ParseResult parseOptionalKind(OpAsmParser &parser,
                                     CombineKindAttr &kind) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (failed(parser.parseOptionalKeyword(&keyword)))
    return success();
  std::optional<CombineKind> known = symbolizeCombineKind(keyword);
  if (!known)
    return parser.emitError(loc, "unknown operator '" + keyword + "'");
  kind = CombineKindAttr::get(parser.getContext(), *known);
  return success();
}

static void printOptionalKind(OpAsmPrinter &printer, Operation *,
                              CombineKindAttr kind) {
  if (kind)
    printer << stringifyCombineKind(kind.getValue());
}

/// `warp`, or `members(%g)`.
static ParseResult
parseGroup(OpAsmParser &parser, GroupAttr &group,
           std::optional<OpAsmParser::UnresolvedOperand> &members) {
  group = dyn_cast_if_present<GroupAttr>(GroupAttr::parse(parser, Type()));
  if (!group || !group.isMembers())
    return success(bool(group));
  return failure(parser.parseLParen() ||
                 parser.parseOperand(members.emplace()) ||
                 parser.parseRParen());
}

static void printGroup(OpAsmPrinter &printer, Operation *, GroupAttr group,
                       Value members) {
  group.print(printer);
  if (members)
    printer << '(' << members << ')';
}

#define GET_OP_CLASSES
#include "coll/Dialect/Coll/IR/CollOps.cpp.inc"

void CollDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "coll/Dialect/Coll/IR/CollTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "coll/Dialect/Coll/IR/CollAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "coll/Dialect/Coll/IR/CollOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// GroupAttr: thread, warp, tile<8>, block
//===----------------------------------------------------------------------===//

Attribute GroupAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (parser.parseKeyword(&keyword))
    return {};
  std::optional<GroupKind> kind = symbolizeGroupKind(keyword);
  if (!kind) {
    parser.emitError(loc, "unknown group '" + keyword + "'");
    return {};
  }
  unsigned tileSize = 0, first = 0;
  bool hasSize = *kind == GroupKind::Tile || *kind == GroupKind::Warps;
  if (hasSize && parser.parseLess())
    return {};
  if (*kind == GroupKind::Warps &&
      (parser.parseInteger(first) || parser.parseComma()))
    return {};
  if (hasSize && (parser.parseInteger(tileSize) || parser.parseGreater()))
    return {};
  return GroupAttr::getChecked([&] { return parser.emitError(loc); },
                               parser.getContext(), *kind, tileSize, first);
}

void GroupAttr::print(AsmPrinter &printer) const {
  printer << stringifyGroupKind(getKind());
  if (getKind() == GroupKind::Tile)
    printer << '<' << getTileSize() << '>';
  if (isWarps())
    printer << '<' << getFirst() << ", " << getTileSize() << '>';
}

LogicalResult GroupAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                GroupKind kind, unsigned tileSize,
                                unsigned first) {
  if (kind == GroupKind::Warps) {
    constexpr unsigned narrowest = 32;
    if (tileSize == 0 || first % narrowest != 0 || first + tileSize > 1024)
      return emitError() << "warps<" << first << ", " << tileSize
                         << "> are no whole warps of a block";
    return success();
  }
  if (kind != GroupKind::Tile)
    return success(tileSize == 0);
  if (!llvm::isPowerOf2_32(tileSize) || tileSize > 1024)
    return emitError() << "tile size " << tileSize
                       << " is not a power of two from 1 to 1024";
  return success();
}

//===----------------------------------------------------------------------===//
// ParamAttr
//===----------------------------------------------------------------------===//

/// `keyword = `, after a comma unless it is the first.
static ParseResult parseField(AsmParser &parser, StringRef keyword,
                              bool isFirst = false) {
  return failure((!isFirst && parser.parseComma()) ||
                 parser.parseKeyword(keyword) || parser.parseEqual());
}

/// `, dims = ...` and `, pitch = ...`, of which the comma is parsed.
static ParseResult parseDims(AsmParser &parser, SmallVectorImpl<int64_t> &dims,
                             int64_t &pitch) {
  if (succeeded(parser.parseOptionalKeyword("dims"))) {
    if (parser.parseEqual() || parser.parseInteger(dims.emplace_back()))
      return failure();
    while (succeeded(parser.parseOptionalComma())) {
      int64_t dim;
      OptionalParseResult result = parser.parseOptionalInteger(dim);
      if (!result.has_value())
        return failure(parser.parseKeyword("pitch") || parser.parseEqual() ||
                       parser.parseInteger(pitch));
      if (failed(*result))
        return failure();
      dims.push_back(dim);
    }
    return success();
  }
  return failure(parser.parseKeyword("pitch") || parser.parseEqual() ||
                 parser.parseInteger(pitch));
}

Attribute ParamAttr::parse(AsmParser &parser, Type) {
  std::string name, type, leaf;
  SmallVector<StringAttr> leaves;
  SmallVector<int64_t> dims;
  int64_t pitch = -1;
  Builder &builder = parser.getBuilder();
  if (parser.parseLess() || parseField(parser, "name", /*isFirst=*/true) ||
      parser.parseString(&name) || parseField(parser, "access"))
    return {};
  FailureOr<Access> access = FieldParser<Access>::parse(parser);
  if (failed(access) || parseField(parser, "isView"))
    return {};
  FailureOr<bool> isView = FieldParser<bool>::parse(parser);
  if (failed(isView) || parseField(parser, "type") ||
      parser.parseString(&type) || parseField(parser, "leaves") ||
      parser.parseString(&leaf))
    return {};
  leaves.push_back(builder.getStringAttr(leaf));
  while (succeeded(parser.parseOptionalComma())) {
    if (succeeded(parser.parseOptionalString(&leaf))) {
      leaves.push_back(builder.getStringAttr(leaf));
      continue;
    }
    if (parseDims(parser, dims, pitch))
      return {};
    break;
  }
  if (parser.parseGreater())
    return {};
  return get(parser.getContext(), name, *access, *isView, type, leaves, dims,
             pitch);
}

void ParamAttr::print(AsmPrinter &printer) const {
  printer << "<name = ";
  printer.printString(getName());
  printer << ", access = " << stringifyAccess(getAccess())
          << ", isView = " << (getIsView() ? "true" : "false") << ", type = ";
  printer.printString(getType());
  printer << ", leaves = ";
  llvm::interleaveComma(getLeaves(), printer);
  if (!getDims().empty()) {
    printer << ", dims = ";
    llvm::interleaveComma(getDims(), printer);
  }
  if (getPitch() >= 0)
    printer << ", pitch = " << getPitch();
  printer << '>';
}

//===----------------------------------------------------------------------===//
// StructType
//===----------------------------------------------------------------------===//

Type StructType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  std::string name;
  uint64_t size = 0, alignment = 0;
  SmallVector<Type> leaves;
  SmallVector<uint64_t> offsets;
  auto parseLeaf = [&]() -> ParseResult {
    return failure(parser.parseType(leaves.emplace_back()) ||
                   parser.parseKeyword("at") ||
                   parser.parseInteger(offsets.emplace_back()));
  };
  if (parser.parseLess() || parser.parseString(&name) || parser.parseComma() ||
      parser.parseKeyword("size") || parser.parseEqual() ||
      parser.parseInteger(size) || parser.parseComma() ||
      parser.parseKeyword("align") || parser.parseEqual() ||
      parser.parseInteger(alignment) || parser.parseComma() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseLeaf) ||
      parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(),
                    name, size, alignment, leaves, offsets);
}

void StructType::print(AsmPrinter &printer) const {
  printer << "<\"" << getName() << "\", size = " << getSize()
          << ", align = " << getAlignment() << ", (";
  llvm::interleaveComma(
      llvm::zip(getLeaves(), getOffsets()), printer, [&](auto leaf) {
        printer << std::get<0>(leaf) << " at " << std::get<1>(leaf);
      });
  printer << ")>";
}

/// Size of a scalar or vector in memory, in bytes; 0 for any other type.
static uint64_t getLeafSize(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements() * getLeafSize(vector.getElementType());
  if (type.isIntOrFloat())
    return llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
  return 0;
}

LogicalResult StructType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 StringRef name, uint64_t size,
                                 uint64_t alignment, ArrayRef<Type> leaves,
                                 ArrayRef<uint64_t> offsets) {
  if (leaves.size() != offsets.size())
    return emitError() << "struct '" << name << "' has " << leaves.size()
                       << " leaves but " << offsets.size() << " offsets";
  if (!llvm::isPowerOf2_64(alignment))
    return emitError() << "alignment " << alignment << " of struct '" << name
                       << "' is not a power of two";
  for (auto [leaf, offset] : llvm::zip(leaves, offsets)) {
    uint64_t leafSize = getLeafSize(leaf);
    if (leafSize == 0)
      return emitError() << leaf << " cannot be a leaf of struct '" << name
                         << "'";
    if (offset + leafSize > size)
      return emitError() << "a leaf at byte " << offset << " of struct '"
                         << name << "' ends after its " << size << " bytes";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// ViewType
//===----------------------------------------------------------------------===//

Type ViewType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape;
  Type element;
  StringRef keyword;
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/true) ||
      parser.parseType(element) || parser.parseComma() ||
      parser.parseKeyword(&keyword) || parser.parseGreater())
    return {};
  std::optional<MemorySpace> space = symbolizeMemorySpace(keyword);
  if (!space) {
    parser.emitError(loc, "unknown memory space '" + keyword + "'");
    return {};
  }
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(),
                    shape, element, *space);
}

void ViewType::print(AsmPrinter &printer) const {
  printer << '<';
  for (int64_t extent : getShape()) {
    if (ShapedType::isDynamic(extent))
      printer << '?';
    else
      printer << extent;
    printer << 'x';
  }
  printer << getElementType() << ", " << stringifyMemorySpace(getSpace())
          << '>';
}

LogicalResult ViewType::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<int64_t> shape, Type elementType,
                               MemorySpace space) {
  if (!isa<StructType>(elementType) && getLeafSize(elementType) == 0)
    return emitError() << elementType << " cannot be the element of a view";
  for (int64_t extent : shape)
    if (extent < 0 && !ShapedType::isDynamic(extent))
      return emitError() << "extent " << extent << " of a view is negative";
  return success();
}

SmallVector<Type> ViewType::getLeafTypes() const {
  if (auto structType = dyn_cast<StructType>(getElementType()))
    return llvm::to_vector(structType.getLeaves());
  return {getElementType()};
}

uint64_t ViewType::getElementSize() const {
  if (auto structType = dyn_cast<StructType>(getElementType()))
    return structType.getSize();
  return getLeafSize(getElementType());
}

uint64_t ViewType::getElementAlignment() const {
  if (auto structType = dyn_cast<StructType>(getElementType()))
    return structType.getAlignment();
  return getLeafSize(getElementType());
}
