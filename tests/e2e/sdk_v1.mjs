// Connections of @modelcontextprotocol/sdk 1.x, tapped for the schema check.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as types from '@modelcontextprotocol/sdk/types.js';

import { Recorder, readTap, tapFetch } from './schema_check.mjs';
import { cleanEnvironment, temporaryDirectory } from './servers.mjs';

const schemas = {
  'elicitation/create': types.ElicitRequestSchema,
  'sampling/createMessage': types.CreateMessageRequestSchema,
  'roots/list': types.ListRootsRequestSchema,
  'notifications/message': types.LoggingMessageNotificationSchema,
  'notifications/tools/list_changed': types.ToolListChangedNotificationSchema,
  'notifications/prompts/list_changed': types.PromptListChangedNotificationSchema,
  'notifications/resources/list_changed': types.ResourceListChangedNotificationSchema,
  'notifications/resources/updated': types.ResourceUpdatedNotificationSchema,
};

async function connect(transport, setup, recorder, finish = () => {}) {
  const client = new Client({ name: 'e2e', version: '1' }, { capabilities: setup.capabilities ?? {} });
  for (const [method, handler] of Object.entries(setup.requests ?? {})) {
    client.setRequestHandler(schemas[method], async (request) => handler(request));
  }
  for (const [method, handler] of Object.entries(setup.notifications ?? {})) {
    client.setNotificationHandler(schemas[method], handler);
  }
  let version;
  const setVersion = transport.setProtocolVersion?.bind(transport);
  transport.setProtocolVersion = (value) => {
    version = value;
    setVersion?.(value);
  };
  await client.connect(transport);
  return {
    client,
    transport,
    recorder,
    version: () => version,
    call: (params, options) => client.callTool(params, undefined, options),
    close: async (t) => {
      await client.close();
      finish();
      if (t) recorder.verify(t);
    },
  };
}

/** `setup.env` and `setup.args` are added to those of the command; `setup.cwd` is where it starts. */
export function openStdio(command, setup) {
  const directory = temporaryDirectory();
  const log = join(directory.path, 'wire.log');
  const recorder = new Recorder();
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [fileURLToPath(new URL('stdio_tap.mjs', import.meta.url)), log, command, 'stdio', ...(setup.args ?? [])],
    env: { ...cleanEnvironment(), TOOLPOST_STATE_DIR: directory.path, ...setup.env },
    cwd: setup.cwd,
  });
  return connect(transport, setup, recorder, () => {
    readTap(log, recorder);
    directory.cleanUp();
  });
}

/** `setup.headers` go with every request. */
export function openHttp(url, setup = {}) {
  const recorder = new Recorder();
  const requestInit = setup.headers && { headers: setup.headers };
  return connect(new StreamableHTTPClientTransport(new URL(url), { fetch: tapFetch(recorder), requestInit }), setup, recorder);
}

export function openSse(origin, setup) {
  const recorder = new Recorder();
  const transport = new SSEClientTransport(new URL('/sse', origin), { fetch: tapFetch(recorder) });
  return connect(transport, setup, recorder);
}
