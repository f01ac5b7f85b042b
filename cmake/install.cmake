# `cmake --install` lays out the binary, the headers and a package, so that `find_package(toolpost)` gives toolpost::toolpost.
include(CMakePackageConfigHelpers)

get_property(libraries GLOBAL PROPERTY TOOLPOST_LIBRARIES)
add_library(toolpost_interface INTERFACE)
set_target_properties(toolpost_interface PROPERTIES EXPORT_NAME toolpost)
target_link_libraries(toolpost_interface INTERFACE ${libraries})

install(TARGETS toolpost RUNTIME)
install(TARGETS toolpost_interface ${libraries} EXPORT toolpost-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/toolpost)
install(DIRECTORY include/toolpost DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT toolpost-targets NAMESPACE toolpost:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/toolpost)
configure_package_config_file(cmake/toolpost-config.cmake.in toolpost-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/toolpost)
write_basic_package_version_file(toolpost-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/toolpost-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/toolpost-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/toolpost)
