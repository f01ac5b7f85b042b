// shell/execute through real clients, over HTTP and stdio: what runs, what is refused, and what the sandbox keeps from a program that runs.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readFileSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { text } from './behaviours.mjs';
import { callTool } from './callers.mjs';
import { inspect } from './inspector.mjs';
import { openHttp, openStdio } from './sdk_v1.mjs';
import { eventually, startToolpost, temporaryDirectory, toolpost, within } from './servers.mjs';

const secret = 'a secret no command may read';
const commands = 'ls,pwd,echo,cat,grep,find,wc,sort,uniq,head,tail,git,perl';

function makePlaces() {
  const directory = temporaryDirectory();
  const at = (...parts) => join(realpathSync(directory.path), ...parts);
  for (const folder of ['home', 'outside', 'work/inner']) mkdirSync(at(folder), { recursive: true });
  writeFileSync(at('outside/secret.txt'), secret);
  writeFileSync(at('work/fruit.txt'), 'pear\napple\nfig\napple\n');
  writeFileSync(at('work/inner/note'), 'inner\n');
  return { at, env: { TOOLPOST_FILES_ROOTS: at('work'), TOOLPOST_SHELL_ALLOWED_COMMANDS: commands }, cleanUp: directory.cleanUp };
}

/** How many processes of this machine have `mark` among their arguments. */
function running(mark) {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(join('/proc', name, 'cmdline'), 'utf8').split('\0').includes(mark);
    } catch {
      return false;
    }
  }).length;
}

const doors = {
  http: async ({ env }) => {
    const server = await startToolpost({ env });
    const session = await openHttp(server.url);
    return { ...session, server, close: (t) => session.close(t).finally(() => server.stop()) };
  },
  stdio: ({ env }) => openStdio(toolpost(), { env }),
};

// perl is of the class that needs the whole sandbox.
async function weakness() {
  const server = await startToolpost();
  const { body } = await callTool(`${server.origin}/rpc`, 'system_info', {});
  await server.stop();
  const { level, description } = body.result.structuredContent.confinement;
  return level < 3 && `this machine offers ${description}`;
}
const skip = await weakness();

for (const [door, open] of Object.entries(doors)) {
  describe(`shell over ${door}`, { skip }, () => {
    let places;
    let session;
    let marks = 0;
    const newMark = () => `toolpost-e2e-${process.pid}-${door}-${(marks += 1)}`;
    before(async () => {
      places = makePlaces();
      session = await open(places);
    });
    after(async () => {
      await session?.close();
      places.cleanUp();
    });

    const execute = (args, options) => session.call({ name: 'shell_execute', arguments: args }, options);
    const run = async (command, args) => {
      const result = await execute({ command, ...args });
      assert.ok(!result.isError, `${command}: ${text(result)}`);
      return result.structuredContent;
    };
    const refusal = async (command, args) => {
      const result = await execute({ command, ...args });
      assert.equal(result.isError, true, `${command}: ${text(result)}`);
      return text(result);
    };
    const perl = (code, ...args) => run(`perl -e '${code}'${args.map((arg) => ` '${arg}'`).join('')}`);

    test('PRD_US_004 PRD_FR_012_1 PRD_FR_012_5 a pipeline, its output and its exit code', async () => {
      const { executionTime, ...counted } = await run('cat fruit.txt | sort | uniq -c | sort -rn | head -n 1');
      assert.deepEqual(counted, { stdout: '      2 apple\n', stderr: '', exitCode: 0, timedOut: false });
      assert.ok(executionTime >= 0);
      const missing = await run('cat nothing.txt');
      assert.deepEqual([missing.stdout, missing.exitCode], ['', 1]);
      assert.match(missing.stderr, /nothing\.txt: No such file/);
      assert.equal((await run('grep -c apple *.txt')).stdout, '2\n');
      assert.equal((await run("echo 'fix; typo'")).stdout, 'fix; typo\n');
    });

    test('PRD_FR_012_2 PRD_FR_012_4 folder and variables of the caller', async () => {
      assert.equal((await run('cat note', { cwd: 'inner' })).stdout, 'inner\n');
      assert.equal((await run('pwd', { cwd: 'inner' })).stdout, `${places.at('work/inner')}\n`);
      assert.equal((await run("perl -e 'print $ENV{NODE_ENV}'", { env: { NODE_ENV: 'test' } })).stdout, 'test');
      assert.match(await refusal('ls', { cwd: '../outside' }), /outside/);
      assert.match(await refusal('ls', { env: { LD_PRELOAD: 'x' } }), /LD_PRELOAD/);
    });

    const blocked = [
      ['PRD_FR_013_1 PRD_NFR_016', 'curl http://example.com', /"curl" at position 1 is not an allowed command/],
      ['PRD_FR_013_1 PRD_NFR_016', '/bin/ls', /named without a folder/],
      ['PRD_FR_013_2', 'rm -rf .', /rm -rf/],
      ['PRD_FR_013_2', 'sudo ls', /sudo/],
      ['PRD_FR_013_2', 'ls | kill 1', /kill/],
      ['PRD_FR_013_3 PRD_NFR_020', 'ls; ls', /";" at position 3/],
      ['PRD_FR_013_3 PRD_NFR_020', 'ls && ls', /"&&" at position 4/],
      ['PRD_FR_013_3 PRD_NFR_020', 'ls || ls', /"\|\|" at position 4/],
      ['PRD_FR_013_4 PRD_NFR_020', 'ls &', /background/],
      ['PRD_NFR_020', 'echo $(id)', /position 6/],
      ['PRD_NFR_020', 'echo `id`', /position 6/],
      ['PRD_NFR_020', 'ls > listing', /redirection/],
      ['PRD_NFR_020', 'cat < fruit.txt', /redirection/],
      ['PRD_NFR_020', 'ls\nls', /position 3/],
    ];
    test('PRD_FR_013_1 PRD_FR_013_2 PRD_FR_013_3 PRD_FR_013_4 PRD_NFR_016 PRD_NFR_020 refused by name and position, and not run', async () => {
      for (const [ids, command, message] of blocked) assert.match(await refusal(command), message, `${ids} ${command}`);
      assert.deepEqual(readdirSync(places.at('work')).sort(), ['fruit.txt', 'inner']);
    });

    test('PRD_G2 a program inside reads nothing outside its folders', async () => {
      const path = places.at('outside/secret.txt');
      for (const command of [`cat ${path}`, 'cat ../outside/secret.txt', `grep -r secret ${places.at('outside')}`, `find ${places.at('outside')}`]) {
        const { stdout, exitCode } = await run(command);
        assert.equal(stdout, '', command);
        assert.notEqual(exitCode, 0, command);
      }
      const attempts = [
        ['open(F, shift) or die "refused: $!"; print <F>', path],
        ['symlink(shift, "way") or die "refused: $!"; open(F, "way") or die "refused: $!"; print <F>', path],
        ['opendir(D, shift) or die "refused: $!"; print readdir D', places.at('outside')],
        ['open(F, "/proc/1/root" . shift) or die "refused: $!"; print <F>', path],
        ['open(F, ">", shift) or die "refused: $!"; print F 1', places.at('outside/new')],
        ['open(F, ">", "/etc/passwd") or die "refused: $!"', ''],
        ['chroot("/") or die "refused: $!"', ''],
      ];
      for (const [code, argument] of attempts) {
        const { stdout, stderr, exitCode } = await perl(code, argument);
        assert.match(stderr, /^refused: /, code);
        assert.deepEqual([stdout, exitCode !== 0], ['', true], code);
      }
      assert.deepEqual(readdirSync(places.at('outside')), ['secret.txt']);
      await perl('unlink "way"');
    });

    test('a program inside sees no network, no other process and nothing of the server', async () => {
      const requests = [];
      const target = http.createServer((request, response) => {
        requests.push(request.url);
        response.end('reached');
      });
      target.listen(0, '127.0.0.1');
      await once(target, 'listening');
      const connect = 'use IO::Socket::INET; my $s = IO::Socket::INET->new(PeerAddr => shift, Timeout => 3) or die "refused: $@"; '
        + 'print $s "GET / HTTP/1.0\\r\\n\\r\\n"; print <$s>';
      const { stdout, stderr } = await perl(connect, `127.0.0.1:${target.address().port}`);
      target.close();
      assert.match(stderr, /refused: /);
      assert.deepEqual([stdout, requests], ['', []]);

      const processes = await perl('opendir(D, "/proc"); print scalar grep { /^[0-9]+$/ } readdir D');
      assert.ok(Number(processes.stdout) <= 4, processes.stdout);
      const names = await perl('print join ",", sort keys %ENV');
      assert.doesNotMatch(names.stdout, /TOOLPOST|TOKEN|SECRET|HOME=\/root/);
      const user = await perl('print $>');
      assert.notEqual(user.stdout, '0');
    });

    test('PRD_FR_012_3 a timeout ends the command and all it started', async () => {
      const mark = newMark();
      const code = 'if (fork) { sleep 600 } else { setpgrp; $SIG{TERM} = "IGNORE"; sleep 600 }';
      const { timedOut, signal } = await run(`perl -e '${code}' ${mark}`, { timeout: 500 });
      assert.deepEqual([timedOut, typeof signal], [true, 'string']);
      await eventually('no process is left', () => running(mark) === 0);
    });

    test('progress carries the output as it comes', async () => {
      const seen = [];
      const result = await execute(
        { command: `perl -e '$| = 1; for (1 .. 4) { print "part $_\\n"; select undef, undef, undef, 0.4 }'` },
        { onprogress: ({ progress, message }) => seen.push([progress, message]) });
      assert.equal(result.structuredContent.stdout, 'part 1\npart 2\npart 3\npart 4\n');
      assert.ok(seen.length >= 2, JSON.stringify(seen));
      assert.match(seen[0][1], /^part 1\n/);
      for (let index = 1; index < seen.length; index += 1) assert.ok(seen[index][0] > seen[index - 1][0]);
    });

    test('progress: what comes before a silence is told during it', async () => {
      const abort = new AbortController();
      let told;
      const first = new Promise((resolve) => (told = resolve));
      const outcome = execute({ command: `perl -e '$| = 1; print "ready\\n"; sleep 600'` }, { signal: abort.signal, onprogress: told });
      try {
        assert.match((await within(3_000, 'the first line', first)).message, /^ready/);
      } finally {
        abort.abort('enough');
        await outcome.catch(() => {});
      }
    });

    test('a cancelled command is gone, with all it started, and never answered', async () => {
      const mark = newMark();
      const abort = new AbortController();
      const outcome = execute(
        { command: `perl -e 'fork; $| = 1; for (1 .. 600) { print "on\\n"; sleep 1 }' ${mark}`, timeout: 600_000 },
        { signal: abort.signal, onprogress: () => abort.abort('enough') });
      await within(15_000, 'the cancellation', assert.rejects(outcome));
      await eventually('no process is left', () => running(mark) === 0);
      assert.equal((await run('echo next')).stdout, 'next\n');
    });

    test('a client that goes away takes its command with it', async () => {
      const mark = newMark();
      const other = await open(places);
      const outcome = other.call({ name: 'shell_execute', arguments: { command: `perl -e 'sleep 600' ${mark}`, timeout: 600_000 } });
      outcome.catch(() => {});
      await eventually('it runs', () => running(mark) > 0);
      await (other.transport.terminateSession?.() ?? other.client.close());
      await eventually('no process is left', () => running(mark) === 0);
      await other.close();
    });

    test('output beyond the limit ends the command and says so', async () => {
      const { truncated, stdoutBytes, stdout } = await run("perl -e 'print q(x) x 65536 while 1'");
      assert.equal(truncated, true);
      assert.ok(stdoutBytes >= 10_000_000 && stdout.length <= stdoutBytes);
    });

    test('every message fits the schema of its revision', async (t) => {
      await session.close(t);
      session = undefined;
    });
  });
}

describe('shell: the server and its sandbox', { skip }, () => {
  let places;
  before(() => {
    places = makePlaces();
  });
  after(() => places.cleanUp());

  test('kill -9 of the server leaves no command behind', async () => {
    const mark = `toolpost-e2e-${process.pid}-orphan`;
    const server = await startToolpost({ env: places.env });
    const session = await openHttp(server.url);
    session.call({ name: 'shell_execute', arguments: { command: `perl -e 'fork; sleep 600' ${mark}`, timeout: 600_000 } }).catch(() => {});
    await eventually('it runs', () => running(mark) > 1);
    await server.kill();
    await eventually('no process is left', () => running(mark) === 0);
    await session.close();
  });

  test('the confinement is published, and programs that need more are refused with the reason', async () => {
    const server = await startToolpost({ env: { ...places.env, TOOLPOST_SHELL_MIN_CONFINEMENT: '4' } });
    const session = await openHttp(server.url);
    const { structuredContent } = await session.call({ name: 'system_info', arguments: {} });
    assert.ok(structuredContent.confinement.level >= 2 && structuredContent.confinement.description);
    const refused = await session.call({ name: 'shell_execute', arguments: { command: "perl -e 'print 1'" } });
    if (structuredContent.confinement.level < 4) {
      assert.equal(refused.isError, true);
      assert.match(text(refused), /confinement/i);
    }
    await session.close();
    await server.stop();
  });

  test('without the scope shell nothing runs', async () => {
    const master = 'mk-0d2f6b91-33c4-4e1b-a8f0';
    const server = await startToolpost({ env: { ...places.env, MSSQL_MCP_API_KEY: master } });
    const admin = await openHttp(server.url, { headers: { Authorization: `Bearer ${master}` } });
    const made = await admin.call({ name: 'CreateApiKey', arguments: { name: 'w', userId: 'ada', scopes: ['read', 'write'] } });
    const user = await openHttp(server.url, { headers: { Authorization: `Bearer ${made.structuredContent.key}` } });
    const { tools } = await user.client.listTools();
    assert.ok(!tools.some(({ name }) => name === 'shell_execute'));
    const refused = await user.call({ name: 'shell_execute', arguments: { command: 'ls' } });
    assert.match(text(refused), /Permission denied: .*"shell"/);
    await user.close();
    await admin.close();
    await server.stop();
  });

  const format = ['--format', 'json', '-q'];
  test('inspector http and stdio: run a pipeline', async () => {
    const server = await startToolpost({ env: places.env });
    const args = ['--method', 'tools/call', '--tool-name', 'shell_execute', '--tool-args-json', '{"command":"cat fruit.txt | sort -u | wc -l"}'];
    const remote = await inspect(places.at('home'), [server.url, '--transport', 'http', ...args, ...format]);
    const local = await inspect(places.at('home'), [...args, ...format, '--', toolpost(), 'stdio', '--files-roots', places.at('work')]);
    for (const { structuredContent } of [remote, local]) assert.equal(structuredContent.stdout.trim(), '3');
    await server.stop();
  });
});
