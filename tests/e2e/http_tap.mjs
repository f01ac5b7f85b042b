// A proxy between a client we cannot look into and a server: every message that passes is judged.
//
// A session has one Recorder, found by its id or, on HTTP+SSE, by the address it was told to post to. A request outside of
// sessions is judged on its own.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';

import { Recorder, eventStreamParser, parsed } from './schema_check.mjs';

const DOORS = /^\/(mcp|sse|messages)\b/;
const SESSION = 'mcp-session-id';

class Tap {
  #sessions = new Map();
  recorders = [];

  /** The recorder of the session `name`, which may be new; without a name one for this exchange alone. */
  recorder(name) {
    const known = this.#sessions.get(name);
    if (known) return known;
    const recorder = new Recorder();
    this.recorders.push(recorder);
    if (name) this.#sessions.set(name, recorder);
    return recorder;
  }

  /** `recorder` goes on as the session `name`. */
  adopt(name, recorder) {
    if (!this.#sessions.has(name)) this.#sessions.set(name, recorder);
  }
}

function watch(tap, recorder, answer) {
  const type = answer.headers['content-type'] ?? '';
  if (type.includes('event-stream')) {
    const onEndpoint = (address) => tap.adopt(address, recorder);
    answer.on('data', eventStreamParser((data) => recorder.got(JSON.parse(data)), onEndpoint));
  } else if (type.includes('json')) {
    const chunks = [];
    answer.on('data', (chunk) => chunks.push(chunk));
    answer.on('end', () => chunks.length > 0 && recorder.got(JSON.parse(Buffer.concat(chunks))));
  }
}

async function forward(tap, origin, request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const { method, rawHeaders: headers, url } = request;
  const watched = DOORS.test(url);
  const recorder = watched && tap.recorder(request.headers[SESSION] ?? (url.startsWith('/messages') ? url : undefined));
  if (recorder && method === 'POST') recorder.sent(parsed(body));
  const onward = http.request(new URL(url, origin), { method, headers, setHost: false, agent: false });
  response.on('close', () => onward.destroy());
  onward.on('error', () => response.destroy());
  onward.on('response', (answer) => {
    if (recorder) {
      const session = answer.headers[SESSION];
      if (session) tap.adopt(session, recorder);
      watch(tap, recorder, answer);
    }
    response.writeHead(answer.statusCode, answer.rawHeaders);
    response.flushHeaders();
    answer.on('aborted', () => response.destroy());
    answer.pipe(response);
  });
  onward.end(body);
}

/** A tap in front of a server of servers.mjs: `{url, origin, verify, stop}`. */
export async function startTap(server) {
  const tap = new Tap();
  const proxy = http.createServer((request, response) => {
    forward(tap, server.origin, request, response).catch(() => response.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const origin = `http://127.0.0.1:${proxy.address().port}`;
  return {
    origin,
    url: `${origin}/mcp`,
    /** Fails if a message broke its schema, or if none was seen. */
    verify: (test) => {
      const seen = tap.recorders.filter(({ received }) => received.length > 0);
      assert.ok(seen.length > 0, 'no message passed the tap');
      assert.deepEqual(seen.flatMap(({ violations }) => violations), []);
      for (const recorder of seen) recorder.verify();
      const counts = {};
      for (const { checked } of seen) for (const [revision, count] of checked) counts[revision] = (counts[revision] ?? 0) + count;
      test.diagnostic(`validated ${JSON.stringify(counts)}`);
    },
    stop: async () => {
      proxy.closeAllConnections();
      proxy.close();
      return server.stop();
    },
  };
}
