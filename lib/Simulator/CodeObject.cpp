//===- CodeObject.cpp - A code object in device memory --------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeObject.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELF.h"
#include <cstring>

using namespace coll;
using namespace coll::sim;
using namespace llvm;
using object::ELF64LE;
using File = object::ELFFile<ELF64LE>;

/// More than any code object of ours; keeps damaged files from asking for all
/// memory.
static constexpr uint64_t maxImageBytes = 64 << 20;

static Error checkHeader(const File &file) {
  const File::Elf_Ehdr &header = file.getHeader();
  if (header.e_machine != ELF::EM_AMDGPU)
    return createStringError("the file is no AMDGPU code object");
  uint8_t version = header.e_ident[ELF::EI_ABIVERSION];
  if (header.e_ident[ELF::EI_OSABI] != ELF::ELFOSABI_AMDGPU_HSA ||
      (version != ELF::ELFABIVERSION_AMDGPU_HSA_V5 &&
       version != ELF::ELFABIVERSION_AMDGPU_HSA_V6))
    return createStringError(
        "the code object is of ABI version " + Twine(version) +
        ", expected 3 or 4 (code object version 5 or 6) for HSA");
  if (header.e_type != ELF::ET_DYN)
    return createStringError("the code object is not linked");
  return Error::success();
}

/// The bytes that the segments take from the file.
static Expected<ArrayRef<uint8_t>> getContents(const File &file,
                                               const File::Elf_Phdr &segment) {
  if (segment.p_offset > file.getBufSize() ||
      segment.p_filesz > file.getBufSize() - segment.p_offset ||
      segment.p_filesz > segment.p_memsz || segment.p_vaddr > maxImageBytes ||
      segment.p_memsz > maxImageBytes - segment.p_vaddr)
    return createStringError("a segment of the code object is damaged");
  return ArrayRef<uint8_t>(file.base() + segment.p_offset, segment.p_filesz);
}

static Error loadSegments(const File &file, CodeObject &object,
                          DeviceMemory &memory) {
  auto segments = file.program_headers();
  if (!segments)
    return segments.takeError();
  for (const File::Elf_Phdr &segment : *segments) {
    if (segment.p_type != ELF::PT_LOAD)
      continue;
    if (auto contents = getContents(file, segment); !contents)
      return contents.takeError();
    object.size =
        std::max<uint64_t>(object.size, segment.p_vaddr + segment.p_memsz);
  }
  std::optional<uint64_t> base = memory.allocate(object.size);
  if (!base)
    return createStringError("out of memory for a code object of " +
                             Twine(object.size) + " bytes");
  object.base = *base;
  uint8_t *image = memory.find(*base, object.size);
  if (object.size)
    std::memset(image, 0, object.size);
  for (const File::Elf_Phdr &segment : *segments) {
    if (segment.p_type != ELF::PT_LOAD)
      continue;
    ArrayRef<uint8_t> contents = cantFail(getContents(file, segment));
    if (!contents.empty())
      std::memcpy(image + segment.p_vaddr, contents.data(), contents.size());
    if (!(segment.p_flags & ELF::PF_X))
      continue;
    AddressRange range = {*base + segment.p_vaddr,
                          *base + segment.p_vaddr + segment.p_memsz};
    bool isFirst = object.code.begin == object.code.end;
    object.code.begin =
        isFirst ? range.begin : std::min(object.code.begin, range.begin);
    object.code.end = std::max(object.code.end, range.end);
  }
  return Error::success();
}

static Error relocate(const File &file, const CodeObject &object,
                      DeviceMemory &memory, const File::Elf_Shdr &section) {
  auto relocations = file.relas(section);
  if (!relocations)
    return relocations.takeError();
  for (const File::Elf_Rela &relocation : *relocations) {
    if (relocation.r_offset > object.size ||
        object.size - relocation.r_offset < 8)
      return createStringError("a relocation is outside of the code object");
    if (relocation.getType(false) != ELF::R_AMDGPU_RELATIVE64)
      return createStringError("relocations of type " +
                               Twine(relocation.getType(false)) +
                               " are not supported yet");
    uint64_t value = object.base + relocation.r_addend;
    std::memcpy(memory.find(object.base + relocation.r_offset, 8), &value, 8);
  }
  return Error::success();
}

static Expected<StringRef> findMetadata(const File &file) {
  auto segments = file.program_headers();
  if (!segments)
    return segments.takeError();
  for (const File::Elf_Phdr &segment : *segments) {
    if (segment.p_type != ELF::PT_NOTE)
      continue;
    Error error = Error::success();
    std::optional<StringRef> blob;
    for (const File::Elf_Note &note : file.notes(segment, error))
      if (!blob && note.getName() == "AMDGPU" &&
          note.getType() == ELF::NT_AMDGPU_METADATA)
        blob = note.getDescAsStringRef(segment.p_align);
    if (error)
      return std::move(error);
    if (blob)
      return *blob;
  }
  return createStringError("the code object has no metadata");
}

/// Fills in where the kernels' descriptors are.
static Error findDescriptors(const File &file, CodeObject &object,
                             const File::Elf_Shdr &section) {
  auto symbols = file.symbols(&section);
  if (!symbols)
    return symbols.takeError();
  auto names = file.getStringTableForSymtab(section);
  if (!names)
    return names.takeError();
  for (const File::Elf_Sym &symbol : *symbols) {
    auto name = symbol.getName(*names);
    if (!name)
      return name.takeError();
    for (KernelInfo &kernel : object.kernels) {
      if (kernel.symbol != *name)
        continue;
      if (symbol.st_value > object.size || object.size - symbol.st_value < 64)
        return createStringError("the descriptor of kernel '" + kernel.name +
                                 "' is outside of the code object");
      kernel.descriptorAddress = object.base + symbol.st_value;
    }
  }
  return Error::success();
}

static Error load(const File &file, const coll::Target &target,
                  DeviceMemory &memory, CodeObject &object) {
  Expected<StringRef> blob = findMetadata(file);
  if (!blob)
    return blob.takeError();
  Expected<std::vector<KernelInfo>> kernels = readMetadata(*blob, target);
  if (!kernels)
    return kernels.takeError();
  object.kernels = std::move(*kernels);
  if (Error error = loadSegments(file, object, memory))
    return error;
  auto sections = file.sections();
  if (!sections)
    return sections.takeError();
  for (const File::Elf_Shdr &section : *sections) {
    if (section.sh_type == ELF::SHT_RELA)
      if (Error error = relocate(file, object, memory, section))
        return error;
    if (section.sh_type == ELF::SHT_DYNSYM)
      if (Error error = findDescriptors(file, object, section))
        return error;
  }
  for (const KernelInfo &kernel : object.kernels)
    if (!kernel.descriptorAddress)
      return createStringError("kernel '" + kernel.name +
                               "' has no descriptor '" + kernel.symbol + "'");
  return Error::success();
}

Expected<CodeObject> coll::sim::loadCodeObject(ArrayRef<uint8_t> bytes,
                                               const coll::Target &target,
                                               DeviceMemory &memory) {
  StringRef text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  if (!text.starts_with("\177ELF\2\1"))
    return createStringError("the file is no AMDGPU code object");
  Expected<File> file = File::create(text);
  if (!file)
    return file.takeError();
  if (Error error = checkHeader(*file))
    return std::move(error);
  CodeObject object;
  if (Error error = load(*file, target, memory, object)) {
    if (object.base)
      memory.free(object.base);
    return std::move(error);
  }
  return object;
}
