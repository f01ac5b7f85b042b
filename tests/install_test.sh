#!/usr/bin/env bash
# Installs a finished build to a fresh prefix, builds examples/hello_tool against it with find_package(toolpost) and talks to it.
# Usage: install_test.sh BUILD_DIRECTORY
set -euo pipefail

source_dir=$(cd "$(dirname "$0")/.." && pwd)
build_dir=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cache() { sed -n "s/^$1:[A-Z]*=//p" "$build_dir/CMakeCache.txt"; }

# A sanitised library needs a sanitised user; everything else must come from the package.
flags=$(cache CMAKE_CXX_FLAGS)
sanitize=$(cache TOOLPOST_SANITIZE)
[[ -n $sanitize ]] && flags+=" -fsanitize=$sanitize"
[[ $(cache TOOLPOST_COVERAGE) == ON ]] && flags+=" --coverage"

cmake --install "$build_dir" --prefix "$scratch/prefix" >"$scratch/install.log"
"$scratch/prefix/bin/toolpost" version

cp -r "$source_dir/examples/hello_tool" "$scratch/hello_tool"
cmake -S "$scratch/hello_tool" -B "$scratch/build" -G Ninja -DCMAKE_PREFIX_PATH="$scratch/prefix" \
  -DCMAKE_CXX_COMPILER="$(cache CMAKE_CXX_COMPILER)" -DCMAKE_CXX_FLAGS="$flags" >"$scratch/configure.log"
cmake --build "$scratch/build"
"$scratch/hello_tool/try.sh" "$scratch/build/hello_tool"
