# The long steps of `./test.sh --full`. Sourced by test.sh.

# clang-tidy over every source file of ours, with the flags of a dev build by clang. Nearly all its time goes into the headers, so it
# reads up to ten files of a target as one. Such a batch may fail for names that occur in two of its files; the verdict is that of its
# files, one by one. What was found clean is not read again as long as the compiler sees the same text.
run_clang_tidy() {
  local flags=(-D CMAKE_CXX_COMPILER=clang++ -D CMAKE_DISABLE_PRECOMPILE_HEADERS=ON -D TOOLPOST_FUZZ=ON) batches sources unknown
  cmake --preset dev -B build/tidy "${flags[@]}" >/dev/null || return 1
  cmake --preset dev -B build/tidy/batches "${flags[@]}" -D CMAKE_UNITY_BUILD=ON -D CMAKE_UNITY_BUILD_BATCH_SIZE=10 >/dev/null || return 1
  mapfile -t batches < <(sed -nE 's/^ *"file": "(.*)",?$/\1/p' build/tidy/batches/compile_commands.json)
  unknown=$(find "$PWD"/{src,examples,bench,tests} \( -name node_modules -o -path '*/bench/work' \) -prune -o -name '*.cc' -print |
    grep -vxFf <(sources_of "${batches[@]}"))
  [[ -z $unknown ]] || { printf 'not part of the build:\n%s\n' "$unknown" >&2; return 1; }
  export -f sources_of tidy
  mapfile -t sources < <(printf '%s\0' "${batches[@]}" | xargs -0 -n 1 -P 2 bash -c \
    'tidy build/tidy/batches "$0" --checks=-bugprone-suspicious-include >/dev/null 2>&1 || sources_of "$0"')
  ((${#sources[@]} == 0)) || printf '%s\0' "${sources[@]}" | xargs -0 -n 1 -P 2 bash -c \
    'findings=$(tidy build/tidy "$0" 2>&1) || { printf "%s: not clean\n%s\n" "$0" "$findings"; exit 1; }'
}
# tidy BUILD FILE OPTION…: clang-tidy over one file of a build.
tidy() {
  local build=$1 file=$2 known
  shift 2
  known=${XDG_CACHE_HOME:-$HOME/.cache}/toolpost-tidy/$({
    clang-tidy --version
    cat .clang-tidy
    jq -r --arg file "$file" '.[] | select(.file == $file) | .command' "$build/compile_commands.json" |
      sed 's/ -o [^ ]* -c / -E -C -P -o - /' | bash
  } | sha256sum | cut -d ' ' -f 1)
  [[ -e $known ]] || { clang-tidy --quiet "$@" -p "$build" "$file" && mkdir -p "${known%/*}" && touch "$known"; }
}
# sources_of BATCH…: the files a generated batch includes.
sources_of() {
  sed -nE 's/^#include "(.*)"$/\1/p' /dev/null "$@"
}

# Every fuzz_* program for N seconds (that of the T-SQL guard for ten million inputs: no transaction of the server stands behind it),
# starting from its corpus in git; what it finds goes to a scratch folder.
run_fuzzers() {
  local seconds=$1 target name scratch log status=0 targets limit
  cmake --preset fuzz >/dev/null && cmake --build --preset fuzz || return 1
  mapfile -t targets < <(find build/fuzz -type f -executable -name 'fuzz_*')
  ((${#targets[@]})) || { echo 'no fuzz target was built' >&2; return 1; }
  mkdir -p build/fuzz/findings
  for target in "${targets[@]}"; do
    name=${target##*/}
    log=build/fuzz/findings/$name.log
    scratch=$(mktemp -d)
    limit=(-max_total_time="$seconds")
    if [[ $name == fuzz_tsql_guard ]]; then limit=(-runs=10000000 -max_len=200); fi
    printf -- '-- %s %s\n' "$name" "${limit[*]}"
    if "$target" "${limit[@]}" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
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
