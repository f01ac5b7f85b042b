// @modelcontextprotocol/client 2.x: the three ways it negotiates, over HTTP and stdio.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { defineBehaviours, defineProductBehaviours, text } from './behaviours.mjs';
import { modes, openHttp, openStdio } from './client_v2.mjs';
import { conformanceServer, startConformanceServer, startToolpost, toolpost, within } from './servers.mjs';

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

test('client 2.x pinned http: several rounds of questions end in one result', async (t) => {
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
  await session.close(t);
});

test('client 2.x pinned http: annotated arguments travel as headers', async (t) => {
  const session = await openHttp(modes.pinned, fixture.url, {});
  await session.client.listTools();
  const sent = { region: 'Zürich / west', priority: 3 };
  const result = await session.call({ name: 'test_header_argument', arguments: sent });
  assert.deepEqual(result.structuredContent.arguments, sent);
  await session.close(t);
});
