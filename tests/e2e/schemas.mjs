// The official JSON schema of each protocol revision, from `mcp-schema/<revision>/schema.json` in TOOLPOST_TEST_DATA or in
// shared/data beside the project, and our own schema of the Tasks extension.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import Ajv from 'ajv';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

export const MODERN = '2026-07-28';
export const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', MODERN];

const here = dirname(fileURLToPath(import.meta.url));

function schemaFile(revision) {
  const places = [process.env.TOOLPOST_TEST_DATA, resolve(here, '../../../shared/data')];
  return places
    .filter(Boolean)
    .map((place) => join(place, 'mcp-schema', revision, 'schema.json'))
    .find((path) => existsSync(path));
}

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

export class Revision {
  static #loaded = new Map();

  /** The schema of one revision, or undefined when it is not at hand. */
  static of(name) {
    if (!Revision.#loaded.has(name)) {
      const file = schemaFile(name);
      Revision.#loaded.set(name, file && new Revision(name, readJson(file)));
    }
    return Revision.#loaded.get(name);
  }

  constructor(name, schema) {
    this.name = name;
    this.container = schema.$defs ? '$defs' : 'definitions';
    this.definitions = schema[this.container];
    const Validator = schema.$schema.includes('2020-12') ? Ajv2020 : Ajv;
    this.ajv = new Validator({ strict: false, allErrors: false });
    addFormats(this.ajv);
    this.ajv.addFormat('byte', true);
    this.ajv.addSchema({ ...schema, $id: 'mcp' });
    if (name === MODERN) this.ajv.addSchema(readJson(join(here, 'tasks_extension.schema.json')));
    this.byMethod = new Map();
    this.byErrorCode = new Map();
    for (const [definition, { properties }] of Object.entries(this.definitions)) {
      const method = properties?.method?.const;
      if (method) this.byMethod.set(method, definition);
      const code = properties?.error?.allOf?.[1]?.properties?.code?.const;
      if (code) this.byErrorCode.set(code, definition);
    }
  }

  #violation(address, definition, value) {
    const validate = this.ajv.getSchema(address);
    if (!validate) return `the schema of ${this.name} has no ${definition}`;
    if (validate(value)) return undefined;
    const [error] = validate.errors;
    return `not a ${definition}: ${error.instancePath || '/'} ${error.message}`;
  }

  /** The first violation of `value` as a `definition`, or undefined. */
  violation(definition, value) {
    return this.#violation(`mcp#/${this.container}/${definition}`, definition, value);
  }

  /** The same with a definition of the Tasks extension. */
  taskViolation(definition, value) {
    return this.#violation(`tasks#/$defs/${definition}`, definition, value);
  }

  /** Judges a request or notification of the server. */
  call(message) {
    if (this.name === MODERN && message.method === 'notifications/tasks') {
      return this.taskViolation('TaskNotification', message) ?? this.#outcome(message.params);
    }
    const definition = this.byMethod.get(message.method);
    if (!definition) return `${message.method} is not in ${this.name}`;
    const problem = this.violation(definition, message);
    if (problem || message.method !== 'notifications/subscriptions/acknowledged') return problem;
    return this.taskViolation('AcknowledgedNotification', message);
  }

  /** Judges a successful answer to a request with this method. */
  answer(method, message) {
    const envelope = this.definitions.JSONRPCResultResponse ? 'JSONRPCResultResponse' : 'JSONRPCResponse';
    return this.violation(envelope, message) ?? this.#result(method, message.result);
  }

  #result(method, result) {
    if (result.resultType === 'input_required') return this.violation('InputRequiredResult', result);
    if (result.resultType === 'task') return this.taskViolation('CreateTaskResult', result);
    if (this.name === MODERN && method.startsWith('tasks/')) {
      const verb = method.slice('tasks/'.length);
      const definition = `${verb[0].toUpperCase()}${verb.slice(1)}TaskResult`;
      return this.taskViolation(definition, result) ?? this.#outcome(result);
    }
    if (method === 'tools/call' && result.task && this.definitions.CreateTaskResult) {
      return this.violation('CreateTaskResult', result);
    }
    // The payload of a task is what the call would have been answered with, and only tools have tasks here.
    if (method === 'tasks/result') return this.violation('CallToolResult', result);
    const request = this.byMethod.get(method);
    if (!request) return `an answer to ${method}, which is not in ${this.name}`;
    const named = request.replace(/Request$/, 'Result');
    return this.violation(this.definitions[named] ? named : 'EmptyResult', result);
  }

  // The result inside a finished task. The extension's own examples leave out its resultType.
  #outcome({ result }) {
    return result && this.violation('CallToolResult', { resultType: 'complete', ...result });
  }

  /** True for an error that has no id because no request could be read; schemas before 2025-11-25 do not know such errors. */
  isAnonymous(message) {
    return message.id === undefined && this.definitions.JSONRPCErrorResponse === undefined;
  }

  /** Judges an error answer. */
  error(message) {
    const definition = this.definitions.JSONRPCErrorResponse ? 'JSONRPCErrorResponse' : 'JSONRPCError';
    const identified = this.isAnonymous(message) ? { ...message, id: 0 } : message;
    const special = this.byErrorCode.get(message.error.code);
    return this.violation(definition, identified) ?? (special && this.violation(special, identified));
  }
}
