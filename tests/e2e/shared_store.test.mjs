// Two servers on one PostgreSQL store: what one does to a key holds for the other.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { bearer, openSession, openSocket, rpc } from './callers.mjs';
import { startPostgres } from './postgres.mjs';
import { eventually, runToolpost, startToolpost, temporaryDirectory } from './servers.mjs';

const master = 'mk-91d7b3c4-55e0-4f2a-8c6b';
let postgres;
let env;
let one;
let other;
before(async () => {
  postgres = await startPostgres();
  env = { TOOLPOST_STORE_URL: postgres.url, MSSQL_MCP_API_KEY: master };
  // At the same time: both find an empty database.
  [one, other] = await Promise.all([startToolpost({ env }), startToolpost({ env })]);
});
after(async () => {
  const codes = await Promise.all([one?.stop(), other?.stop()]);
  await postgres?.stop();
  assert.deepEqual(codes, [0, 0]);
});

const manage = async (server, method, params) => (await rpc(`${server.origin}/rpc`, method, params, bearer(master))).body.result;
const statusOf = async (server, key) => (await rpc(`${server.origin}/rpc`, 'system_info', {}, bearer(key))).status;

test('shared store: a key made on one server works on the other', async () => {
  const { key, id } = await manage(one, 'CreateApiKey', { name: 'shared', userId: 'ada' });
  assert.equal(await statusOf(one, key), 200);
  await eventually('the other knows it', async () => (await statusOf(other, key)) === 200);
  assert.ok((await manage(other, 'ListAllApiKeys', {})).keys.some((entry) => entry.id === id));
});

test('shared store: a key revoked on one server is refused on the other, on open connections too', async () => {
  const { key, id } = await manage(one, 'CreateApiKey', { name: 'shared', userId: 'ada' });
  await eventually('the other knows it', async () => (await statusOf(other, key)) === 200);
  const session = await openSession(`${other.origin}/mcp`, bearer(key));
  const { socket, request } = await openSocket(other.origin, { headers: bearer(key) });
  const call = { name: 'system_info', arguments: {} };
  assert.ok((await request('tools/call', call)).result);

  assert.equal((await manage(one, 'RevokeApiKey', { id })).success, true);
  assert.equal(await statusOf(one, key), 403);
  await eventually('the other refuses it', async () => (await statusOf(other, key)) === 403);
  assert.equal((await session.request('tools/call', call)).status, 403);
  const answer = await request('tools/call', call).catch((closed) => ({ error: closed }));
  assert.ok(answer.error ?? answer.result.isError, JSON.stringify(answer));
  socket.terminate();
});

test('shared store: revoked on one server means refused on the other within a second', async (t) => {
  const times = [];
  for (let round = 0; round < 5; round += 1) {
    const { key, id } = await manage(one, 'CreateApiKey', { name: 'short', userId: 'ada' });
    await eventually('the other knows it', async () => (await statusOf(other, key)) === 200);
    const revoked = performance.now();
    assert.equal((await manage(one, 'RevokeApiKey', { id })).success, true);
    await eventually('the other refuses it', async () => (await statusOf(other, key)) === 403);
    times.push(performance.now() - revoked);
  }
  t.diagnostic(`refused after ${times.map((time) => time.toFixed(0)).join(', ')} ms`);
  // The middle one: a busy machine may hold one round up.
  assert.ok(times.sort((a, b) => a - b)[2] < 1_000, `${times}`);
});

test('shared store: a key deleted on one server is refused on the other, which has its usage', async () => {
  const { key, id } = await manage(one, 'CreateApiKey', { name: 'shared', userId: 'ada' });
  assert.equal(await statusOf(one, key), 200);
  await eventually('the usage', async () => (await manage(other, 'GetApiKeyUsageLogs', { apiKeyId: id })).count === 1);
  await manage(one, 'DeleteApiKey', { id });
  await eventually('the other refuses it', async () => (await statusOf(other, key)) === 403);
  const { logs } = await manage(other, 'GetApiKeyUsageLogs', { apiKeyId: id });
  assert.equal(logs.at(-1).resource, 'system/info');
});

test('shared store: keys made at once on both servers are all there', async () => {
  const made = await Promise.all(
    [one, other].flatMap((server) => Array.from({ length: 10 }, () => manage(server, 'CreateApiKey', { name: 'many', userId: 'crowd' }))));
  assert.equal(new Set(made.map(({ id }) => id)).size, 20);
  for (const server of [one, other]) {
    await eventually('all keys', async () => {
      const codes = await Promise.all(made.map(({ key }) => statusOf(server, key)));
      return codes.every((code) => code === 200);
    });
  }
});

test('shared store: the command line works on the same store', async () => {
  const directory = temporaryDirectory();
  const cli = (...args) => runToolpost(args, { directory: directory.path, env: { TOOLPOST_STORE_URL: postgres.url } });
  const { key, id } = await manage(one, 'CreateApiKey', { name: 'for the cli', userId: 'cli' });
  assert.match((await cli('keys', 'list', '--user', 'cli')).out, new RegExp(id));
  assert.equal((await cli('keys', 'revoke', id)).code, 0);
  for (const server of [one, other]) await eventually('refusal', async () => (await statusOf(server, key)) === 403);
  directory.cleanUp();
});
