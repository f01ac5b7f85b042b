// @modelcontextprotocol/sdk 1.x, the client most programs use today: Streamable HTTP, stdio and HTTP+SSE.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, test } from 'node:test';

import { defineBehaviours, defineProductBehaviours, text } from './behaviours.mjs';
import { openHttp, openSse, openStdio } from './sdk_v1.mjs';
import {
  conformanceServer, startConformanceServer, startToolpost, temporaryDirectory, toolpost, within,
} from './servers.mjs';

let fixture;
let product;
before(async () => {
  fixture = await startConformanceServer();
  product = await startToolpost();
});
after(async () => {
  assert.deepEqual([await fixture?.stop(), await product?.stop()], [0, 0], 'clean exit after SIGTERM');
});

defineBehaviours('sdk 1.x http', { modern: false, open: (setup) => openHttp(fixture.url, setup) });
defineBehaviours('sdk 1.x stdio', { modern: false, open: (setup) => openStdio(conformanceServer(), setup) });
defineBehaviours('sdk 1.x sse', { modern: false, open: (setup) => openSse(fixture.origin, setup) });
defineProductBehaviours('sdk 1.x http', { open: (setup) => openHttp(product.url, setup) });
defineProductBehaviours('sdk 1.x stdio', { open: (setup) => openStdio(toolpost(), setup) });
defineProductBehaviours('sdk 1.x sse', { open: (setup) => openSse(product.origin, setup) });

test('sdk 1.x http: a result survives a closed stream', async (t) => {
  const session = await openHttp(fixture.url, {});
  const result = await within(20_000, 'resumed result', session.call({ name: 'test_reconnection' }));
  assert.equal(text(result), 'Reconnection test completed');
  await session.close(t);
});

test('sdk 1.x http: PRD_FR_003_1 a deleted session is gone', async (t) => {
  const session = await openHttp(fixture.url, {});
  const { sessionId } = session.transport;
  assert.match(sessionId, /^[\x21-\x7e]{16,}$/);
  await session.transport.terminateSession();
  const answer = await fetch(fixture.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-session-id': sessionId,
      'mcp-protocol-version': '2025-11-25',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  assert.equal(answer.status, 404);
  await session.close(t);
});

test('sdk 1.x http: ping works', async (t) => {
  const session = await openHttp(fixture.url, {});
  await session.client.ping();
  await session.close(t);
});

test('sdk 1.x http: pages add up to the whole list', async (t) => {
  const paged = await startConformanceServer({ MCP_PAGE_SIZE: '7' });
  const whole = await openHttp(fixture.url, {});
  const session = await openHttp(paged.url, {});
  const names = [];
  let cursor;
  do {
    const page = await session.client.listTools(cursor ? { cursor } : {});
    assert.ok(page.tools.length <= 7);
    names.push(...page.tools.map((tool) => tool.name));
    cursor = page.nextCursor;
  } while (cursor && names.length < 1_000);
  const { tools } = await whole.client.listTools();
  assert.deepEqual(names.filter((name) => name !== 'test_extra'), tools.map((tool) => tool.name).filter((name) => name !== 'test_extra'));
  await assert.rejects(session.client.listTools({ cursor: 'made up' }), (error) => error.code === -32602);
  await session.close(t);
  await whole.close(t);
  await paged.stop();
});

test('sdk 1.x http: /mcp/canonical lists canonical ids', async (t) => {
  const session = await openHttp(`${product.url}/canonical`, {});
  const { tools } = await session.client.listTools();
  assert.ok(tools.every((tool) => /^[a-z]+\/[A-Za-z0-9_-]+$/.test(tool.name)), tools.map((tool) => tool.name).join());
  await session.close(t);
});

test('stdio: the server ends with its input', async () => {
  const state = temporaryDirectory();
  const child = spawn(toolpost(), ['stdio'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, TOOLPOST_STATE_DIR: state.path },
  });
  child.stdout.resume();
  child.stdin.end();
  const [code] = await within(10_000, 'exit at end of input', once(child, 'exit'));
  assert.equal(code, 0);
  state.cleanUp();
});
