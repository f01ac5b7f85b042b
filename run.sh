#!/usr/bin/env bash
# Installs what the build needs (Debian 12), builds toolpost and starts it.
#   ./run.sh                 serve on http://127.0.0.1:3001/mcp
#   ./run.sh --port 4000     further arguments go to `toolpost serve`
#   ./run.sh --build-only    stop after the build
set -euo pipefail
cd "$(dirname "$0")"
source scripts/packages.sh

build_only=false
if [[ ${1:-} == --build-only ]]; then
  build_only=true
  shift
fi

install_packages "${BUILD_PACKAGES[@]}"
cmake --preset release >&2
cmake --build --preset release --target toolpost >&2
$build_only && exit 0

port=${MCP_PORT:-${TOOLPOST_HTTP_PORT:-3001}}
arguments=("$@")
for ((i = 0; i < ${#arguments[@]}; i++)); do
  case ${arguments[i]} in
    --port) port=${arguments[i + 1]:-$port} ;;
    --port=*) port=${arguments[i]#--port=} ;;
  esac
done
cat >&2 <<TEXT

toolpost will answer at  http://127.0.0.1:$port/mcp

  Claude Code   claude mcp add --transport http toolpost http://127.0.0.1:$port/mcp
  VS Code       .vscode/mcp.json:  {"servers": {"toolpost": {"type": "http", "url": "http://127.0.0.1:$port/mcp"}}}
  Cursor        .cursor/mcp.json:  {"mcpServers": {"toolpost": {"url": "http://127.0.0.1:$port/mcp"}}}

  Without a running server, over standard input and output: $PWD/build/release/toolpost stdio
  More clients: docs/clients.md. Stop with Ctrl-C.

TEXT
exec build/release/toolpost serve "$@"
