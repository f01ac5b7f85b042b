#!/usr/bin/env bash
# Runs what the documents tell people to type. Every block marked `<!-- tested -->` in README.md, CONTRIBUTING.md and docs/*.md is
# executed: `sh` blocks by bash against a server started for this test, `toml` blocks by `toolpost config check`, `json` blocks
# are parsed. Port 3001 in a block stands for the port of that server, build/release/toolpost for the binary under test.
# Usage: tests/docs_test.sh PATH-TO-TOOLPOST
set -euo pipefail
toolpost=$(realpath "${1:?usage: tests/docs_test.sh PATH-TO-TOOLPOST}")
cd "$(dirname "$0")/.."

scratch=$(mktemp -d)
server=
cleanup() {
  if [[ -n $server ]]; then kill "$server" 2>/dev/null || true; fi
  rm -rf "$scratch"
}
trap cleanup EXIT
export HOME=$scratch/home TOOLPOST_STATE_DIR=$scratch/state PATH=$scratch/bin:$PATH
unset MCP_TRANSPORT MCP_HOST MCP_PORT
mkdir -p "$scratch/bin" "$scratch/blocks" "$HOME"
ln -s "$toolpost" "$scratch/bin/toolpost"

awk -v folder="$scratch/blocks" '
/^```/ {
  if (out != "") { close(out); out = ""; next }
  if (previous == "<!-- tested -->") {
    language = substr($0, 4); sub(/ .*/, "", language)
    name = FILENAME; gsub(/[\/.]/, "_", name)
    out = sprintf("%s/%s_%04d.%s", folder, name, FNR, language)
    next
  }
}
{ if (out != "") print > out; previous = $0 }' README.md CONTRIBUTING.md docs/*.md

: >"$scratch/log"  # the server opens it when it runs, which may be after the first look at it
toolpost serve --port 0 2>"$scratch/log" &
server=$!
port=
for _ in $(seq 100); do
  port=$(sed -nE 's|.*http://127\.0\.0\.1:([0-9]+)/mcp.*|\1|p' "$scratch/log" | head -n 1)
  [[ -n $port ]] && break
  kill -0 "$server" 2>/dev/null || break
  sleep 0.1
done
if [[ -z $port ]]; then
  echo 'the server did not start:' >&2
  cat "$scratch/log" >&2
  exit 1
fi

run_block() {
  case $1 in
    *.sh) (mkdir -p "$1.d" && cd "$1.d" && bash -euo pipefail "$1") ;;
    *.toml) toolpost config check --config "$1" ;;
    *.json) node -e 'JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"))' "$1" ;;
    *) echo "no way to test a ${1##*.} block" >&2; return 1 ;;
  esac
}

count=0
status=0
for block in "$scratch"/blocks/*.*; do
  [[ -f $block ]] || continue
  sed -i -E "s/\b3001\b/$port/g; s#(\./)?build/release/toolpost#toolpost#g" "$block"
  count=$((count + 1))
  if run_block "$block" >"$scratch/out" 2>&1 </dev/null; then
    printf 'ok      %s\n' "${block##*/}"
  else
    printf 'FAILED  %s\n' "${block##*/}"
    cat "$block" "$scratch/out"
    status=1
  fi
done
((count > 0)) || { echo 'no tested block was found' >&2; exit 1; }
printf '%d blocks\n' "$count"
exit $status
