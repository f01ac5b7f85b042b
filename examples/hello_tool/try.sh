#!/usr/bin/env bash
# Holds one conversation with the example and checks its answers. Usage: try.sh BINARY
set -euo pipefail

coproc server { exec "$1"; }

ask() { # MESSAGE EXPECTED: sends a line and fails unless the next line holds the expected text
  local answer
  echo "$1" >&"${server[1]}"
  if ! IFS= read -r -t 20 answer <&"${server[0]}"; then
    echo "no answer to: $1" >&2
    exit 1
  fi
  echo "$answer"
  if [[ $answer != *"$2"* ]]; then
    echo "expected in the answer: $2" >&2
    exit 1
  fi
}

initialize='{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"try","version":"1"}}}'
call='{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"greeting_hello","arguments":{"name":"Ada","loud":true}}}'
wrong='{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"greeting_hello","arguments":{"name":""}}}'
ask "$initialize" '"protocolVersion":"2025-11-25"'
echo '{"jsonrpc":"2.0","method":"notifications/initialized"}' >&"${server[1]}"
ask "$call" 'Hello, Ada!'
ask "$wrong" '"isError":true'

# The server ends when its input does.
pid=$server_PID
exec {server[1]}>&-
wait "$pid"
