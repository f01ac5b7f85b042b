// The network of commands: real npm, git and node in the sandbox reach the hosts the operator listed, through the server's proxy, and nothing else.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { text } from './behaviours.mjs';
import { callTool } from './callers.mjs';
import { openHttp } from './sdk_v1.mjs';
import { eventually, startToolpost, temporaryDirectory } from './servers.mjs';

async function weakness() {
  const server = await startToolpost();
  const { body } = await callTool(`${server.origin}/rpc`, 'system_info', {});
  await server.stop();
  const { level, description } = body.result.structuredContent.confinement;
  if (level < 3) return `this machine offers ${description}`;
  const missing = ['node', 'npm', 'git'].filter((name) => !['/usr/bin', '/usr/local/bin'].some((folder) => existsSync(join(folder, name))));
  return missing.length > 0 && `not installed for commands: ${missing}`;
}
const skip = await weakness();

/** A registry with one package, `small`, and a repository at /repo.git. */
async function startHost(at) {
  mkdirSync(at('package'), { recursive: true });
  writeFileSync(at('package/package.json'), JSON.stringify({ name: 'small', version: '1.0.0', main: 'index.js' }));
  writeFileSync(at('package/index.js'), 'module.exports = "from the registry";\n');
  execFileSync('npm', ['pack', '--silent'], { cwd: at('package') });
  execFileSync('sh', ['-c', 'git init -q source && cd source && echo text > file && git add file '
    + '&& git -c user.name=t -c user.email=t@t commit -q -m first && git clone -q --bare . ../repo.git && cd ../repo.git && git update-server-info'],
  { cwd: at('.') });
  const requests = [];
  const host = http.createServer((request, response) => {
    requests.push(request.url);
    const origin = `http://127.0.0.1:${host.address().port}`;
    if (request.url === '/small') {
      const version = { name: 'small', version: '1.0.0', dist: { tarball: `${origin}/small/-/small-1.0.0.tgz` } };
      return response.end(JSON.stringify({ name: 'small', 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } }));
    }
    if (request.url.endsWith('.tgz')) return response.end(readFileSync(at('package/small-1.0.0.tgz')));
    try {
      return response.end(readFileSync(at(request.url.slice(1).split('?')[0])));
    } catch {
      response.statusCode = 404;
      return response.end();
    }
  });
  host.listen(0, '127.0.0.1');
  await once(host, 'listening');
  return { requests, origin: `http://127.0.0.1:${host.address().port}`, port: host.address().port, stop: () => host.close() };
}

describe('the network of commands', { skip }, () => {
  let places;
  let at;
  let host;
  let server;
  let session;
  before(async () => {
    places = temporaryDirectory();
    at = (...parts) => join(realpathSync(places.path), ...parts);
    for (const folder of ['work', 'state', 'host']) mkdirSync(at(folder));
    host = await startHost((...parts) => at('host', ...parts));
    server = await startToolpost({ directory: at('state'), env: {
      TOOLPOST_FILES_ROOTS: at('work'), TOOLPOST_SHELL_NETWORK_HOSTS: '127.0.0.1', TOOLPOST_WEB_ALLOW_LOOPBACK: 'true',
    } });
    session = await openHttp(server.url);
  });
  after(async () => {
    await session?.close();
    await server?.stop();
    host?.stop();
    places.cleanUp();
  });
  const run = async (command) => {
    const result = await session.call({ name: 'shell_execute', arguments: { command } });
    assert.ok(!result.isError, `${command}: ${text(result)}`);
    return result.structuredContent;
  };

  test('npm install brings a package from a listed host', async () => {
    writeFileSync(at('work/package.json'), '{"name":"own","version":"1.0.0"}');
    const installed = await run(`npm install small --registry ${host.origin}/ --no-audit --no-fund`);
    assert.equal(installed.exitCode, 0, installed.stderr);
    assert.equal(installed.refusedConnections, undefined);
    assert.equal((await run(`node -p 'require("small")'`)).stdout, 'from the registry\n');
    assert.ok(host.requests.includes('/small/-/small-1.0.0.tgz'));
  });

  test('git clone does, too', async () => {
    const cloned = await run(`git clone -q ${host.origin}/repo.git copy`);
    assert.equal(cloned.exitCode, 0, cloned.stderr);
    assert.equal((await run('cat copy/file')).stdout, 'text\n');
  });

  test('other hosts, and the server itself, are refused with the reason', async () => {
    for (const url of [`http://localhost:${host.port}/small`, 'http://10.0.0.1/', 'http://169.254.169.254/latest', server.origin]) {
      const { stdout, refusedConnections } = await run(
        `node -e 'const u = new URL(process.argv[1]); require("http").get({ host: "127.0.0.1", port: 3128, path: u.href, headers: { host: u.host } }, `
        + `(r) => { console.log(r.statusCode); r.pipe(process.stdout) })' ${url}`);
      assert.match(stdout, /^403\n.*operator decides/s, url);
      assert.equal(refusedConnections.length, 1, url);
    }
  });

  test('without the proxy the kernel refuses', async () => {
    const before = host.requests.length;
    for (const target of [host.port, 80]) {
      const { stdout } = await run(
        `node -e 'require("net").connect(+process.argv[1], process.argv[2]).on("error", (e) => console.log(e.code)).on("connect", () => console.log("connected"))' `
        + `${target} ${target === 80 ? '192.0.2.1' : '127.0.0.1'}`);
      assert.match(stdout, /^(ECONNREFUSED|ENETUNREACH)\n$/);
    }
    assert.equal(host.requests.length, before);
  });

  test('the audit log lists what was reached and what was refused', async () => {
    const records = () => readdirSync(at('state/audit')).filter((name) => name.endsWith('.jsonl'))
      .flatMap((name) => readFileSync(at('state/audit', name), 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line)));
    await eventually('a refusal', () => records().some(({ contacts = [] }) => contacts.some(({ outcome }) => outcome === 'refused')));
    const contacts = records().flatMap((record) => record.contacts ?? []);
    const reached = contacts.find(({ outcome }) => outcome === 'connected');
    assert.deepEqual([reached.host, reached.port, reached.address], ['127.0.0.1', host.port, '127.0.0.1']);
    assert.ok(contacts.some(({ host: name, outcome }) => name === '10.0.0.1' && outcome === 'refused'));
  });

  test('every hop of a redirect is in the audit log', async () => {
    const other = http.createServer((_, response) => response.end('end'));
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    const first = http.createServer((_, response) => {
      response.writeHead(302, { Location: `http://127.0.0.1:${other.address().port}/` });
      response.end();
    });
    first.listen(0, '127.0.0.1');
    await once(first, 'listening');
    const ports = [first.address().port, other.address().port];
    const fetched = await session.call({ name: 'web_fetch', arguments: { url: `http://127.0.0.1:${ports[0]}/` } });
    assert.equal(fetched.structuredContent.content.trim(), 'end');
    const lines = () => readdirSync(at('state/audit')).filter((name) => name.endsWith('.jsonl'))
      .flatMap((name) => readFileSync(at('state/audit', name), 'utf8').split('\n').filter((line) => line.includes('"web/fetch"')));
    await eventually('the record', () => lines().length > 0);
    const hops = JSON.parse(lines()[0]).contacts.map(({ port, outcome, address }) => [port, outcome, address]);
    assert.deepEqual(hops, [[ports[0], '302', '127.0.0.1'], [ports[1], '200', '127.0.0.1']]);
    first.close();
    other.close();
  });
});
