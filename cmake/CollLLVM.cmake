# Finds LLVM, MLIR and LLD 22, and makes their CMake targets link the way this
# build wants: all static by default (a static collc starts in under 15 ms; the
# shared libraries cost 40 ms a start), or all shared with COLL_LINK_SHARED.
# The two must never mix: two copies of LLVM in one process register everything
# twice.

set(COLL_LLVM_MAJOR 22)
find_package(MLIR CONFIG QUIET PATHS /usr/lib/llvm-${COLL_LLVM_MAJOR}/lib/cmake/mlir)
if(NOT MLIR_FOUND)
  message(FATAL_ERROR "Coll needs MLIR ${COLL_LLVM_MAJOR} and found none. On Debian: apt-get install "
          "llvm-22-dev libmlir-22-dev mlir-22-tools llvm-22-tools liblld-22-dev libpolly-22-dev; "
          "elsewhere pass -DMLIR_DIR=<prefix>/lib/cmake/mlir.")
endif()
if(NOT LLVM_VERSION_MAJOR EQUAL COLL_LLVM_MAJOR)
  message(FATAL_ERROR "Coll is built on LLVM and MLIR ${COLL_LLVM_MAJOR}; ${MLIR_DIR} is of LLVM "
          "${LLVM_VERSION_MAJOR}. Pass -DMLIR_DIR=<prefix of LLVM ${COLL_LLVM_MAJOR}>/lib/cmake/mlir.")
endif()
find_package(LLD CONFIG QUIET PATHS ${LLVM_DIR}/../lld)
if(NOT LLD_FOUND)
  message(FATAL_ERROR "Coll links AMDGPU code objects with LLD ${COLL_LLVM_MAJOR} as a library and found none "
          "(Debian: apt-get install liblld-22-dev).")
endif()
message(STATUS "Using LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_DIR}")

list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
include(TableGen)
include(AddLLVM)
include(AddMLIR)

# The LLVM components that the compiler uses.
set(COLL_LLVM_COMPONENTS
    AMDGPUAsmParser AMDGPUCodeGen AMDGPUDesc AMDGPUDisassembler AMDGPUInfo
    NVPTXCodeGen NVPTXDesc NVPTXInfo
    Analysis AsmParser BinaryFormat BitReader BitWriter CodeGen Core IPO IRReader
    InstCombine Linker MC MCParser Object Option Passes ScalarOpts Support Target
    TargetParser TransformUtils Vectorize FrontendOpenMP FrontendOffloading DebugInfoDWARF DTLTO LTO)

if(COLL_LINK_SHARED)
  set(COLL_LLVM_LIBS LLVM)
else()
  llvm_map_components_to_libnames(COLL_LLVM_LIBS ${COLL_LLVM_COMPONENTS})
  # Debian's static MLIR and LLD archives name libLLVM.so as their dependency.
  get_property(mlir_libs GLOBAL PROPERTY MLIR_ALL_LIBS)
  foreach(target IN LISTS mlir_libs ITEMS lldELF lldCommon)
    if(TARGET ${target})
      get_target_property(links ${target} INTERFACE_LINK_LIBRARIES)
      if(links)
        list(TRANSFORM links REPLACE "^LLVM$" "COLL_LLVM_PLACEHOLDER")
        list(TRANSFORM links REPLACE "^\\$<LINK_ONLY:LLVM>$" "COLL_LLVM_PLACEHOLDER")
        if("COLL_LLVM_PLACEHOLDER" IN_LIST links)
          list(REMOVE_ITEM links COLL_LLVM_PLACEHOLDER)
          list(APPEND links ${COLL_LLVM_LIBS})
        endif()
        set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${links}")
      endif()
    endif()
  endforeach()
endif()
