# Compiler cache, linker, warnings, hardening and instrumentation: everything that is not about what is built.
find_program(ccache_program ccache)
if(ccache_program)
  # Precompiled headers are cacheable only with this sloppiness; we use no __TIME__. With paths relative to the project, one clone
  # profits from what another has compiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros
    CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${ccache_program})
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endif()
find_program(mold_program mold)
if(mold_program AND NOT CMAKE_INTERPROCEDURAL_OPTIMIZATION)
  add_link_options(-fuse-ld=mold)
endif()

# Nothing that is built says where.
add_compile_options(-ffile-prefix-map=${CMAKE_SOURCE_DIR}=.)
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Werror -fno-plt
  -Wno-missing-field-initializers)  # a designated initialiser may leave members at their defaults
add_compile_definitions(BOOST_ASIO_NO_DEPRECATED BOOST_BEAST_USE_STD_STRING_VIEW)

if(CMAKE_BUILD_TYPE STREQUAL "Release")
  # GCC 12 reports bounds of moved std::string temporaries that are none.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-array-bounds -Wno-restrict -Wno-stringop-overflow)
  endif()
  add_compile_options(-fstack-protector-strong -D_FORTIFY_SOURCE=2 -ffunction-sections -fdata-sections)
  add_link_options(-Wl,-z,relro,-z,now,-z,pack-relative-relocs -Wl,--gc-sections)
endif()
if(TOOLPOST_SANITIZE)
  add_compile_options(-fsanitize=${TOOLPOST_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # It sees uninitialised values in the code that sanitizers add to the standard library's.
    add_compile_options(-Wno-maybe-uninitialized)
  endif()
  if(TOOLPOST_SANITIZE MATCHES "thread")
    # ThreadSanitizer does not understand the memory fences of Asio, which each of our loops could do without.
    add_compile_definitions(BOOST_ASIO_DISABLE_FENCED_BLOCK)
  endif()
  add_link_options(-fsanitize=${TOOLPOST_SANITIZE})
endif()
if(TOOLPOST_COVERAGE)
  add_compile_options(--coverage -fprofile-update=atomic)
  add_link_options(--coverage)
endif()
if(TOOLPOST_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
