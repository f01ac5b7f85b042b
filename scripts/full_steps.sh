# The long steps of `./test.sh --full`. Sourced by test.sh.

# clang-tidy over every source file of ours, with the flags of a dev build by clang. Nearly all its time goes into the headers, so it
# reads up to ten files of a target as one. Such a batch may fail for names that occur in two of its files; the verdict is that of its
# files, one by one. What was found clean is not read again as long as the compiler sees the same text.
run_clang_tidy() {
  local batches sources unknown
  local flags=(-D CMAKE_CXX_COMPILER=clang++ -D CMAKE_DISABLE_PRECOMPILE_HEADERS=ON -D TOOLPOST_TEST_BATCH=0 -D TOOLPOST_FUZZ=ON)
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
# sources_of BATCH…: the files a generated batch includes. A file with flags of its own is in no batch: it stands for itself.
sources_of() {
  local batch
  for batch; do
    if [[ $batch == */unity_* ]]; then sed -nE 's/^#include "(.*)"$/\1/p' "$batch"; else printf '%s\n' "$batch"; fi
  done
}

# Every fuzz_* program for N seconds, two at a time. That of the T-SQL guard, which no transaction of the server stands behind, goes first
# and takes five million inputs, each of which the guard reads in two spellings: ten million executions.
run_fuzzers() {
  local targets
  cmake --preset fuzz >/dev/null && cmake --build --preset fuzz || return 1
  mapfile -t targets < <(find build/fuzz -type f -executable -name 'fuzz_*' | sort --reverse)
  ((${#targets[@]})) || { echo 'no fuzz target was built' >&2; return 1; }
  mkdir -p build/fuzz/findings
  export -f fuzz
  printf '%s\0' build/fuzz/tests/fuzz/fuzz_tsql_guard "${targets[@]}" | awk 'BEGIN {RS = ORS = "\0"} !seen[$0]++' |
    xargs -0 -n 1 -P 2 bash -c 'fuzz "$1" "$0"' "$1"
}
# fuzz PROGRAM SECONDS: starts from the corpus in git; what it finds goes to a scratch folder.
fuzz() {
  local name=${1##*/} limit=(-max_total_time="$2") log scratch status=0
  log=build/fuzz/findings/$name.log
  scratch=$(mktemp -d)
  if [[ $name == fuzz_tsql_guard ]]; then limit=(-runs=5000000 -max_len=200); fi
  "$1" "${limit[@]}" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix="build/fuzz/findings/$name-" \
    "$scratch" "tests/fuzz/corpus/${name#fuzz_}" >"$log" 2>&1 || status=1
  printf -- '-- %s %s: %s\n' "$name" "${limit[*]}" "$(grep '^stat::number_of_executed_units' "$log")"
  ((status == 0)) || tail -n 40 "$log"
  rm -rf "$scratch"
  return $status
}
