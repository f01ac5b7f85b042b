// The checks check: each rule of the recorder and the proxy must be able to fail.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { test } from 'node:test';

import { startTap } from './http_tap.mjs';
import { Recorder, readLines } from './schema_check.mjs';
import { REVISIONS, Revision } from './schemas.mjs';

const skip = REVISIONS.every((name) => Revision.of(name)) ? false : 'the official schemas are not at hand';
const modern = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
const serverInfo = { 'io.modelcontextprotocol/serverInfo': { name: 'fake', version: '1' } };
const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'any' } };
const modernCall = { ...call, params: { ...call.params, _meta: modern } };
const answer = (result) => ({ jsonrpc: '2.0', id: 1, result });
const good = answer({ resultType: 'complete', content: [], _meta: serverInfo });
const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };

const cases = [
  ['an answer that fits', [modernCall], good, undefined],
  ['the wrong era', [call], good, /resultType does not fit 2025-11-25/],
  ['an answer that does not say who gives it', [modernCall], answer({ resultType: 'complete', content: [] }), /no serverInfo/],
  ['cache hints in a session', [call], answer({ content: [], ttlMs: 1 }), /cache hints/],
  ['neither result nor error', [call], { jsonrpc: '2.0', id: 1 }, /neither result nor error/],
  ['a request of the server in 2026-07-28', [modernCall], { jsonrpc: '2.0', id: 1, method: 'roots/list' }, /a server request/],
  ['an empty batch', [call], [], /an empty batch/],
  ['a task nobody may know', [{ ...call, method: 'tasks/list' }], answer({ resultType: 'complete' }), /does not fit/],
];
for (const [what, sent, received, expected] of cases) {
  test(`schema check: ${what}`, { skip }, () => {
    const recorder = new Recorder();
    sent.forEach((message) => recorder.sent(message));
    recorder.got(received);
    if (expected) assert.match(recorder.violations.join('\n'), expected);
    else assert.deepEqual(recorder.violations, []);
  });
}

const ping = { ...modernCall, id: 2 };
const pong = { ...good, id: 2 };
const conversations = [
  ['an answer crossing its cancellation', ['>', modernCall, '>', cancel, '>', ping, '<', good, '<', pong], undefined],
  ['an answer after its cancellation', ['>', modernCall, '>', cancel, '>', ping, '<', pong, '<', good], /after the cancellation/],
  ['an answer to an id used again', ['>', modernCall, '>', cancel, '>', ping, '<', pong, '>', modernCall, '<', good], undefined],
];
for (const [what, conversation, expected] of conversations) {
  test(`schema check: ${what}`, { skip }, () => {
    const lines = conversation.flatMap((mark, at) => (at % 2 === 0 ? [`${mark} ${JSON.stringify(conversation[at + 1])}`] : []));
    const recorder = new Recorder();
    readLines(lines, recorder);
    if (expected) assert.match(recorder.violations.join('\n'), expected);
    else assert.deepEqual(recorder.violations, []);
  });
}

// A server that answers every request with the same text.
async function startFake(type, text) {
  const server = http.createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': type }).end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { origin: `http://127.0.0.1:${server.address().port}`, stop: () => server.close() };
}

const bad = JSON.stringify(answer({ resultType: 'complete', content: 'text', _meta: serverInfo }));
const bodies = {
  'a fitting reply': ['application/json', JSON.stringify(good), undefined],
  'a bad reply': ['application/json', bad, /not a CallToolResult/],
  'a bad event': ['text/event-stream', `event: message\ndata: ${bad}\n\n`, /not a CallToolResult/],
  'silence': ['text/event-stream', ': nothing\n\n', /no message passed/],
};
for (const [what, [type, text, expected]] of Object.entries(bodies)) {
  test(`http tap: ${what}`, { skip }, async (t) => {
    const tap = await startTap(await startFake(type, text));
    const reply = await fetch(tap.url, { method: 'POST', body: JSON.stringify(modernCall) });
    assert.equal(await reply.text(), text);
    if (expected) assert.throws(() => tap.verify(t), expected);
    else tap.verify(t);
    await tap.stop();
  });
}
