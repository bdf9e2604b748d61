# The install tree: what `cmake --install` copies, and the CMake package that
# gives `find_package(Coll)` the targets Coll::coll, Coll::collc. Nothing in it
# names the prefix, so that it can be moved. collc is installed by tools/.
include(CMakePackageConfigHelpers)

set(COLL_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Coll)

install(TARGETS coll EXPORT CollTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${PROJECT_SOURCE_DIR}/runtime/include/coll/coll.hpp
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/coll)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(EXPORT CollTargets NAMESPACE Coll:: DESTINATION ${COLL_PACKAGE_DIR})

configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/CollConfig.cmake.in
  ${CMAKE_BINARY_DIR}/cmake/CollConfig.cmake
  INSTALL_DESTINATION ${COLL_PACKAGE_DIR})
# Before 1.0, a minor version may change the API.
write_basic_package_version_file(
  ${CMAKE_BINARY_DIR}/cmake/CollConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_BINARY_DIR}/cmake/CollConfig.cmake
  ${CMAKE_BINARY_DIR}/cmake/CollConfigVersion.cmake
  DESTINATION ${COLL_PACKAGE_DIR})
