// Checks every message a server sent against the official JSON schema of its protocol revision.
//
// A Recorder sees both directions, because a result can only be judged by the request it answers. `tapFetch` feeds it from
// HTTP, `readTap` from a log of stdio_tap.mjs or of the transcripts. Without the schema files (see schemas.mjs) only the rules
// that need no schema are checked, and the test says so.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import { MODERN, Revision } from './schemas.mjs';

const CLAIM = 'io.modelcontextprotocol/protocolVersion';
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
const key = (id) => JSON.stringify(id);

export class Recorder {
  #requests = new Map();
  #sentAt = new Map();
  #cancelledAt = new Map();
  #sent = 0;
  #answeredUpTo = 0;
  #negotiated;
  /** Every message the server sent, in order of arrival. */
  received = [];
  /** What was wrong, one line each. */
  violations = [];
  /** How many messages were validated, by revision. */
  checked = new Map();
  /** How many of them were errors without an id in a revision whose schema wants one: the only exception made. */
  anonymous = 0;
  /** Revisions that have no schema at hand. */
  unchecked = new Set();

  /**
   * A message, or batch, that the client sends; anything else cannot be answered and is ignored. `inOrder`: one pipe carries it and
   * everything else. Only then can a cancelled request be judged: a result may cross the cancellation, but none may come after the
   * answer to a request that was sent later still.
   */
  sent(message, { inOrder = false } = {}) {
    if (Array.isArray(message)) return message.forEach((one) => this.sent(one, { inOrder }));
    if (typeof message?.method !== 'string') return;
    this.#sent += 1;
    if (message.id !== undefined) {
      this.#requests.set(key(message.id), message);
      this.#sentAt.set(key(message.id), this.#sent);
      this.#cancelledAt.delete(key(message.id));
    }
    if (inOrder && message.method === 'notifications/cancelled') this.#cancelledAt.set(key(message.params?.requestId), this.#sent);
  }

  /** A message, or batch, that the server sent. */
  got(message) {
    if (Array.isArray(message)) {
      if (message.length === 0) this.violations.push('an empty batch');
      return message.forEach((one) => this.got(one));
    }
    this.received.push(message);
    const problem = message.method !== undefined ? this.#judgeCall(message) : this.#judgeReply(message);
    if (problem) this.violations.push(`${problem} in ${JSON.stringify(message).slice(0, 600)}`);
  }

  #schema(revision) {
    const schema = Revision.of(revision);
    if (schema) this.checked.set(revision, (this.checked.get(revision) ?? 0) + 1);
    else this.unchecked.add(revision);
    return schema;
  }

  #judgeCall(message) {
    const revision = this.#revisionOfCall(message.params);
    if (revision === MODERN && message.id !== undefined) return 'a server request in 2026-07-28';
    return this.#schema(revision)?.call(message);
  }

  // A notice belongs to a listen, to the request whose progress it reports, or to the session.
  #revisionOfCall(params) {
    if (params?._meta?.[SUBSCRIPTION] !== undefined) return MODERN;
    if (params?.progressToken !== undefined) {
      const token = key(params.progressToken);
      const request = [...this.#requests.values()].find(({ params: own }) => key(own?._meta?.progressToken) === token);
      return request ? this.#revisionOf(request) : (this.#negotiated ?? MODERN);
    }
    return this.#negotiated ?? MODERN;
  }

  #judgeReply(message) {
    const request = this.#requests.get(key(message.id));
    const tooLate = this.#cancelledAt.get(key(message.id)) < this.#answeredUpTo;
    this.#answeredUpTo = Math.max(this.#answeredUpTo, this.#sentAt.get(key(message.id)) ?? 0);
    if (message.error) {
      const schema = this.#schema(this.#revisionOf(request));
      if (schema?.isAnonymous(message)) this.anonymous += 1;
      return schema?.error(message);
    }
    if (!request) return 'a result nobody asked for';
    if (tooLate) return 'an answer after the cancellation';
    if (typeof message.result !== 'object' || message.result === null) return 'neither result nor error';
    if (request.method === 'initialize') this.#negotiated = message.result.protocolVersion;
    const revision = this.#revisionOf(request);
    const modern = revision === MODERN;
    if (modern !== (message.result.resultType !== undefined)) return `resultType does not fit ${revision}`;
    if (modern && !message.result._meta?.['io.modelcontextprotocol/serverInfo']) return 'no serverInfo';
    if (!modern && ('ttlMs' in message.result || 'cacheScope' in message.result)) return 'cache hints before 2026-07-28';
    return this.#schema(revision)?.answer(request.method, message);
  }

  #revisionOf(request) {
    if (request?.params?._meta?.[CLAIM] !== undefined) return MODERN;
    return this.#negotiated ?? '2025-11-25';
  }

  /** Fails if any message broke its schema, or if none was seen. */
  verify(test) {
    assert.ok(this.received.length > 0, 'the tap saw no message of the server');
    assert.deepEqual(this.violations, []);
    if (this.unchecked.size > 0) test?.diagnostic(`no schema files for ${[...this.unchecked].join(', ')}: not validated`);
    else assert.ok(this.checked.size > 0, 'no message was validated');
  }
}

/** A function that takes chunks of an event stream; `onEndpoint` gets the address that HTTP+SSE begins with. */
export function eventStreamParser(onData, onEndpoint = () => {}) {
  const decoder = new TextDecoder();
  let rest = '';
  return (chunk) => {
    rest += decoder.decode(chunk, { stream: true });
    const events = rest.split(/\r?\n\r?\n/);
    rest = events.pop();
    for (const event of events) {
      const lines = event.split(/\r?\n/);
      const kind = lines.find((line) => line.startsWith('event:'))?.slice(6).trim();
      const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trim());
      if (kind === 'endpoint') onEndpoint(data.join(''));
      else if (data.join('') !== '') onData(data.join('\n'));
    }
  };
}

/** A fetch that shows the recorder what passes. Cancelling the body still reaches the server. */
export function tapFetch(recorder) {
  return async (input, init) => {
    if (typeof init?.body === 'string' && init.body.startsWith('{')) recorder.sent(JSON.parse(init.body));
    const response = await fetch(input, init);
    const type = response.headers.get('content-type') ?? '';
    if (!response.body || !/json|event-stream/.test(type)) return response;
    let text = '';
    const decoder = new TextDecoder();
    const events = type.includes('event-stream') && eventStreamParser((data) => recorder.got(JSON.parse(data)));
    const watch = new TransformStream({
      transform(chunk, controller) {
        if (events) events(chunk);
        else text += decoder.decode(chunk, { stream: true });
        controller.enqueue(chunk);
      },
      flush() {
        if (!events && text !== '') recorder.got(JSON.parse(text));
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(watch), { status, statusText, headers });
  };
}

/** The value, or undefined for what is not JSON. */
export function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Feeds a log, "> " from the client and "< " from the server, to the recorder; throws on a server line that is not JSON. */
export function readLines(lines, recorder) {
  for (const line of lines.filter(Boolean)) {
    if (line.startsWith('> ')) recorder.sent(parsed(line.slice(2)), { inOrder: true });
    else recorder.got(JSON.parse(line.slice(2)));
  }
}

/** The same with a file of stdio_tap.mjs or of the transcripts. */
export function readTap(path, recorder) {
  readLines(readFileSync(path, 'utf8').split('\n'), recorder);
}
