// WebSocket on /ws: one JSON-RPC message per text frame, both eras.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';

import WebSocket from 'ws';

import { Recorder } from './schema_check.mjs';
import { startConformanceServer, within } from './servers.mjs';

let server;
before(async () => {
  server = await startConformanceServer();
});
after(async () => {
  assert.equal(await server.stop(), 0);
});

async function open(options = {}) {
  const socket = new WebSocket(`${server.origin.replace('http', 'ws')}/ws`, options);
  const recorder = new Recorder();
  const arrived = [];
  const waiting = [];
  socket.on('message', (data) => {
    const message = JSON.parse(data);
    recorder.got(message);
    (waiting.shift() ?? ((value) => arrived.push(value)))(message);
  });
  await within(10_000, 'opening', once(socket, 'open'));
  return {
    socket,
    send: (message) => {
      recorder.sent(message);
      socket.send(JSON.stringify(message));
    },
    next: () => within(10_000, 'message', arrived.length ? arrived.shift() : new Promise((resolve) => waiting.push(resolve))),
    /** Closes, and judges what the server sent. */
    close: async (t) => {
      const closed = once(socket, 'close');
      socket.close();
      await within(10_000, 'closing', closed);
      recorder.verify(t);
    },
  };
}

const clientInfo = { name: 'e2e', version: '1' };

test('websocket: a handshake session', async (t) => {
  const { send, next, close } = await open();
  send({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
  assert.equal((await next()).result.protocolVersion, '2025-06-18');
  send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'greet', arguments: { name: 'Ada' } } });
  const reply = await next();
  assert.equal(reply.id, 2);
  assert.equal(reply.result.content[0].text, 'Hello, Ada!');
  await close(t);
});

test('websocket: a request of 2026-07-28 needs no handshake', async (t) => {
  const { send, next, close } = await open();
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  send({ jsonrpc: '2.0', id: 'a', method: 'tools/call', params: { _meta, name: 'greet', arguments: { name: 'Ada' } } });
  const reply = await next();
  assert.equal(reply.id, 'a');
  assert.equal(reply.result.resultType, 'complete');
  await close(t);
});

test('websocket: PRD_FR_004_2 a call before initialize is refused', async (t) => {
  const { send, next, close } = await open();
  send({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  assert.equal((await next()).error.code, -32002);
  await close(t);
});

test('websocket: a foreign origin is refused', async () => {
  const socket = new WebSocket(`${server.origin.replace('http', 'ws')}/ws`, { origin: 'http://evil.example.com' });
  const [, response] = await within(10_000, 'refusal', once(socket, 'unexpected-response'));
  assert.equal(response.statusCode, 403);
});

test('websocket: text that is not JSON gets a parse error and the socket lives on', async (t) => {
  const { socket, send, next, close } = await open();
  socket.send('{"jsonrpc":');
  assert.equal((await next()).error.code, -32700);
  send({ jsonrpc: '2.0', id: 1, method: 'ping' });
  assert.equal((await next()).id, 1);
  await close(t);
});
