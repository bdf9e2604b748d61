# coll_add_library(NAME LAYER n SOURCES ... [LINK ...] [MLIR] [DEPENDS ...])
#
# One component of the compiler as a static library. Data flows one way: a
# library may link coll libraries of lower layers only, and a wrong edge is an
# error at configure time. MLIR says that the sources include MLIR headers; they
# then share one precompiled header.
function(coll_add_library name)
  cmake_parse_arguments(ARG "MLIR" "LAYER" "SOURCES;LINK;DEPENDS" ${ARGN})
  if(NOT DEFINED ARG_LAYER)
    message(FATAL_ERROR "coll_add_library(${name}): LAYER is missing")
  endif()
  add_library(${name} STATIC ${ARG_SOURCES})
  set_target_properties(${name} PROPERTIES COLL_LAYER ${ARG_LAYER})
  foreach(lib IN LISTS ARG_LINK)
    if(TARGET ${lib})
      get_target_property(layer ${lib} COLL_LAYER)
      if(NOT layer STREQUAL "layer-NOTFOUND" AND NOT layer LESS ARG_LAYER)
        message(FATAL_ERROR "${name} (layer ${ARG_LAYER}) must not use ${lib} (layer ${layer})")
      endif()
    endif()
  endforeach()
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  if(ARG_MLIR)
    add_dependencies(${name} CollDialectIncGen)
    target_precompile_headers(${name} REUSE_FROM CollMLIRPrecompiled)
  endif()
  coll_compile_options(${name})
endfunction()

# Warnings and sanitizers of every target of this project.
function(coll_compile_options name)
  target_compile_options(${name} PRIVATE -Wall -Wextra -Wno-unused-parameter -Wno-deprecated-declarations
    $<$<BOOL:${COLL_WERROR}>:-Werror>)
  if(COLL_SANITIZE)
    target_compile_options(${name} PRIVATE -fsanitize=${COLL_SANITIZE} -fno-omit-frame-pointer
      -fno-sanitize-recover=all
      # Drivers are called through declarations of our own.
      -fno-sanitize=function)
    target_link_options(${name} PRIVATE -fsanitize=${COLL_SANITIZE})
  endif()
endfunction()

# coll_add_tool(NAME SOURCES ... LINK ...)
function(coll_add_tool name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINK})
  coll_compile_options(${name})
endfunction()

# coll_add_unittest(NAME SOURCES ... LINK ...): a GoogleTest program that the
# suite runs as one test.
function(coll_add_unittest name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} EXCLUDE_FROM_ALL ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest GTest::gtest_main)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/test/unittests)
  coll_compile_options(${name})
  add_dependencies(CollUnitTests ${name})
endfunction()
