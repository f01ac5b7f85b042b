// One fault at a time: only what depends on it fails, with a reason; the first call after the fault succeeds.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';

import { bearer, callTool, signedToken } from './callers.mjs';
import { startCollector } from './collector.mjs';
import { startPostgres } from './postgres.mjs';
import { eventually, startToolpost, temporaryDirectory } from './servers.mjs';

const jwtSecret = 'e2e-jwt-secret-40b8d2c71e9f4a63-d1';
const someone = bearer(signedToken(jwtSecret, { sub: 'ann', scope: 'read write admin' }));

/** Calls of one server: the result, the report of /readyz and a value of /metrics. */
function watch(server, headers = {}) {
  const call = async (name, args = {}) => (await callTool(`${server.origin}/rpc`, name, args, headers)).body;
  return {
    call,
    ok: async (name, args) => {
      const { result, error } = await call(name, args);
      return !error && !result.isError;
    },
    textOf: async (name, args) => JSON.stringify(await call(name, args)),
    problemOf: async (dependency) => {
      const response = await fetch(`${server.origin}/readyz`, { headers });
      assert.equal(response.status, 200, 'a server with a problem is still ready');
      const { checks } = await response.json();
      return checks.find(({ name }) => name === dependency).problem;
    },
    metric: async (series) => {
      const text = await (await fetch(`${server.origin}/metrics`, { headers })).text();
      return Number(text.split('\n').find((line) => line.startsWith(`${series} `))?.split(' ').at(-1));
    },
  };
}

test('PRD_NFR_012 the store is down: the todo tools say so, everything else goes on', async () => {
  const postgres = await startPostgres();
  const server = await startToolpost({ env: { TOOLPOST_AUTH_JWT_SECRET: jwtSecret, TOOLPOST_STORE_URL: postgres.createDatabase('store') } });
  const { ok, textOf, problemOf, metric } = watch(server, someone);
  try {
    assert.ok(await ok('list_tasks'));
    assert.equal(await problemOf('store'), undefined);
    await postgres.halt();
    assert.match(await textOf('list_tasks'), /Failed to list task: service unavailable/);
    for (const tool of ['system_info', 'database_tables']) assert.ok(await ok(tool), tool);
    assert.ok(await eventually('the problem', () => problemOf('store')));
    assert.equal(await metric('toolpost_dependency_up{dependency="store"}'), 0);
    await postgres.resume();
    assert.ok(await ok('list_tasks'), 'the first call after the fault');
    await eventually('no problem', async () => (await problemOf('store')) === undefined);
  } finally {
    await server.stop();
    await postgres.stop();
  }
});

test('PRD_NFR_012 the disk of the audit log is full: calls are served, the loss is counted and admitted', async () => {
  const state = temporaryDirectory();
  const audit = join(state.path, 'audit');
  mkdirSync(audit, { mode: 0o700 });
  const server = await startToolpost({
    directory: state.path,
    // A small disk of its own, seen by the server alone.
    around: ['unshare', '-rm', 'sh', '-c', `mount -t tmpfs -o size=512k,mode=700 none '${audit}' && exec "$0" "$@"`],
  });
  const { ok, problemOf, metric } = watch(server);
  const ballast = join(`/proc/${server.pid}/root`, audit, 'ballast');
  try {
    assert.ok(await ok('system_info'));
    await eventually('the first record', async () => (await metric('toolpost_audit_lost_total')) === 0);
    try {
      writeFileSync(ballast, Buffer.alloc(1024 * 1024));
    } catch (error) {
      assert.equal(error.code, 'ENOSPC');
    }
    for (let i = 0; i < 20; ++i) assert.ok(await ok('system_info', {}), 'calls go on');
    // A few records may still fit into the last block.
    const problem = await eventually('the problem', async () => (await ok('system_info')) && problemOf('audit'));
    assert.doesNotMatch(problem, /toolpost-e2e/, 'no path');
    assert.ok((await metric('toolpost_audit_lost_total')) > 0);
    rmSync(ballast);
    assert.ok(await ok('system_info'), 'the first call after the fault');
    await eventually('no problem', async () => (await ok('system_info')) && (await problemOf('audit')) === undefined);
  } finally {
    await server.stop();
    state.cleanUp();
  }
});

test('PRD_NFR_012 all connections to a database are in use: its tools say so, everything else goes on', async () => {
  const server = await startToolpost({ env: { TOOLPOST_DATABASE_MAX_CONNECTIONS: '1', TOOLPOST_DATABASE_TIMEOUT: '3s' } });
  const { ok, call, metric } = watch(server);
  const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000000000) SELECT count(*) FROM n';
  try {
    assert.ok(await ok('database_query', { query: 'SELECT 1' }));
    const limit = await metric('toolpost_db_pool_limit{pool="sample"}');
    const running = Array.from({ length: limit + 3 }, () => call('database_query', { query: endless }));
    await eventually('a full pool', async () => (await metric('toolpost_db_pool_in_use{pool="sample"}')) === limit);
    for (const tool of ['system_info', 'list_tasks']) assert.ok(await ok(tool), tool);
    const answers = (await Promise.all(running)).map((answer) => JSON.stringify(answer));
    for (const answer of answers) assert.match(answer, /in use: try again|too long|did not finish in time/);
    assert.ok(await ok('database_query', { query: 'SELECT 1' }), 'the first call after the fault');
    assert.equal(await metric('toolpost_db_pool_in_use{pool="sample"}'), 0);
  } finally {
    await server.stop();
  }
});

test('PRD_NFR_012 the queue of the workers is full: calls that need one are told to retry, others go on', async () => {
  const server = await startToolpost({ env: { TOOLPOST_LIMITS_WORKERS: '1', TOOLPOST_LIMITS_QUEUE: '1', TOOLPOST_DATABASE_TIMEOUT: '3s' } });
  const { ok, call, textOf, metric } = watch(server);
  const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000000000) SELECT count(*) FROM n';
  try {
    assert.ok(await ok('list_tasks'));
    const running = [call('database_query', { query: endless })];
    await eventually('a busy worker', async () => (await metric('toolpost_worker_busy')) === 1);
    running.push(call('list_tasks'));
    await eventually('a full queue', async () => (await metric('toolpost_worker_queue_depth')) === 1);
    assert.match(await textOf('list_tasks'), /busy, retry/);
    assert.ok(await ok('system_info'), 'needs no worker');
    assert.equal(await metric('toolpost_tool_calls_total{tool="todo/list_tasks",outcome="UNAVAILABLE"}'), 1);
    const [, waiting] = await Promise.all(running);
    assert.ok(waiting.result && !waiting.result.isError, 'what waited is served');
    assert.ok(await ok('list_tasks'), 'the first call after the fault');
  } finally {
    await server.stop();
  }
});

test('PRD_NFR_012 the collector is down: calls are served as ever, spans are dropped and counted, and arrive once it is back', async () => {
  const gone = await startCollector();
  const { port } = gone;
  await gone.stop();
  const server = await startToolpost({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, TOOLPOST_TELEMETRY_QUEUE: '10', TOOLPOST_TELEMETRY_INTERVAL: '1s' },
  });
  const { ok, problemOf, metric } = watch(server);
  let collector;
  try {
    for (let i = 0; i < 50; ++i) assert.ok(await ok('system_info'));
    assert.ok(await eventually('the problem', () => problemOf('collector')));
    const dropped = await metric('toolpost_telemetry_spans_dropped_total');
    assert.ok(dropped >= 30, `${dropped} dropped`);
    collector = await startCollector({ port });
    assert.ok(await ok('system_info'), 'a call while it comes back');
    await eventually('spans', () => collector.spans.length > 0, 60_000);
    await eventually('no problem', async () => (await problemOf('collector')) === undefined);
    assert.ok((await metric('toolpost_telemetry_spans_exported_total')) > 0);
  } finally {
    await server.stop();
    await collector?.stop();
  }
});

test('PRD_NFR_012 a server whose collector hangs stops all the same', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const server = await startToolpost({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${silent.address().port}` } });
  assert.ok(await watch(server).ok('system_info'));
  assert.equal(await server.stop(), 0);
  silent.close();
});
