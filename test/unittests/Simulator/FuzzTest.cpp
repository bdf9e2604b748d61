//===- FuzzTest.cpp - Damaged code objects --------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever the bytes of a code object are: loading gives an error, or its
// kernels run to some end. COLL_FUZZ_RUNS says how many damaged objects there
// are for each chip (default 1000), COLL_FUZZ_SEED with which seed (default 1),
// COLL_FUZZ_CHIPS for which chips ("gfx942,gfx1100").
//
//===----------------------------------------------------------------------===//

#include "ProgramMachine.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "gtest/gtest.h"
#include <random>

using namespace coll;
using namespace coll::sim;

/// Two kernels with arguments, a pointer that is relocated, private memory and
/// LDS.
static const char *const source = R"(
@a = internal addrspace(1) global [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@table = hidden addrspace(1) constant [2 x ptr addrspace(1)] [ptr addrspace(1) @a, ptr addrspace(1) @a]
@shared = internal addrspace(3) global [128 x i32] undef
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()
declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
declare void @llvm.amdgcn.s.barrier()
define amdgpu_kernel void @k(ptr addrspace(1) %out, i32 %n) #0 {
  %array = alloca [8 x i32], addrspace(5)
  %x = call i32 @llvm.amdgcn.workitem.id.x()
  %i = and i32 %x, 7
  %p = getelementptr i32, ptr addrspace(5) %array, i32 %i
  store volatile i32 %x, ptr addrspace(5) %p
  %v = load volatile i32, ptr addrspace(5) %p
  %hidden = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %blocks = load i32, ptr addrspace(4) %hidden
  %s = getelementptr i32, ptr addrspace(3) @shared, i32 %x
  store i32 %v, ptr addrspace(3) %s
  call void @llvm.amdgcn.s.barrier()
  %twin = xor i32 %x, 1
  %t = getelementptr i32, ptr addrspace(3) @shared, i32 %twin
  %w = load i32, ptr addrspace(3) %t
  %sum = add i32 %w, %blocks
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %sum, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @loads(ptr addrspace(1) %out, i64 %index) #0 {
  %g = call i32 @llvm.amdgcn.workgroup.id.x()
  %p = getelementptr ptr addrspace(1), ptr addrspace(1) @table, i64 %index
  %q = load ptr addrspace(1), ptr addrspace(1) %p
  %v = load i32, ptr addrspace(1) %q
  %old = atomicrmw add ptr addrspace(1) %out, i32 %v syncscope("agent") monotonic
  ret void
}
attributes #0 = { "amdgpu-flat-work-group-size"="1,100" }
)";

static unsigned long readNumber(const char *name, unsigned long otherwise) {
  const char *text = std::getenv(name);
  return text ? std::strtoul(text, nullptr, 0) : otherwise;
}

namespace {
/// A field of a structure of the file, in bytes.
struct Field {
  uint64_t offset;
  unsigned size;
};
} // namespace

#define FIELD(type, name)                                                      \
  Field { offsetof(llvm::ELF::type, name), sizeof(llvm::ELF::type::name) }

static constexpr Field headerFields[] = {
    {llvm::ELF::EI_CLASS, 1},       {llvm::ELF::EI_OSABI, 1},
    {llvm::ELF::EI_ABIVERSION, 1},  FIELD(Elf64_Ehdr, e_type),
    FIELD(Elf64_Ehdr, e_machine),   FIELD(Elf64_Ehdr, e_phoff),
    FIELD(Elf64_Ehdr, e_shoff),     FIELD(Elf64_Ehdr, e_flags),
    FIELD(Elf64_Ehdr, e_phentsize), FIELD(Elf64_Ehdr, e_phnum),
    FIELD(Elf64_Ehdr, e_shentsize), FIELD(Elf64_Ehdr, e_shnum),
    FIELD(Elf64_Ehdr, e_shstrndx)};
static constexpr Field segmentFields[] = {
    FIELD(Elf64_Phdr, p_type),   FIELD(Elf64_Phdr, p_flags),
    FIELD(Elf64_Phdr, p_offset), FIELD(Elf64_Phdr, p_vaddr),
    FIELD(Elf64_Phdr, p_filesz), FIELD(Elf64_Phdr, p_memsz),
    FIELD(Elf64_Phdr, p_align)};
static constexpr Field sectionFields[] = {
    FIELD(Elf64_Shdr, sh_name),   FIELD(Elf64_Shdr, sh_type),
    FIELD(Elf64_Shdr, sh_flags),  FIELD(Elf64_Shdr, sh_offset),
    FIELD(Elf64_Shdr, sh_size),   FIELD(Elf64_Shdr, sh_link),
    FIELD(Elf64_Shdr, sh_info),   FIELD(Elf64_Shdr, sh_addralign),
    FIELD(Elf64_Shdr, sh_entsize)};
static constexpr Field symbolFields[] = {
    FIELD(Elf64_Sym, st_name), FIELD(Elf64_Sym, st_info),
    FIELD(Elf64_Sym, st_shndx), FIELD(Elf64_Sym, st_value),
    FIELD(Elf64_Sym, st_size)};
static constexpr Field relocationFields[] = {FIELD(Elf64_Rela, r_offset),
                                             FIELD(Elf64_Rela, r_info),
                                             FIELD(Elf64_Rela, r_addend)};
/// Sizes of name and contents, and the type.
static constexpr Field noteFields[] = {{0, 4}, {4, 4}, {8, 4}};
/// Sizes of segments, the entry, the three resource words, properties, preload.
static constexpr Field descriptorFields[] = {{0, 4},  {4, 4},  {8, 4},
                                             {16, 8}, {44, 4}, {48, 4},
                                             {52, 4}, {56, 2}, {58, 2}};
static constexpr Field wordFields[] = {{0, 1}, {0, 2}, {0, 4}, {0, 8}};

namespace {
/// Makes damaged copies of an object.
class Damage {
public:
  Damage(llvm::StringRef object, uint64_t seed) : object(object), random(seed) {
    header = read<llvm::ELF::Elf64_Ehdr>(0);
    addTable(header.e_shoff, header.e_shnum, header.e_shentsize, sections);
    addTable(header.e_phoff, header.e_phnum, header.e_phentsize, segments);
    for (uint64_t at : sections)
      addSection(read<llvm::ELF::Elf64_Shdr>(at));
  }

  /// With damage in one to four places.
  std::string make() {
    bytes = object.str();
    for (uint64_t i = 1 + below(4); i != 0; --i)
      damageOnce();
    return bytes;
  }

private:
  /// Structures of one kind, and their fields.
  struct Table {
    std::vector<uint64_t> offsets;
    llvm::ArrayRef<Field> fields;
  };

  uint64_t below(uint64_t end) { return end ? random() % end : 0; }

  template <typename T> T read(uint64_t offset) const {
    T value = {};
    std::memcpy(&value, object.data() + offset, sizeof value);
    return value;
  }

  static void addTable(uint64_t begin, uint64_t count, uint64_t stride,
                       std::vector<uint64_t> &offsets) {
    for (uint64_t i = 0; i != count; ++i)
      offsets.push_back(begin + i * stride);
  }

  void addSection(const llvm::ELF::Elf64_Shdr &section) {
    using namespace llvm::ELF;
    uint64_t begin = section.sh_offset, size = section.sh_size;
    switch (section.sh_type) {
    case SHT_NULL:
    case SHT_NOBITS:
      return;
    case SHT_NOTE:
      notes.push_back(begin);
      break;
    case SHT_RELA:
      addTable(begin, size / sizeof(Elf64_Rela), sizeof(Elf64_Rela),
               relocations);
      break;
    case SHT_DYNSYM:
      addTable(begin, size / sizeof(Elf64_Sym), sizeof(Elf64_Sym), symbols);
      break;
    default:
      // Read-only data is where the descriptors are, at its address.
      if (section.sh_flags == SHF_ALLOC && section.sh_type == SHT_PROGBITS)
        addTable(begin, size / 64, 64, descriptors);
    }
    addTable(begin, size / 4, 4, words);
  }

  void damageOnce() {
    switch (below(5)) {
    case 0:
      if (below(4) == 0)
        bytes.resize(below(bytes.size()));
      return;
    case 1:
      for (uint64_t i = 1 + below(8); i != 0 && !bytes.empty(); --i)
        bytes[below(bytes.size())] ^= static_cast<char>(1 << below(8));
      return;
    case 2:
      for (uint64_t i = 1 + below(8); i != 0 && !bytes.empty(); --i)
        bytes[below(bytes.size())] = static_cast<char>(random());
      return;
    default:
      damageField();
    }
  }

  void damageField() {
    const Table tables[] = {
        {{0}, headerFields},       {segments, segmentFields},
        {sections, sectionFields}, {symbols, symbolFields},
        {notes, noteFields},       {relocations, relocationFields},
        {words, wordFields},       {descriptors, descriptorFields}};
    const Table &table = tables[below(std::size(tables))];
    if (table.offsets.empty())
      return;
    Field field = table.fields[below(table.fields.size())];
    field.offset += table.offsets[below(table.offsets.size())];
    if (field.offset + field.size > bytes.size())
      return;
    uint64_t value = 0;
    std::memcpy(&value, bytes.data() + field.offset, field.size);
    value = choose(value);
    std::memcpy(bytes.data() + field.offset, &value, field.size);
  }

  /// Another value for a field: one near the old one or near a limit, or any.
  uint64_t choose(uint64_t old) {
    const uint64_t near[] = {0,
                             1,
                             ~uint64_t(0),
                             uint64_t(1) << below(64),
                             old,
                             bytes.size(),
                             random(),
                             below(1 << 16)};
    return near[below(std::size(near))] + below(17) - 8;
  }

  llvm::StringRef object;
  std::mt19937_64 random;
  std::string bytes;
  llvm::ELF::Elf64_Ehdr header;
  std::vector<uint64_t> segments, sections, symbols, notes, relocations,
      descriptors, words;
};
} // namespace

/// True if the object was loaded; then its kernels have run.
static bool loadAndRun(llvm::StringRef object, const Target &target) {
  DeviceMemory memory(1 << 27);
  auto program = Program::load(
      {reinterpret_cast<const uint8_t *>(object.data()), object.size()}, target,
      memory);
  if (!program) {
    EXPECT_NE(toString(program.takeError()), "");
    return false;
  }
  uint64_t out = *memory.allocate(1024);
  for (const KernelInfo &kernel : (*program)->getKernels()) {
    std::vector<uint8_t> arguments(kernel.getExplicitBytes());
    if (arguments.size() >= sizeof out)
      std::memcpy(arguments.data(), &out, sizeof out);
    LaunchOptions options;
    options.grid = {2, 1, 1};
    options.block = {100, 1, 1};
    options.threads = 1;
    options.instructionLimit = 20000;
    auto result = (*program)->launch(kernel, arguments, options);
    if (!result)
      EXPECT_NE(toString(result.takeError()), "");
    else if (result->fault)
      EXPECT_NE(result->fault->str(), "");
  }
  return true;
}

TEST(Fuzz, DamagedObjectsGiveErrors) {
  unsigned long runs = readNumber("COLL_FUZZ_RUNS", 1000);
  unsigned long seed = readNumber("COLL_FUZZ_SEED", 1);
  const char *text = std::getenv("COLL_FUZZ_CHIPS");
  llvm::SmallVector<llvm::StringRef> chips;
  llvm::StringRef(text ? text : "gfx90a,gfx1100,gfx1201").split(chips, ',');
  for (llvm::StringRef chip : chips) {
    std::string object = compile(chip, source);
    Target target = cantFail(Target::parse(chip));
    ASSERT_TRUE(loadAndRun(object, target)) << chip.str();
    Damage damage(object, seed);
    unsigned long loaded = 0;
    for (unsigned long i = 0; i != runs; ++i) {
      SCOPED_TRACE(chip.str() + ", run " + std::to_string(i));
      loaded += loadAndRun(damage.make(), target);
    }
    // Some damage is not seen at once, and some is.
    EXPECT_GT(loaded, runs / 100) << chip.str();
    EXPECT_LT(loaded, runs - runs / 100) << chip.str();
  }
}
