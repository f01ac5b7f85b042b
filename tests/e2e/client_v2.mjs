// Connections of @modelcontextprotocol/client 2.x, tapped for the schema check.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { Recorder, readTap, tapFetch } from './schema_check.mjs';
import { temporaryDirectory } from './servers.mjs';

/** The three ways it negotiates. */
export const modes = { legacy: 'legacy', auto: 'auto', pinned: { pin: '2026-07-28' } };

async function connect(mode, transport, setup, recorder, finish = () => {}) {
  const client = new Client(
    { name: 'e2e', version: '1' },
    { capabilities: setup.capabilities ?? {}, versionNegotiation: { mode } },
  );
  for (const [method, handler] of Object.entries(setup.requests ?? {})) {
    client.setRequestHandler(method, async (request) => handler(request));
  }
  for (const [method, handler] of Object.entries(setup.notifications ?? {})) {
    client.setNotificationHandler(method, handler);
  }
  await client.connect(transport);
  return {
    client,
    transport,
    recorder,
    version: () => client.getNegotiatedProtocolVersion(),
    call: (params, options) => client.callTool(params, options),
    close: async (t) => {
      await client.close();
      finish();
      if (t) recorder.verify(t);
    },
  };
}

export function openHttp(mode, url, setup) {
  const recorder = new Recorder();
  const transport = new StreamableHTTPClientTransport(new URL(url), { fetch: tapFetch(recorder) });
  return connect(mode, transport, setup, recorder);
}

export function openStdio(mode, command, setup) {
  const directory = temporaryDirectory();
  const log = join(directory.path, 'wire.log');
  const recorder = new Recorder();
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [fileURLToPath(new URL('stdio_tap.mjs', import.meta.url)), log, command, 'stdio'],
    env: { ...process.env, TOOLPOST_STATE_DIR: directory.path },
  });
  return connect(mode, transport, setup, recorder, () => {
    readTap(log, recorder);
    directory.cleanUp();
  });
}
