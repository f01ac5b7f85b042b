// @modelcontextprotocol/client 2.x: the three ways it negotiates, over HTTP and stdio.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { defineBehaviours, defineProductBehaviours, text } from './behaviours.mjs';
import { Recorder, readTap, tapFetch } from './schema_check.mjs';
import {
  conformanceServer, startConformanceServer, startToolpost, temporaryDirectory, toolpost, within,
} from './servers.mjs';

const modes = { legacy: 'legacy', auto: 'auto', pinned: { pin: '2026-07-28' } };

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

function openHttp(mode, url, setup) {
  const recorder = new Recorder();
  const transport = new StreamableHTTPClientTransport(new URL(url), { fetch: tapFetch(recorder) });
  return connect(mode, transport, setup, recorder);
}

function openStdio(mode, command, setup) {
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

let fixture;
let product;
before(async () => {
  fixture = await startConformanceServer();
  product = await startToolpost();
});
after(async () => {
  assert.deepEqual([await fixture?.stop(), await product?.stop()], [0, 0], 'clean exit after SIGTERM');
});

for (const [name, mode] of Object.entries(modes)) {
  // This client turns the -32002 of a handshake session into the number of 2026-07-28.
  const expected = { modern: name !== 'legacy', missingResource: -32602 };
  defineBehaviours(`client 2.x ${name} http`, {
    ...expected,
    open: (setup) => openHttp(mode, fixture.url, setup),
  });
  defineBehaviours(`client 2.x ${name} stdio`, {
    ...expected,
    open: (setup) => openStdio(mode, conformanceServer(), setup),
  });
  defineProductBehaviours(`client 2.x ${name} http`, { open: (setup) => openHttp(mode, product.url, setup) });
  defineProductBehaviours(`client 2.x ${name} stdio`, { open: (setup) => openStdio(mode, toolpost(), setup) });
}

test('client 2.x pinned http: several rounds of questions end in one result', async () => {
  const session = await openHttp(modes.pinned, fixture.url, {
    capabilities: { elicitation: {} },
    requests: {
      'elicitation/create': ({ params }) => ({
        action: 'accept',
        content: params.message.startsWith('Step 1') ? { name: 'Ada' } : { color: 'green' },
      }),
    },
  });
  const result = await within(20_000, 'result', session.call({ name: 'test_input_required_result_multi_round' }));
  assert.equal(text(result), 'Ada likes green');
  await session.close();
});

test('client 2.x pinned http: annotated arguments travel as headers', async () => {
  const session = await openHttp(modes.pinned, fixture.url, {});
  await session.client.listTools();
  const sent = { region: 'Zürich / west', priority: 3 };
  const result = await session.call({ name: 'test_header_argument', arguments: sent });
  assert.deepEqual(result.structuredContent.arguments, sent);
  await session.close();
});
