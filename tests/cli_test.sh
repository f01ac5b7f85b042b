#!/usr/bin/env bash
# The executable as people and clients meet it: commands, exit statuses, signals, reload.
# Usage: tests/cli_test.sh PATH-TO-TOOLPOST
set -euo pipefail
toolpost=$(realpath "${1:?usage: tests/cli_test.sh PATH-TO-TOOLPOST}")

scratch=$(mktemp -d)
server=
cleanup() {
  if [[ -n $server ]]; then kill -KILL "$server" 2>/dev/null || true; fi
  rm -rf "$scratch"
}
trap cleanup EXIT
cd "$scratch"
export HOME=$scratch TOOLPOST_STATE_DIR=$scratch/state
unset MCP_TRANSPORT MCP_HOST MCP_PORT XDG_CONFIG_HOME
status=0

fail() {
  printf 'FAILED  %s\n' "$1"
  status=1
}

# expect NAME STATUS PATTERN COMMAND…: exit status and a pattern in what is printed on either stream.
expect() {
  local name=$1 wanted=$2 pattern=$3 got=0
  shift 3
  "$@" >out 2>err </dev/null || got=$?
  if [[ $got != "$wanted" ]]; then
    fail "$name: exit status $got, not $wanted"
    cat out err
  elif ! grep -qE -- "$pattern" out err; then
    fail "$name: nothing matches $pattern"
    cat out err
  else
    printf 'ok      %s\n' "$name"
  fi
}

# Libraries that most processes never use are opened by those that do.
if heavy=$(objdump -p "$toolpost" | grep -E 'NEEDED +lib(ssl|crypto|pq|sqlite3|curl)'); then
  fail "the executable loads libraries at start that it should open on demand:$heavy"
else
  printf 'ok      heavy libraries are opened on demand\n'
fi
expect 'version' 0 '^(out:)?toolpost [0-9]+\.[0-9]+\.[0-9]+$' "$toolpost" version
expect '--version' 0 'toolpost [0-9]' "$toolpost" --version
expect 'help' 0 'Exit status' "$toolpost" --help
for command in serve stdio call tools database config version; do
  expect "$command --help" 0 "Usage: toolpost $command" "$toolpost" "$command" --help
done
expect 'unknown command' 2 'did you mean serve' "$toolpost" serv
expect 'unknown option' 2 'Unknown option --bogus' "$toolpost" tools --bogus
expect 'config show' 0 'http\.port|port = 3001' "$toolpost" config show
expect 'config check' 0 'valid' "$toolpost" config check
expect 'config docs' 0 'TOOLPOST_HTTP_PORT' "$toolpost" config docs
printf '[tool.a-b]\ndescription = "x"\nstatement = "SELECT 1"\n[tool."custom/a-b"]\ndescription = "x"\nstatement = "SELECT 1"\n' > twice.toml
expect 'a tool declared twice' 3 'another declared tool has this name' "$toolpost" config check --config twice.toml
expect 'a database in memory' 3 'database.*in memory' "$toolpost" config check --database-url sqlite::memory:
printf '{"q": 5}' >answers.json
expect 'answers of the stub that are none' 3 'mssql\.stub_file: the answer to "q" must be a string' "$toolpost" config check --mssql-stub-file answers.json
expect 'the same when serving' 3 'mssql\.stub_file: the answer to "q"' "$toolpost" serve --port 0 --mssql-stub-file answers.json
printf '[mssql]\nconnection_string = "Server=sql1;User ID=u;Nope=1"\n' >unread.toml
expect 'a connection string with an unknown setting' 3 'unread\.toml:2: mssql\.connection_string: Setting 3 .*, Nope,.* allowed are Server' \
  "$toolpost" config check --config unread.toml
expect 'the same when serving' 3 'unread\.toml:2: mssql\.connection_string' "$toolpost" serve --port 0 --config unread.toml
expect 'a connection string of Windows' 3 'Integrated Security is not allowed .*User ID and Password' \
  "$toolpost" config check --mssql-connection-string 'Server=sql1;Trusted_Connection=yes'
expect 'a connection string without a server' 3 'add Server=host' "$toolpost" config check --mssql-connection-string 'User ID=u;Password=p'
printf '[tool."database/query"]\ndescription = "x"\nstatement = "SELECT 1"\n' > taken.toml
for command in 'config check' 'serve --port 0' tools 'call system/info' stdio 'keys list'; do
  # shellcheck disable=SC2086
  expect "a tool with the name of another: $command" 3 'taken\.toml:2: tool\.database/query: another tool' "$toolpost" $command --config taken.toml
done
for command in 'serve --port 0' tools 'call system/info' stdio; do
  # shellcheck disable=SC2086
  expect "a wrong connection: $command" 3 'database.*immutable' "$toolpost" $command --database-url 'sqlite:a.db?mode=ro'
done
printf '[tool.x]\ndescription = "x"\nstatement = "SELECT :a"\n' > unknown.toml
expect 'a parameter that is not declared' 3 'unknown\.toml:2: tool\.x: the statement uses :a, which' "$toolpost" config check --config unknown.toml
expect 'config nonsense' 2 'config show, config check or config docs' "$toolpost" config nonsense
expect 'a wrong value' 3 'http.port' "$toolpost" config check --port many
expect 'a missing file' 3 'missing\.toml' "$toolpost" config check --config missing.toml
printf 'http.prot = 1\n' >wrong.toml
expect 'an unknown key' 3 'wrong\.toml' "$toolpost" serve --config wrong.toml
expect 'an open address' 3 '0\.0\.0\.0' "$toolpost" serve --host 0.0.0.0 --port 0
expect 'a toolset that is not there' 3 'No toolset is called "fle"; there are .*file' "$toolpost" serve --port 0 --toolsets fle
expect 'an excluded tool that is not there' 3 'did you mean shell/execute' "$toolpost" serve --port 0 --exclude-tools shell/exceute
expect 'the same on stdio is a warning' 0 'did you mean shell/execute' "$toolpost" stdio --exclude-tools shell/exceute
expect 'MCP_TRANSPORT nonsense' 3 'MCP_TRANSPORT' env MCP_TRANSPORT=pigeon "$toolpost"

expect 'tools' 0 'system/info' "$toolpost" tools
expect 'tools --tokens' 0 '^(out:)?total +[0-9]+ +[0-9]+$' "$toolpost" tools --tokens
expect 'tools --markdown' 0 '^(out:)?### system/info$' "$toolpost" tools --markdown
expect 'PRD_FR_016_4: a query of the sample database' 0 '"rowCount":1' "$toolpost" call database/query query='SELECT 1 AS a'
expect 'PRD_NFR_017: a statement that writes' 5 'DELETE is not allowed' "$toolpost" call database/query query='DELETE FROM customers'
expect 'database setup-sql' 0 'NOSUPERUSER' "$toolpost" database setup-sql --account reader
expect 'mssql setup-sql' 0 'CREATE USER \[toolpost_reader\]' "$toolpost" mssql setup-sql --database sales
expect 'mssql setup-sql for the agent' 0 'GRANT SELECT ON dbo.sysjobs TO \[it.s\]' "$toolpost" mssql setup-sql --database sales --login "it's" --agent-jobs
expect 'mssql setup-sql without a login' 0 'DB_NAME\(\) <> N.sales' "$toolpost" mssql setup-sql --database sales --contained
expect 'mssql setup-sql without a database' 2 '--database needs a name' "$toolpost" mssql setup-sql
expect 'mssql with an unknown action' 2 'setup-sql' "$toolpost" mssql nonsense
expect 'database with an unknown action' 2 'setup-sql' "$toolpost" database nonsense
expect 'tools of no toolset' 2 'No tool matches' "$toolpost" tools --toolset nonsense
expect 'call' 0 '"platform"' "$toolpost" call system/info
expect 'call by wire name' 0 '"platform"' "$toolpost" call system_info
expect 'call with key=value' 0 'system/health' "$toolpost" call system/tools name=system/health
expect 'call with --json' 0 'system/health' "$toolpost" call system/tools --json '{"name":"system/health"}'
expect 'call --json-output' 0 '"structuredContent"' "$toolpost" call system/info --json-output
expect 'call with a wrong argument' 5 'bogus' "$toolpost" call system/info bogus=1
expect 'call of an unknown tool' 2 'system/nonsense' "$toolpost" call system/nonsense
expect 'call without a tool' 2 'Usage: toolpost call' "$toolpost" call
expect 'call with half a pair' 2 'key=value' "$toolpost" call system/tools name
expect 'call with broken --json' 2 'not valid JSON' "$toolpost" call system/tools --json '{'
expect 'call with both forms' 2 'not both' "$toolpost" call system/tools name=x --json '{}'

hello='{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}'
for command in 'stdio' ''; do
  # Without a command, a piped standard input means stdio.
  # shellcheck disable=SC2086
  if printf '%s\n' "$hello" | "$toolpost" $command >out 2>err && [[ $(wc -l <out) == 1 ]] && grep -q '"protocolVersion":"2025-11-25"' out; then
    printf 'ok      one reply on stdio and nothing else: toolpost %s\n' "$command"
  else
    fail "toolpost $command on a pipe"
    cat out err
  fi
done

# wait_for FILE PATTERN: until a line of a growing file matches, at most 30 s.
wait_for() {
  for _ in $(seq 300); do
    grep -qE -- "$2" "$1" && return 0
    sleep 0.1
  done
  fail "$1 never said $2"
  cat "$1"
  return 1
}
start() {
  : >log  # before the server can: or the line of the last one would be taken for this one's
  "$toolpost" serve --port 0 --log-format json "$@" 2>log </dev/null &
  server=$!
  wait_for log 'listening on http://127\.0\.0\.1:[0-9]+/mcp'
  port=$(sed -nE 's|.*http://127\.0\.0\.1:([0-9]+)/mcp.*|\1|p' log | head -n 1)
}
# stop SIGNAL NAME: the server must end with status 0.
stop() {
  local got=0
  kill -"$1" "$server"
  wait "$server" || got=$?
  server=
  if [[ $got == 0 ]]; then printf 'ok      %s\n' "$2"; else fail "$2: exit status $got"; fi
}

printf '[tools]\nread_only = false\n' >toolpost.toml
start
expect 'PRD_AC_INT_2: a second server on the port' 3 "$port" "$toolpost" serve --port "$port" --state-dir "$PWD/other"
expect 'a URL of a toolset that is not there' 0 'no such toolset; there are .*system' curl -sS "http://127.0.0.1:$port/mcp/x/fle" -H 'Content-Type: application/json' -d "$hello"
expect 'D20: a second server on the state directory' 3 'state directory is in use' "$toolpost" serve --port 0
printf '[tools]\nread_only = true\n' >toolpost.toml
if wait_for log '"setting":"tools.read_only"'; then echo 'ok      reload of a changed file, with the difference in the log'; fi
printf '[tools]\nread_only = 7\n' >toolpost.toml
if wait_for log 'not reloaded'; then echo 'ok      a wrong file is refused'; fi
if kill -0 "$server"; then echo 'ok      and the server goes on'; else fail 'the server ended'; fi
printf '[tools]\nread_only = false\n[limits]\nworkers = 3\n' >toolpost.toml.new
mv toolpost.toml.new toolpost.toml
kill -HUP "$server"
if wait_for log 'after a restart.*"setting":"limits.workers"'; then echo 'ok      reload by rename and SIGHUP'; fi
stop TERM 'SIGTERM'
rm toolpost.toml
start
stop INT 'SIGINT'
exit $status
