# The long steps of `./test.sh --full`. Sourced by test.sh.

# clang-tidy over every source file of ours, with the flags of a dev build by clang: it cannot read GCC's precompiled headers.
run_clang_tidy() {
  cmake --preset dev -B build/tidy -D CMAKE_CXX_COMPILER=clang++ -D CMAKE_DISABLE_PRECOMPILE_HEADERS=ON >/dev/null || return 1
  find src examples bench tests -name '*.cc' -not -path '*/node_modules/*' -not -path 'bench/work/*' -print0 |
    xargs -0 -n 4 -P 2 clang-tidy --quiet -p build/tidy 2>/dev/null
}

# Every fuzz_* program for N seconds, starting from its corpus in git; what it finds goes to a scratch folder.
run_fuzzers() {
  local seconds=$1 target name scratch log status=0 targets
  cmake --preset fuzz >/dev/null && cmake --build --preset fuzz || return 1
  mapfile -t targets < <(find build/fuzz -type f -executable -name 'fuzz_*')
  ((${#targets[@]})) || { echo 'no fuzz target was built' >&2; return 1; }
  mkdir -p build/fuzz/findings
  for target in "${targets[@]}"; do
    name=${target##*/}
    log=build/fuzz/findings/$name.log
    scratch=$(mktemp -d)
    printf -- '-- %s for %s s\n' "$name" "$seconds"
    if "$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
      -artifact_prefix="build/fuzz/findings/$name-" "$scratch" "tests/fuzz/corpus/${name#fuzz_}" >"$log" 2>&1; then
      grep '^stat::number_of_executed_units' "$log"
    else
      tail -n 40 "$log"
      status=1
    fi
    rm -rf "$scratch"
  done
  return $status
}
