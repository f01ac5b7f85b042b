// Who a client on standard input is: the local user, or the one TOOLPOST_TOKEN names.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { signedToken } from './callers.mjs';
import { runToolpost, temporaryDirectory } from './servers.mjs';

const master = 'mk-77aa20e1-9b3c-4e58-b0f4';
const jwtSecret = 'e2e-jwt-secret-3b0c7a52d9e84f61-c4';
let state;
before(() => {
  state = temporaryDirectory();
});
after(() => state.cleanUp());

const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'e2e', version: '1' } };
const lines = (...requests) =>
  [
    { id: 0, method: 'initialize', params: hello },
    { method: 'notifications/initialized' },
    ...requests.map(([method, params], index) => ({ id: index + 1, method, params })),
  ].map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');

/** Runs the requests in one session: their answers in order. */
async function session({ args = [], env = {} }, ...requests) {
  const { code, out, err } = await runToolpost(['stdio', ...args], { directory: state.path, env, input: lines(...requests) });
  assert.equal(code, 0, err);
  const answers = out.trim().split('\n').map((line) => JSON.parse(line)).filter((message) => message.id > 0);
  assert.equal(answers.length, requests.length, out);
  return answers.sort((a, b) => a.id - b.id);
}

const namesOf = (answer) => answer.result.tools.map((tool) => tool.name).sort();
const call = (name, args = {}) => ['tools/call', { name, arguments: args }];

async function createKey(...flags) {
  const { code, out, err } = await runToolpost(['keys', 'create', 'stdio', '--user', 'ada', ...flags], { directory: state.path });
  assert.equal(code, 0, err);
  return out.trim();
}

const jwt = (claims) => signedToken(jwtSecret, { sub: 'ada', ...claims });

test('stdio: D12 key management is offered only when its toolset is named', async () => {
  const [list, made] = await session({}, ['tools/list', {}], call('CreateApiKey', { name: 'x', userId: 'y' }));
  assert.ok(namesOf(list).includes('system_info'));
  assert.deepEqual(namesOf(list).filter((name) => /Key|Encrypted/.test(name)), []);
  assert.ok(made.error ?? made.result.isError);

  const [named, key] = await session(
    { args: ['--toolsets', 'system,keys'] }, ['tools/list', {}], call('CreateApiKey', { name: 'x', userId: 'y' }));
  assert.ok(namesOf(named).includes('CreateApiKey'));
  assert.match(key.result.structuredContent.key, /^mcp_/);
});

test('stdio: a key in TOOLPOST_TOKEN decides what may be done', async () => {
  const env = { TOOLPOST_TOKEN: await createKey('--allow-tools', 'system/info') };
  const [list, info, health] = await session({ env }, ['tools/list', {}], call('system_info'), call('system_health'));
  assert.deepEqual(namesOf(list), ['system_info']);
  assert.ok(!info.result.isError);
  assert.match(JSON.stringify(health), /Permission denied/);
  const [denied] = await session({ env: { TOOLPOST_TOKEN: await createKey() }, args: ['--toolsets', 'system,keys'] }, call('ListAllApiKeys'));
  assert.match(JSON.stringify(denied), /Permission denied/);
});

test('stdio: the master key and signed tokens are taken as well', async () => {
  const args = ['--toolsets', 'system,keys'];
  const [keys] = await session({ args, env: { MSSQL_MCP_API_KEY: master, TOOLPOST_TOKEN: master } }, call('ListAllApiKeys'));
  assert.ok(!keys.result.isError);
  const env = { TOOLPOST_AUTH_JWT_SECRET: jwtSecret };
  const [info, denied] = await session(
    { args, env: { ...env, TOOLPOST_TOKEN: jwt({ scope: 'read' }) } }, call('system_info'), call('ListAllApiKeys'));
  assert.ok(!info.result.isError);
  assert.match(JSON.stringify(denied), /admin/);
});

test('stdio: a bad TOOLPOST_TOKEN ends the start with status 3 and says why, without the token', async () => {
  const revoked = await createKey();
  await runToolpost(['keys', 'revoke', revoked.split('_')[1]], { directory: state.path });
  const bad = [revoked, 'mcp_nobody_at_all', 'not a token', jwt({ exp: 1 }), jwt({}).slice(0, -4)];
  for (const token of bad) {
    const env = { TOOLPOST_TOKEN: token, MSSQL_MCP_API_KEY: master, TOOLPOST_AUTH_JWT_SECRET: jwtSecret };
    const { code, out, err } = await runToolpost(['stdio'], { directory: state.path, env, input: null });
    assert.equal(code, 3, `${token}: ${err}`);
    assert.match(err, /TOOLPOST_TOKEN is refused/);
    assert.ok(!err.includes(token) && out === '');
  }
});

test('stdio: a key that is no longer good is refused without other authentication too', async () => {
  const { code, err } = await runToolpost(['stdio'], { directory: state.path, env: { TOOLPOST_TOKEN: 'mcp_nobody_at_all' }, input: null });
  assert.equal(code, 3, err);
});

test('stdio: no TOOLPOST_TOKEN where authentication is configured ends the start with status 3 and says what to set', async () => {
  for (const env of [{ MSSQL_MCP_API_KEY: master }, { TOOLPOST_AUTH_JWT_SECRET: jwtSecret }, { TOOLPOST_AUTH_REQUIRED: 'true' }]) {
    const { code, out, err } = await runToolpost(['stdio'], { directory: state.path, env, input: null });
    assert.equal(code, 3, err);
    assert.match(err, /set TOOLPOST_TOKEN/);
    assert.equal(out, '');
  }
});
