// Byte for byte, as far as it matters: the same raw requests to our server and to a mirror of it on the real @trpc/server.
import { jsonlStreamConsumer } from '@trpc/server/unstable-core-do-not-import';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { bearer } from './callers.mjs';
import { startToolpost, temporaryDirectory, within } from './servers.mjs';
import { startMirror } from './trpc_mirror.mjs';

const master = 'mk-4f9c1e77-a2d8-43b6-9d15';
const work = temporaryDirectory();
const file = join(work.path, 'hello.txt');
let server;
let mirror;
before(async () => {
  writeFileSync(file, 'hello');
  server = await startToolpost({ env: { MSSQL_MCP_API_KEY: master, TOOLPOST_FILES_ROOTS: work.path } });
  mirror = await startMirror(server.origin, master);
});
after(async () => {
  mirror?.stop();
  await server?.stop();
  work.cleanUp();
});

const json = { 'content-type': 'application/json' };
const lines = { 'trpc-accept': 'application/jsonl' };
const input = (value) => `input=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`;
const read = { path: file };
const get = (target, headers = {}) => ({ method: 'GET', target, headers });
const post = (target, body, headers = json) => ({
  method: 'POST', target, headers, body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
});

// `words: false`: the message is ours to choose (validation, what JSON.parse says, refusals).
const cases = {
  'a query': get('mcp.status'),
  'a query with input': get(`mcp.file.read?${input(read)}`),
  'a query with an empty input': get('mcp.status?input='),
  'a query whose input is ignored': get(`mcp.status?${input({ x: 1 })}`),
  'a query whose broken input is ignored': get('mcp.status?input=%7B'),
  'an optional input left out': get('mcp.listTools'),
  'an optional input': get(`mcp.listTools?${input({ category: 'file' })}`),
  'parameters in another order': get(`mcp.file.read?x=1&${input(read)}&y=2`),
  'plus signs are spaces': get(`mcp.file.read?input=%7B%22path%22:+%22${encodeURIComponent(file)}%22%7D`),
  'two inputs, the first counts': get(`mcp.file.read?${input(read)}&${input({})}`),
  'a query by POST': post('mcp.file.read', read),
  'a query without input by POST': post('mcp.status'),
  'a mutation': post('mcp.executeTool', { name: 'system/tools', arguments: { category: 'none' } }),
  'a mutation with a charset': post('mcp.executeTool', { name: 'file_read', arguments: read }, { 'content-type': 'application/json; charset=utf-8' }),
  'a mutation with a loud content type': post('mcp.executeTool', { name: 'file/read', arguments: read }, { 'content-type': 'Application/JSON' }),
  'a mutation by GET': get('mcp.executeTool'),
  'a mutation by PUT': { ...post('mcp.executeTool', {}), method: 'PUT' },
  'a query by DELETE': { ...post('mcp.status', {}), method: 'DELETE' },
  'a query by PATCH without content type': { ...post('mcp.status', {}, {}), method: 'PATCH' },
  'HEAD': { method: 'HEAD', target: 'mcp.status', headers: {} },
  'an unknown procedure': get('mcp.nothing'),
  'an unknown procedure by POST': post('mcp.nothing', {}),
  'the name of a router': get('mcp.file'),
  'a name of every object': get('constructor'),
  'no procedure': get(''),
  'a slash in the path': get('mcp/status'),
  'an escaped dot': get('mcp%2Estatus'),
  'a broken escape': get('mcp%2'),
  'bytes that are no text': get('%ff'),
  'quotes in the path': get('%22%3Cx%3E%22'),
  'a comma without batch': get('mcp.status,mcp.status'),
  'no content type': post('mcp.executeTool', {}, {}),
  'another content type': post('mcp.executeTool', 'x', { 'content-type': 'text/plain' }),
  'another content type on GET': get('mcp.status', { 'content-type': 'text/plain' }),
  'a form by GET': get('mcp.status', { 'content-type': 'multipart/form-data; boundary=x' }),
  'octets by GET': get('mcp.status', { 'content-type': 'application/octet-stream' }),
  'broken JSON by GET': { ...get('mcp.file.read?input=%7B'), words: false },
  'broken JSON by POST': { ...post('mcp.executeTool', '{"name":'), words: false },
  'an empty body': { ...post('mcp.executeTool', ''), words: false },
  'a missing input': { ...get('mcp.file.read'), words: false },
  'an input of the wrong type': { ...get(`mcp.file.read?${input([])}`), words: false },
  'a member of the wrong type': { ...get(`mcp.file.read?${input({ path: 1 })}`), words: false },
  'a member nobody knows': { ...get(`mcp.file.read?${input({ path: file, x: 1 })}`), words: false },
  'a value outside an enumeration': { ...get(`mcp.file.read?${input({ path: file, encoding: 'x' })}`), words: false },
  'a tool name in no form': { ...post('mcp.executeTool', { name: 'nonsense' }), words: false },
  'a failing tool': get(`mcp.file.read?${input({ path: join(work.path, 'none') })}`),
  'nobody': { ...get('mcp.status', { authorization: '' }), words: false },
  'nobody, in a batch': { ...get('mcp.status,mcp.listTools?batch=1', { authorization: '' }), words: false },
  'nobody, in lines': { ...get('mcp.status,mcp.listTools?batch=1', { ...lines, authorization: '' }), words: false },
  'a batch of one': get('mcp.status?batch=1&input=%7B%7D'),
  'a batch without input': get('mcp.status,mcp.listTools?batch=1'),
  'a batch': get(`mcp.status,mcp.file.read?batch=1&${input({ 1: read })}`),
  'a batch with an escaped comma': get(`mcp.status%2Cmcp.file.read?batch=1&${input({ 1: read })}`),
  'a batch with all kinds of ends': { ...get(`mcp.file.read,mcp.nothing,mcp.file.read?batch=1&${input({ 0: read })}`), words: false },
  'a batch that fails in one way': get('mcp.a,mcp.b?batch=1'),
  'a batch of mutations': {
    ...post('mcp.executeTool,mcp.executeTool?batch=1', { 0: { name: 'file/read', arguments: read }, 1: { name: 'file/none/x' } }), words: false,
  },
  'a batch of queries by POST': post('mcp.status,mcp.file.read?batch=1', { 1: read }),
  'a batch whose input is an array': get('mcp.file.read?batch=1&input=%5B%5D'),
  'a batch whose input is a number': get('mcp.status,mcp.file.read?batch=1&input=1'),
  'a batch with broken input': { ...get('mcp.status,mcp.file.read?batch=1&input=%7B'), words: false },
  'a batch with an empty name': get('mcp.status,?batch=1'),
  'a batch of queries and mutations': get('mcp.status,mcp.executeTool?batch=1'),
  'a batch of mutations and queries by POST': post('mcp.executeTool,mcp.status?batch=1', {}),
  'a batch of mutations by GET': get('mcp.executeTool,mcp.executeTool?batch=1'),
  'a subscription in a batch': get('mcp.events?batch=1'),
  'a batch that is too large': get(`${Array(257).fill('x').join(',')}?batch=1`),
  'batch=2 is no batch': get('mcp.status?batch=2'),
  'lines without a batch': get('mcp.status', lines),
  'lines': get(`mcp.status,mcp.file.read?batch=1&${input({ 1: read })}`, lines),
  'lines by Accept': get('mcp.status?batch=1', { accept: 'application/jsonl' }),
  'lines with errors': { ...get('mcp.status,mcp.nothing,mcp.file.read?batch=1', lines), words: false },
  'lines with a subscription': get('mcp.events?batch=1', lines),
  'lines of mixed kinds': get('mcp.status,mcp.executeTool?batch=1', lines),
  'broken connection parameters': get('mcp.events?connectionParams=%7B'),
  'connection parameters that are no strings': get('mcp.events?connectionParams=%7B%22a%22:1%7D'),
  'connection parameters of a query': get('mcp.status?connectionParams=null'),
  'a subscription': { ...get('mcp.events', { accept: 'text/event-stream' }), events: 1 },
  'a subscription by POST': { ...post('mcp.events', {}), events: 1 },
  'a subscription by PUT': { ...post('mcp.events', {}), method: 'PUT', events: 2 },
  'a subscription with a wrong input': { ...get(`mcp.events?${input({ types: ['x'] })}`), words: false, events: 2 },
  'a subscription with broken input': { ...get('mcp.events?input=%7B'), words: false, events: 2 },
  'a subscription of nobody': { ...get('mcp.events', { authorization: '' }), words: false, events: 2 },
  'an unknown subscription': get('mcp.nothing', { accept: 'text/event-stream' }),
};

/** One answer: `{status, headers, text}`; of an event stream the first `events` events. */
function send(origin, { method, target, headers, body, events }) {
  const { hostname, port } = new URL(origin);
  const all = { ...bearer(master), ...headers };
  if (headers.authorization === '') delete all.Authorization;
  delete all.authorization;
  if (body) all['content-length'] = Buffer.byteLength(body);
  const answer = new Promise((resolve, reject) => {
    const request = http.request({ hostname, port, path: `/trpc/${target}`, method, headers: all, agent: false }, (response) => {
      let text = '';
      const done = () => resolve({ status: response.statusCode, headers: response.headers, text });
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
        if (events && text.split(/\n\n+/).filter(Boolean).length >= events && /\n\n$/.test(text)) {
          done();
          request.destroy();
        }
      });
      response.on('end', done).on('error', () => {});
    });
    request.on('error', reject);
    request.end(body);
  });
  return within(20_000, `${method} ${target}`, answer);
}

const events = (text) => text.split(/\n\n+/).filter(Boolean).map((block) => {
  const fields = Object.fromEntries(block.split('\n').filter(Boolean).map((line) => line.split(/: ?(.*)/s).slice(0, 2)));
  return { event: fields.event, data: fields.data && JSON.parse(fields.data) };
});

async function decoded(text) {
  const from = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text));
      controller.close();
    },
  });
  const [head] = await jsonlStreamConsumer({ from, abortController: new AbortController() });
  return Promise.all(Object.values(head).map(async (call) => {
    const envelope = await (await call);
    const settled = envelope.error ? envelope : { result: { data: await (await envelope.result).data } };
    return settled;
  }));
}

// What differs from call to call, and what is ours to word.
function comparable(value, words) {
  return JSON.parse(JSON.stringify(value, (key, member) => {
    if (key === 'executionTime') return 'some time';
    if (key === 'data' && member?.uptimeSeconds !== undefined) return 'the status';
    if (key === 'issues') return undefined;
    if (key === 'message' && !words) return 'ours';
    return member;
  }));
}

async function bodyOf({ headers, text }, words) {
  if (text === '') return '';
  const type = headers['content-type'];
  if (type.startsWith('text/event-stream')) return comparable(events(text), words);
  if (/^\{"0":\[\[/.test(text)) return comparable(await decoded(text), words);
  return comparable(JSON.parse(text), words);
}

assert.ok(Object.keys(cases).length >= 50);
for (const [name, request] of Object.entries(cases)) {
  test(`trpc wire: ${name}`, async () => {
    const [ours, theirs] = [await send(server.origin, request), await send(mirror.origin, request)];
    assert.equal(ours.status, theirs.status, ours.text);
    const words = request.words ?? true;
    assert.deepEqual(await bodyOf(ours, words), await bodyOf(theirs, words));
    if (request.method === 'HEAD') return;
    // The reference sends errors of whole requests as text/plain; they are JSON.
    const type = theirs.headers['content-type'].startsWith('text/plain') ? 'application/json' : theirs.headers['content-type'];
    assert.equal(ours.headers['content-type'], type);
    for (const header of ['vary', 'cache-control', 'x-accel-buffering']) assert.equal(ours.headers[header], theirs.headers[header], header);
  });
}
