# toolpost_library(<folder> SOURCES … LINK … PRIVATE_LINK … TESTS …)
# One static library tp_<folder> per folder of src/, and its tests as <folder>_tests. LINK names only folders to the left of it in
# docs/architecture.md.
function(toolpost_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK;PRIVATE_LINK;TESTS" ${ARGN})
  add_library(tp_${name} STATIC ${arg_SOURCES})
  target_include_directories(tp_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(tp_${name} PUBLIC cxx_std_20)
  target_link_libraries(tp_${name} PUBLIC ${arg_LINK} PRIVATE ${arg_PRIVATE_LINK})
  toolpost_precompile(tp_${name} tp_base <boost/json.hpp> <functional> <map> <memory> <mutex> <string> <vector>)
  set_property(GLOBAL APPEND PROPERTY TOOLPOST_LIBRARIES tp_${name})
  if(TOOLPOST_DEVELOPER AND arg_TESTS)
    toolpost_test(${name}_tests SOURCES ${arg_TESTS} LINK tp_${name})
  endif()
endfunction()

# The headers every file parses anyway, parsed once: by `first`, reused by the others.
function(toolpost_precompile target first)
  if(target STREQUAL first)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  else()
    target_precompile_headers(${target} REUSE_FROM ${first})
  endif()
endfunction()

# The one place that is compiled with the project's path: all else is the same in every clone.
add_library(source_directory STATIC ${PROJECT_SOURCE_DIR}/src/base/source_directory_fixture.cc)
target_include_directories(source_directory PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_compile_definitions(source_directory PRIVATE TOOLPOST_SOURCE_DIR="${PROJECT_SOURCE_DIR}")

# toolpost_test(<name> SOURCES … LINK … [OWN_DEFINITIONS]): a GoogleTest executable as one ctest. OWN_DEFINITIONS: the caller adds compile
# definitions, so that it cannot share the precompiled header. With TOOLPOST_TEST_BATCH several files are one for the compiler, for which
# the templates they all use are most of the work: what stands in their anonymous namespaces needs different names.
include(GoogleTest)
function(toolpost_test name)
  cmake_parse_arguments(arg "OWN_DEFINITIONS" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LINK} source_directory GTest::gmock GTest::gtest_main)
  if(NOT arg_OWN_DEFINITIONS)
    toolpost_precompile(${name} base_tests <boost/json.hpp> <gmock/gmock.h> <gtest/gtest.h> <functional> <map> <memory>)
  endif()
  if(TOOLPOST_TEST_BATCH GREATER 0)
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${TOOLPOST_TEST_BATCH})
  endif()
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS unit TIMEOUT 600)
endfunction()
