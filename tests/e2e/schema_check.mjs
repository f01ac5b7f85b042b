// Checks every message a server sent against the official JSON schema of its protocol revision.
//
// A Recorder sees both directions, because a result can only be judged by the request it answers. `tapFetch` feeds it from
// HTTP, `readTap` from a log of stdio_tap.mjs. Without the schema files (TOOLPOST_TEST_DATA, or shared/data beside the
// project) only the rules that need no schema are checked, and the test says so.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import Ajv from 'ajv';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const MODERN = '2026-07-28';
const CLAIM = 'io.modelcontextprotocol/protocolVersion';
const projectRoot = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

function schemaFile(revision) {
  const places = [process.env.TOOLPOST_TEST_DATA, join(projectRoot, '../shared/data')];
  return places
    .filter(Boolean)
    .map((place) => join(place, 'mcp-schema', revision, 'schema.json'))
    .find((path) => existsSync(path));
}

/** The official schema of one revision, or undefined when it is not at hand. */
class Revision {
  static #loaded = new Map();

  static of(name) {
    if (!Revision.#loaded.has(name)) {
      const file = schemaFile(name);
      Revision.#loaded.set(name, file && new Revision(JSON.parse(readFileSync(file, 'utf8'))));
    }
    return Revision.#loaded.get(name);
  }

  constructor(schema) {
    this.container = schema.$defs ? '$defs' : 'definitions';
    this.definitions = schema[this.container];
    const Validator = schema.$schema.includes('2020-12') ? Ajv2020 : Ajv;
    this.ajv = new Validator({ strict: false, allErrors: false });
    addFormats(this.ajv);
    this.ajv.addFormat('byte', true);
    this.ajv.addSchema({ ...schema, $id: 'mcp' });
    this.byMethod = new Map();
    for (const [name, definition] of Object.entries(this.definitions)) {
      const method = definition.properties?.method?.const;
      if (method) this.byMethod.set(method, name);
    }
  }

  /** The first violation of `value` as a `definition`, or undefined. */
  violation(definition, value) {
    const validate = this.ajv.getSchema(`mcp#/${this.container}/${definition}`);
    if (validate(value)) return undefined;
    const [error] = validate.errors;
    return `not a ${definition}: ${error.instancePath || '/'} ${error.message}`;
  }

  resultDefinition(method, result) {
    if (result.resultType === 'input_required') return 'InputRequiredResult';
    if (method === 'tools/call' && result.task && this.definitions.CreateTaskResult) return 'CreateTaskResult';
    const request = this.byMethod.get(method);
    const named = request?.replace(/Request$/, 'Result');
    return this.definitions[named] ? named : request ? 'EmptyResult' : 'Result';
  }

  get errorDefinition() {
    return this.definitions.JSONRPCErrorResponse ? 'JSONRPCErrorResponse' : 'JSONRPCError';
  }
}

export class Recorder {
  #requests = new Map();
  #cancelled = new Set();
  #negotiated;
  #violations = [];
  #checked = 0;
  #unchecked = new Set();
  /** Every message the server sent, in order of arrival. */
  received = [];

  /** A message, or batch, that the client sends. */
  sent(message) {
    if (Array.isArray(message)) return message.forEach((one) => this.sent(one));
    if (message.method !== undefined && message.id !== undefined) {
      this.#requests.set(JSON.stringify(message.id), message);
    }
    if (message.method === 'notifications/cancelled') this.#cancelled.add(JSON.stringify(message.params.requestId));
  }

  /** A message, or batch, that the server sent. */
  got(message) {
    if (Array.isArray(message)) return message.forEach((one) => this.got(one));
    this.received.push(message);
    const problem = message.method !== undefined ? this.#judgeCall(message) : this.#judgeReply(message);
    if (problem) this.#violations.push(`${problem} in ${JSON.stringify(message).slice(0, 600)}`);
  }

  #schema(revision) {
    const schema = Revision.of(revision);
    if (schema) this.#checked += 1;
    else this.#unchecked.add(revision);
    return schema;
  }

  #judgeCall(message) {
    const modern = message.params?._meta?.['io.modelcontextprotocol/subscriptionId'] !== undefined;
    const revision = modern ? MODERN : (this.#negotiated ?? MODERN);
    if (revision === MODERN && message.id !== undefined) return 'a server request in 2026-07-28';
    const schema = this.#schema(revision);
    if (!schema) return undefined;
    const definition = schema.byMethod.get(message.method);
    if (!definition) {
      return message.method === 'notifications/tasks' ? undefined : `${message.method} is not in ${revision}`;
    }
    return schema.violation(definition, message);
  }

  #judgeReply(message) {
    const request = this.#requests.get(JSON.stringify(message.id));
    if (message.error) {
      const schema = this.#schema(this.#revisionOf(request));
      const { id, ...rest } = message;
      return schema?.violation(schema.errorDefinition, id === null ? rest : message);
    }
    if (!request) return 'a result nobody asked for';
    if (this.#cancelled.has(JSON.stringify(message.id))) return 'an answer after the cancellation';
    if (request.method === 'initialize') this.#negotiated = message.result.protocolVersion;
    const revision = this.#revisionOf(request);
    const modern = revision === MODERN;
    if (modern !== (message.result.resultType !== undefined)) return `resultType does not fit ${revision}`;
    if (modern && !message.result._meta?.['io.modelcontextprotocol/serverInfo']) return 'no serverInfo';
    if (!modern && ('ttlMs' in message.result || 'cacheScope' in message.result)) return 'cache hints before 2026-07-28';
    if (message.result.resultType === 'task' || (modern && request.method.startsWith('tasks/'))) return undefined;
    const schema = this.#schema(revision);
    return schema?.violation(schema.resultDefinition(request.method, message.result), message.result);
  }

  #revisionOf(request) {
    if (request?.params?._meta?.[CLAIM] !== undefined) return MODERN;
    return this.#negotiated ?? '2025-11-25';
  }

  /** Fails if any message broke its schema, or if none was seen. */
  verify(test) {
    assert.ok(this.received.length > 0, 'the tap saw no message of the server');
    assert.deepEqual(this.#violations, []);
    if (this.#unchecked.size > 0) test?.diagnostic(`no schema files for ${[...this.#unchecked].join(', ')}: not validated`);
    else assert.ok(this.#checked > 0, 'no message was validated');
  }
}

function eventStreamParser(onData) {
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
      if (kind !== 'endpoint' && data.join('') !== '') onData(data.join('\n'));
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

/** Feeds a log of stdio_tap.mjs to the recorder; throws on a server line that is not JSON. */
export function readTap(path, recorder) {
  for (const line of readFileSync(path, 'utf8').split('\n').filter(Boolean)) {
    const message = JSON.parse(line.slice(2));
    if (line.startsWith('>')) recorder.sent(message);
    else recorder.got(message);
  }
}
