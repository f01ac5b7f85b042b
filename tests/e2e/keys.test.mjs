// API keys through their whole life: made, used, narrowed, revoked, deleted, logged, audited.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { apiKey, bearer, callTool, openSession, openSocket, readTools, rpc } from './callers.mjs';
import { eventually, runToolpost, startToolpost, temporaryDirectory, within } from './servers.mjs';

const master = 'mk-4f9c1e77-a2d8-43b6-9d15';
let state;
let server;
before(async () => {
  state = temporaryDirectory();
  server = await startToolpost({ directory: state.path, env: { MSSQL_MCP_API_KEY: master } });
});
after(async () => {
  await server?.stop();
  state.cleanUp();
});

const at = (path) => `${server.origin}${path}`;
const asMaster = (method, params) => rpc(at('/'), method, params, bearer(master));
const cli = (...args) => runToolpost(args, { directory: state.path });

async function createKey(params = {}) {
  const { body } = await asMaster('CreateApiKey', { name: 'e2e', userId: 'ada', ...params });
  assert.ok(body.result?.key, JSON.stringify(body));
  return body.result;
}

const works = async (key) => (await rpc(at('/rpc'), 'system_info', {}, apiKey(key))).status === 200;

// On a connection that stays open: an error, or the server hangs up.
const asError = (error) => ({ error });
const assertEnded = (answer) => assert.ok(answer.error ?? answer.result.isError, JSON.stringify(answer).slice(0, 200));
const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };

for (const path of ['/', '/rpc', '/mcp']) {
  for (const [form, wrap] of [['direct', (value) => value], ['request:{}', (request) => ({ request })]]) {
    test(`keys: CreateApiKey in the ${form} form at ${path} makes a key that works with both headers`, async () => {
      const params = wrap({ name: `by ${path}`, userId: 'grace', keyType: 'application', description: 'n' });
      const { status, body } = await rpc(at(path), 'CreateApiKey', params, apiKey(master));
      assert.equal(status, 200);
      assert.deepEqual([body.result.userId, body.result.keyType, body.result.isActive], ['grace', 'application', true]);
      for (const headers of [bearer(body.result.key), apiKey(body.result.key)]) {
        const used = await callTool(at(path), 'system_info', {}, headers);
        assert.equal(used.status, 200);
        assert.equal(used.body.result.isError, false);
      }
    });
  }
}

test('keys: without a credential 401 with a challenge, with an unknown one 403', async () => {
  for (const path of ['/', '/rpc', '/mcp']) {
    const none = await rpc(at(path), 'ListAllApiKeys', {});
    assert.equal(none.status, 401);
    assert.match(none.headers.get('www-authenticate'), /^Bearer/);
    assert.equal((await rpc(at(path), 'ListAllApiKeys', {}, bearer('mcp_unknown'))).status, 403);
  }
});

test('keys: the secret is shown once only', async () => {
  const { key, id } = await createKey({ userId: 'once' });
  const secret = key.slice(`mcp_${id}_`.length, -7);  // between the id and the checksum
  assert.ok(secret.length > 40);
  for (const [method, params] of [['ListUserApiKeys', { userId: 'once' }], ['ListApiKeys', { userId: 'once' }], ['ListAllApiKeys', {}]]) {
    const { text } = await asMaster(method, params);
    assert.ok(text.includes(id));
    assert.ok(!text.includes(secret));
  }
  for (const name of ['toolpost.db', 'toolpost.db-wal']) {
    assert.ok(!readFileSync(join(state.path, name)).includes(secret), `${name} holds the secret`);
  }
});

test('keys: a user key does not see or call the key tools', async () => {
  const { key } = await createKey();
  const { body } = await rpc(at('/rpc'), 'tools/list', {}, bearer(key));
  assert.deepEqual(body.result.tools.map((tool) => tool.name).sort(), readTools);
  const denied = await callTool(at('/rpc'), 'CreateApiKey', { name: 'x', userId: 'y' }, bearer(key));
  assert.match(denied.text, /Permission denied/);
  assert.ok(!denied.text.includes('"key":'));
});

test('keys: an admin key may manage keys', async () => {
  const { key } = await createKey({ keyType: 'admin' });
  const { body } = await rpc(at('/'), 'CreateApiKey', { name: 'child', userId: 'ada' }, bearer(key));
  assert.ok(body.result.key);
});

test('keys: allowed tools and toolsets narrow what is listed and called', async () => {
  const narrow = [
    await createKey({ allowedTools: ['system/info'] }),
    await createKey({ allowedToolsets: ['keys'] }),
    await createKey({ allowedTools: [] }),
  ];
  const seen = [];
  for (const { key } of narrow) {
    const { body } = await rpc(at('/'), 'tools/list', {}, bearer(key));
    seen.push(body.result.tools.map((tool) => tool.name));
    assert.match((await callTool(at('/'), 'system_health', {}, bearer(key))).text, /Permission denied/);
  }
  assert.deepEqual(seen, [['system_info'], [], []]);
  assert.equal((await callTool(at('/'), 'system_info', {}, bearer(narrow[0].key))).body.result.isError, false);
});

test('keys: a past expiry and an unknown key type are refused', async () => {
  for (const params of [{ expirationDate: '2001-01-01T00:00:00Z' }, { expirationDate: 'soon' }, { keyType: 'root' }]) {
    const { body } = await asMaster('CreateApiKey', { name: 'e', userId: 'u', ...params });
    assert.equal(body.error?.code, -32602, JSON.stringify(params));
  }
});

test('keys: a key ends at its expiry', async () => {
  const { key } = await createKey({ expirationDate: new Date(Date.now() + 3000).toISOString() });
  await eventually('refusal', async () => (await rpc(at('/'), 'system_info', {}, bearer(key))).status === 403);
});

test('keys: revoked means refused at once, in an open session and on an open WebSocket too', async () => {
  const { key, id } = await createKey();
  const session = await openSession(at('/mcp'), bearer(key));
  const { socket, request } = await openSocket(server.origin, { headers: bearer(key) });
  const call = { name: 'system_info', arguments: {} };
  assert.equal((await session.request('tools/call', call)).status, 200);
  assert.ok((await request('tools/call', call)).result);

  assert.equal((await asMaster('RevokeApiKey', { id })).body.result.success, true);
  assert.equal((await rpc(at('/'), 'system_info', {}, bearer(key))).status, 403);
  assert.equal((await session.request('tools/call', call)).status, 403);
  for (const params of [call, { ...call, _meta }]) assertEnded(await request('tools/call', params).catch(asError));
  socket.terminate();
  const { body } = await asMaster('ListUserApiKeys', { userId: 'ada' });
  assert.equal(body.result.keys.find((entry) => entry.id === id).isActive, false);
});

test('keys: a revoked key learns nothing more on an open WebSocket', async () => {
  const { key, id } = await createKey();
  const { socket, request } = await openSocket(server.origin, { headers: bearer(key) });
  assert.ok((await request('tools/list', {})).result);
  await asMaster('RevokeApiKey', { id });
  for (const method of ['tools/list', 'resources/list', 'prompts/list']) {
    for (const params of [{}, { _meta }]) assertEnded(await request(method, params).catch(asError));
  }
  socket.terminate();
});

test('keys: revoked, expired or deleted ends the streams that are open', async () => {
  // Looks for ended credentials ten times in the idle time of a session.
  const own = await startToolpost({ env: { MSSQL_MCP_API_KEY: master, TOOLPOST_LIMITS_SESSION_IDLE: '20s' } });
  const manage = async (method, params) => (await rpc(`${own.origin}/`, method, params, bearer(master))).body.result;
  const url = `${own.origin}/mcp`;
  const both = { Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json' };
  const openers = {
    'the GET stream of a session': async (key) => {
      const { headers } = await openSession(url, bearer(key));
      return fetch(url, { headers: { ...headers, Accept: 'text/event-stream' } });
    },
    'a subscriptions/listen': (key) => fetch(url, {
      method: 'POST',
      headers: { ...both, ...bearer(key), 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'subscriptions/listen' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 'l', method: 'subscriptions/listen', params: { _meta, notifications: { toolsListChanged: true } } }),
    }),
    'an old SSE connection': (key) => fetch(`${own.origin}/sse`, { headers: bearer(key) }),
  };
  const ends = {
    RevokeApiKey: (id) => manage('RevokeApiKey', { id }),
    DeleteApiKey: (id) => manage('DeleteApiKey', { id }),
    'its expiry': () => {},
  };
  try {
    for (const [name, end] of Object.entries(ends)) {
      const expires = name === 'its expiry' ? { expirationDate: new Date(Date.now() + 4_000).toISOString() } : {};
      const { key, id } = await manage('CreateApiKey', { name, userId: 'ada', ...expires });
      const streams = await Promise.all(Object.entries(openers).map(async ([what, open]) => [what, await open(key)]));
      const { socket } = await openSocket(own.origin, { headers: bearer(key) });
      const hungUp = once(socket, 'close');
      for (const [what, { status, headers }] of streams) {
        assert.equal(status, 200, what);
        assert.match(headers.get('content-type'), /event-stream/, what);
      }
      await end(id);
      for (const [what, stream] of streams) {
        const text = await within(20_000, `the end of ${what} after ${name}`, stream.text());
        if (what.includes('listen')) assert.match(text, /"id":"l","result":\{"resultType":"complete"/, text);
      }
      await within(20_000, `the end of a WebSocket after ${name}`, hungUp);
    }
  } finally {
    await own.stop();
  }
});

test('keys: deleted means refused; the usage logs stay and show the calls', async () => {
  const { key, id } = await createKey({ userId: 'logged' });
  await callTool(at('/'), 'system_info', {}, { ...bearer(key), 'User-Agent': 'e2e agent' });
  await callTool(at('/mcp'), 'system_health', {}, bearer(key));
  const logs = async (method, params) => (await asMaster(method, params)).body.result.logs;
  const ofKey = () => logs('GetApiKeyUsageLogs', { request: { apiKeyId: id, limit: 10 } });
  await eventually('two log entries', async () => (await ofKey()).length === 2);
  assert.equal((await asMaster('DeleteApiKey', { request: { id } })).body.result.success, true);
  assert.equal((await rpc(at('/'), 'system_info', {}, bearer(key))).status, 403);
  assert.deepEqual((await ofKey()).map((entry) => entry.resource), ['system/health', 'system/info']);
  const first = (await logs('GetUserUsageLogs', { userId: 'logged' })).at(-1);
  assert.deepEqual(
    [first.apiKeyId, first.userId, first.ipAddress, first.userAgent], [id, 'logged', '127.0.0.1', 'e2e agent']);
});

test('keys: the command line makes, lists and revokes keys beside the running server', async () => {
  const made = await cli('keys', 'create', 'from-cli', '--user', 'cli', '--scopes', 'read,write');
  assert.equal(made.code, 0, made.err);
  const key = made.out.trim();
  const id = key.split('_')[1];
  await eventually('the server knows the key', () => works(key));
  const session = await openSession(at('/mcp'), bearer(key));
  const listed = await cli('keys', 'list', '--user', 'cli');
  assert.match(listed.out, new RegExp(`${id}  user  active  cli  from-cli`));
  assert.ok(!listed.out.includes(key));
  assert.equal((await cli('keys', 'revoke', id)).code, 0);
  await eventually('the server refuses the key', async () => !(await works(key)));
  assert.equal((await session.request('tools/list', {})).status, 403);
  assert.match((await cli('keys', 'list', '--user', 'cli')).out, /ended/);
  assert.equal((await cli('keys', 'revoke', 'nobody')).code, 5);
});

test('keys: a second server on the same state directory is refused', async () => {
  const second = await runToolpost(['serve'], { directory: state.path, env: { MSSQL_MCP_API_KEY: master, MCP_PORT: '0' } });
  assert.equal(second.code, 3);
  assert.match(second.err, /state|another|already/i);
  assert.ok(await works(master));
});

test('keys: the audit log is whole until one byte of it is edited', async () => {
  const denied = await rpc(at('/'), 'system_info', {}, bearer('mcp_wrong'));
  assert.equal(denied.status, 403);
  const running = await cli('audit', 'verify');
  assert.equal(running.code, 0, running.out + running.err);
  assert.match(running.out, /: whole/);

  assert.equal(await server.stop(), 0);
  server = undefined;
  const ended = await cli('audit', 'verify');
  assert.equal(ended.code, 0, ended.out);
  const directory = join(state.path, 'audit');
  const segments = readdirSync(directory).filter((name) => name.endsWith('.jsonl'));
  const records = segments.flatMap((name) => readFileSync(join(directory, name), 'utf8').trim().split('\n').map((line) => JSON.parse(line)));
  assert.ok(records.some((record) => record.kind === 'denied'));
  assert.ok(records.some((record) => record.tool === 'keys/RevokeApiKey' && record.principal === 'master' && record.outcome === 'OK'));

  for (const name of segments) {
    const path = join(directory, name);
    const original = readFileSync(path);
    const edited = Buffer.from(original);
    const spot = original.indexOf('"outcome":"') + 11;
    edited[spot] ^= 1;
    writeFileSync(path, edited);
    const verdict = await cli('audit', 'verify');
    assert.equal(verdict.code, 1);
    assert.match(verdict.out, /NOT whole/);
    writeFileSync(path, original);
  }
  assert.equal((await cli('audit', 'verify')).code, 0);
});
