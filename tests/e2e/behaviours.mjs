// What every client may expect of the server, whatever it speaks: one list of tests, run by each client test file for each of
// its transports and modes.
//
// `open(setup)` connects a client: `setup.capabilities` are declared, `setup.requests` and `setup.notifications` map method
// names to handlers. It gives `{client, call, recorder, close}`; `close` ends the connection and checks the schemas.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { within } from './servers.mjs';

export const text = (result) => result.content.map((block) => block.text ?? '').join('\n');

/** Runs `body` with a session that is always closed. */
async function using(t, open, setup, body) {
  const session = await within(20_000, 'connecting', open(setup));
  let failed = true;
  try {
    await within(60_000, t.name, body(session));
    failed = false;
  } finally {
    await session.close(failed ? undefined : t);
  }
}

/** Repeats `trigger` until `arrived` resolves: a notice may be sent before the client listens. */
async function eventually(trigger, arrived) {
  let done = false;
  const outcome = arrived.finally(() => (done = true));
  const repeat = async () => {
    while (!done) {
      await trigger();
      await Promise.race([outcome, new Promise((resolve) => setTimeout(resolve, 1_000))]);
    }
  };
  await within(15_000, 'notification', Promise.race([outcome, repeat()]));
  return outcome;
}

function signal() {
  let resolve;
  const promise = new Promise((done) => (resolve = done));
  return { promise, resolve };
}

const rejectsWith = (code) => (error) => {
  assert.equal(error.code, code, `${error.message}`);
  return true;
};

// `missingResource` is the error code this client reports for a resource that is not there.
export function defineBehaviours(name, { modern, missingResource = modern ? -32602 : -32002, open }) {
  const check = (title, setup, body) => test(`${name}: ${title}`, (t) => using(t, open, setup, body));

  check('PRD_FR_002_3 names its revision and itself', {}, async ({ client, version }) => {
    assert.equal(version(), modern ? '2026-07-28' : '2025-11-25');
    assert.equal(client.getServerVersion().name, 'toolpost-conformance');
    const capabilities = client.getServerCapabilities();
    for (const key of ['tools', 'resources', 'prompts', 'completions', 'logging']) assert.ok(capabilities[key], key);
    assert.ok(capabilities.tools.listChanged);
  });

  check('PRD_FR_001_3 lists tools and calls one', {}, async ({ client, call }) => {
    const { tools } = await client.listTools();
    assert.equal(tools[0].name, 'test_simple_text');
    assert.ok(tools.every((tool) => /^[A-Za-z0-9_.-]{1,64}$/.test(tool.name) && tool.description));
    const result = await call({ name: 'test_simple_text' });
    assert.deepEqual(result.content, [{ type: 'text', text: 'This is a simple text response for testing.' }]);
  });

  check('a tool answers to its canonical id too', {}, async ({ call }) => {
    assert.equal(text(await call({ name: 'test/greet', arguments: { name: 'Ada' } })), 'Hello, Ada!');
  });

  check('carries every kind of content', {}, async ({ call }) => {
    const kinds = (await call({ name: 'test_multiple_content_types' })).content.map((block) => block.type);
    assert.deepEqual(kinds, ['text', 'image', 'resource']);
    const audio = await call({ name: 'test_audio_content' });
    assert.equal(audio.content[0].mimeType, 'audio/wav');
  });

  check('a failing tool is a result, an unknown one an error', {}, async ({ call }) => {
    const failed = await call({ name: 'test_error_handling' });
    assert.equal(failed.isError, true);
    await assert.rejects(call({ name: 'no_such_tool' }), rejectsWith(-32602));
  });

  check('wrong arguments are explained to the model', {}, async ({ call }) => {
    const refused = await call({ name: 'greet', arguments: { name: 7 } });
    assert.equal(refused.isError, true);
    assert.match(text(refused), /name/);
  });

  check('reports progress in order', {}, async ({ call }) => {
    const seen = [];
    await call({ name: 'test_tool_with_progress' }, { onprogress: ({ progress, total }) => seen.push([progress, total]) });
    assert.deepEqual(seen, [[0, 100], [50, 100], [100, 100]]);
  });

  check('a cancelled call is never answered', {}, async ({ call, recorder }) => {
    const abort = new AbortController();
    const running = signal();
    const outcome = call({ name: 'test_wait' }, { signal: abort.signal, onprogress: () => running.resolve() });
    await Promise.race([running.promise, outcome]);
    abort.abort('enough');
    await assert.rejects(outcome);
    assert.equal(text(await call({ name: 'greet', arguments: { name: 'you' } })), 'Hello, you!');
    assert.ok(!JSON.stringify(recorder.received).includes('Nobody cancelled this call'));
  });

  check(
    'asks the person',
    {
      capabilities: { elicitation: {} },
      requests: {
        'elicitation/create': ({ params }) => {
          assert.equal(params.message, 'Who are you?');
          return { action: 'accept', content: { username: 'ada', email: 'ada@example.com' } };
        },
      },
    },
    async ({ call }) => {
      const result = await call({ name: 'test_elicitation', arguments: { message: 'Who are you?' } });
      assert.match(text(result), /accept/);
      assert.match(text(result), /ada@example\.com/);
    },
  );

  check(
    'takes no for an answer',
    { capabilities: { elicitation: {} }, requests: { 'elicitation/create': () => ({ action: 'decline' }) } },
    async ({ call }) => assert.match(text(await call({ name: 'test_elicitation_sep1034_defaults' })), /decline/),
  );

  check(
    'sends the person to a page',
    {
      capabilities: { elicitation: { form: {}, url: {} } },
      requests: {
        'elicitation/create': ({ params }) => {
          assert.equal(params.mode, 'url');
          assert.equal(params.url, 'https://consent.example.com/connect?account=7');
          assert.equal(typeof params.elicitationId, modern ? 'undefined' : 'string');
          return { action: 'accept' };
        },
      },
    },
    async ({ call }) => assert.equal(text(await call({ name: 'test_elicitation_url' })), 'Visit: {"action":"accept"}'),
  );

  check(
    'does not send people to a page whose client shows forms only',
    { capabilities: { elicitation: {} }, requests: { 'elicitation/create': () => assert.fail('was asked') } },
    async ({ call }) => {
      const asked = call({ name: 'test_elicitation_url' });
      if (modern) await assert.rejects(asked, rejectsWith(-32021));
      else assert.match(text(await asked), /lacks a capability/);
    },
  );

  // The number -32042 is of 2025-11-25 alone.
  check('names the page that must be visited first', {}, async ({ call }) => {
    await assert.rejects(call({ name: 'test_url_elicitation_required' }), (error) => {
      assert.equal(error.code, modern ? -32603 : -32042);
      if (!modern) assert.deepEqual(error.elicitations.map(({ elicitationId }) => elicitationId), ['connect-7']);
      return true;
    });
  });

  check(
    "asks the client's model",
    {
      capabilities: { sampling: {} },
      requests: {
        'sampling/createMessage': ({ params }) => ({
          role: 'assistant',
          model: 'test-model',
          content: { type: 'text', text: `echo of ${params.messages[0].content.text}` },
        }),
      },
    },
    async ({ call }) => {
      const result = await call({ name: 'test_sampling', arguments: { prompt: 'ping' } });
      assert.match(text(result), /echo of ping/);
    },
  );

  check(
    'asks for roots',
    {
      capabilities: { roots: {} },
      requests: { 'roots/list': () => ({ roots: [{ uri: 'file:///workspace', name: 'workspace' }] }) },
    },
    async ({ call }) => assert.match(text(await call({ name: 'test_roots' })), /file:\/\/\/workspace/),
  );

  check('does not ask a client that cannot answer', {}, async ({ call }) => {
    const asked = call({ name: 'test_elicitation', arguments: { message: 'Who are you?' } });
    if (modern) await assert.rejects(asked, rejectsWith(-32021));
    else assert.ok((await asked.catch(() => ({ isError: true }))).isError);
  });

  check('serves resources', {}, async ({ client }) => {
    const { resources } = await client.listResources();
    assert.ok(resources.some(({ uri }) => uri === 'test://static-text'));
    const { resourceTemplates } = await client.listResourceTemplates();
    assert.deepEqual(resourceTemplates.map(({ uriTemplate }) => uriTemplate), ['test://template/{id}/data']);
    const plain = await client.readResource({ uri: 'test://static-text' });
    assert.equal(plain.contents[0].text, 'This is the content of the static text resource.');
    const picture = await client.readResource({ uri: 'test://static-binary' });
    assert.deepEqual([...Buffer.from(picture.contents[0].blob, 'base64').subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
    const row = await client.readResource({ uri: 'test://template/42/data' });
    assert.equal(JSON.parse(row.contents[0].text).id, '42');
    await assert.rejects(client.readResource({ uri: 'test://missing' }), rejectsWith(missingResource));
  });

  check('serves prompts and completions', {}, async ({ client }) => {
    const { prompts } = await client.listPrompts();
    assert.ok(prompts.some((prompt) => prompt.name === 'test_prompt_with_arguments'));
    const filled = await client.getPrompt({ name: 'test_prompt_with_arguments', arguments: { arg1: 'x', arg2: 'y' } });
    assert.match(filled.messages[0].content.text, /arg1='x', arg2='y'/);
    await assert.rejects(client.getPrompt({ name: 'test_prompt_with_arguments', arguments: {} }), rejectsWith(-32602));
    const forPrompt = await client.complete({
      ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' },
      argument: { name: 'arg1', value: 'par' },
    });
    assert.deepEqual(forPrompt.completion.values, ['paris', 'park', 'party']);
    const forTemplate = await client.complete({
      ref: { type: 'ref/resource', uri: 'test://template/{id}/data' },
      argument: { name: 'id', value: 'part' },
    });
    assert.deepEqual(forTemplate.completion.values, ['party']);
  });

  const logged = [];
  check(
    'logs at the level asked for',
    { notifications: { 'notifications/message': ({ params }) => logged.push([params.level, params.data]) } },
    async ({ client, call }) => {
      if (modern) {
        await call({ name: 'test_logging_tool' });
        assert.deepEqual(logged, [], 'nothing was asked for');
        await call({ name: 'test_logging_tool', _meta: { 'io.modelcontextprotocol/logLevel': 'error' } });
      } else {
        await client.setLoggingLevel('error');
        await call({ name: 'test_logging_tool' });
      }
      assert.deepEqual(logged, [['error', 'error line']]);
    },
  );

  const lists = { tools: signal(), prompts: signal(), resources: signal() };
  const updated = signal();
  check(
    'tells when lists and resources change',
    {
      notifications: {
        ...Object.fromEntries(
          Object.entries(lists).map(([kind, { resolve }]) => [`notifications/${kind}/list_changed`, resolve]),
        ),
        'notifications/resources/updated': updated.resolve,
      },
    },
    async ({ client, call }) => {
      const uri = 'test://watched-resource';
      if (modern) {
        const wanted = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
        const { honoredFilter } = await client.listen({ ...wanted, resourceSubscriptions: [uri] });
        assert.deepEqual(honoredFilter, { ...wanted, resourceSubscriptions: [uri] });
      } else {
        await client.subscribeResource({ uri });
      }
      for (const kind of ['tool', 'prompt', 'resource']) {
        await eventually(() => call({ name: `test_trigger_${kind}_change` }), lists[`${kind}s`].promise);
      }
      await eventually(() => call({ name: 'test_trigger_resource_update' }), updated.promise);
    },
  );

  check('many calls at once are all answered', {}, async ({ call }) => {
    const names = Array.from({ length: 50 }, (_, index) => `n${index}`);
    const greetings = await Promise.all(names.map((value) => call({ name: 'greet', arguments: { name: value } })));
    assert.deepEqual(greetings.map(text), names.map((value) => `Hello, ${value}!`));
  });
}

/** The product itself, with its real tools. */
export function defineProductBehaviours(name, { open }) {
  test(`${name}: PRD_FR_005_2 system_info answers to wire name and canonical id`, (t) =>
    using(t, open, {}, async ({ client, call }) => {
      const { tools } = await client.listTools();
      assert.ok(tools.some((tool) => tool.name === 'system_info'), tools.map((tool) => tool.name).join());
      const byWire = await call({ name: 'system_info', arguments: {} });
      const byId = await call({ name: 'system/info', arguments: {} });
      assert.ok(!byWire.isError && !byId.isError);
      assert.deepEqual(Object.keys(byWire.structuredContent).sort(), Object.keys(byId.structuredContent).sort());
    }));
}
