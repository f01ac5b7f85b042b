// The tRPC API with the real @trpc/client: every link, every procedure, every class of errors, subscriptions.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { bearer, callTool, openSession, rpc } from './callers.mjs';
import { eventually, startToolpost, temporaryDirectory, within } from './servers.mjs';
import { clientOf, failure, links, subscriptionLink } from './trpc.mjs';

const master = 'mk-4f9c1e77-a2d8-43b6-9d15';
let state;
let server;
let strict;
let site;
let url;
let work;
const at = (name) => join(work.path, name);
before(async () => {
  state = temporaryDirectory();
  work = temporaryDirectory();
  writeFileSync(at('hello.txt'), 'hello');
  site = http.createServer((request, response) => {
    if (request.url === '/never') return;
    response.setHeader('Content-Type', 'text/html').end('<title>T</title><p>Some text</p>');
  });
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  server = await startToolpost({
    directory: state.path,
    env: { MSSQL_MCP_API_KEY: master, TOOLPOST_FILES_ROOTS: at(''), TOOLPOST_WEB_ALLOW_LOOPBACK: 'true' },
  });
  url = `${server.origin}/trpc`;
  // Small limits, and a database that is not there.
  strict = await startToolpost({
    env: {
      MSSQL_MCP_API_KEY: master, TOOLPOST_HTTP_MAX_BODY: '65536', TOOLPOST_LIMITS_KEY_CALLS_PER_SECOND: '5',
      DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none?sslmode=disable',
    },
  });
});
after(async () => {
  await server?.stop();
  await strict?.stop();
  site?.closeAllConnections();
  site?.close();
  state.cleanUp();
  work.cleanUp();
});

const page = (path = '/') => `http://127.0.0.1:${site.address().port}${path}`;

async function createKey(params, origin = server.origin) {
  const { body } = await rpc(`${origin}/`, 'CreateApiKey', { name: 'e2e', userId: 'ada', ...params }, bearer(master));
  assert.ok(body.result?.key, JSON.stringify(body));
  return body.result.key;
}

for (const [name, make] of Object.entries(links)) {
  describe(`trpc over ${name}`, () => {
    let mcp;
    const as = (key) => clientOf(make({ url, headers: key ? bearer(key) : {} })).mcp;
    const onStrict = (key) => clientOf(make({ url: `${strict.origin}/trpc`, headers: bearer(key) })).mcp;
    before(() => {
      ({ mcp } = clientOf(make({ url, headers: bearer(master) })));
    });

    test('PRD_FR_018_1 PRD_US_007 status', async () => {
      const status = await mcp.status.query();
      assert.equal(status.status, 'healthy');
      assert.ok(status.uptimeSeconds >= 0);
    });

    test('PRD_FR_018_2 listTools, of a category', async () => {
      const all = await mcp.listTools.query();
      assert.equal(all.count, all.tools.length);
      assert.ok(all.count > 20);
      assert.ok(all.tools.every((tool) => tool.name.includes('/') && tool.description && tool.inputSchema.type === 'object'));
      const files = await mcp.listTools.query({ category: 'file' });
      assert.ok(files.count > 3);
      assert.ok(files.tools.every((tool) => tool.name.startsWith('file/')));
    });

    test('PRD_FR_018_3 PRD_US_002 PRD_AC_008_4 executeTool in every spelling', async () => {
      for (const tool of ['file/read', 'file_read']) {
        const done = await mcp.executeTool.mutate({ name: tool, arguments: { path: at('hello.txt') } });
        assert.equal(done.success, true);
        assert.equal(done.result.content, 'hello');
        assert.ok(done.executionTime >= 0);
      }
      assert.equal((await mcp.executeTool.mutate({ name: 'system/info' })).success, true);
    });

    test('PRD_FR_018_4 files', async () => {
      const path = at(`${name}.txt`);
      assert.equal((await mcp.file.write.mutate({ path, content: 'ä & b' })).size, 6);
      assert.equal((await mcp.file.read.query({ path })).content, 'ä & b');
      assert.ok((await mcp.file.list.query({ path: at('') })).entries.some((entry) => entry.name === `${name}.txt`));
      assert.equal((await mcp.file.delete.mutate({ path })).deleted, true);
    });

    test('PRD_FR_018_5 shell.execute', async () => {
      const { stdout, exitCode } = await mcp.shell.execute.mutate({ command: 'echo over tRPC', cwd: at('') });
      assert.deepEqual([stdout, exitCode], ['over tRPC\n', 0]);
    });

    test('PRD_FR_018_6 web', async () => {
      assert.match((await mcp.web.fetch.query({ url: page() })).content, /Some text/);
      assert.equal((await mcp.web.request.mutate({ url: page(), method: 'GET' })).status, 200);
    });

    test('PRD_FR_018_7 databases', async () => {
      const { tables } = await mcp.database.tables.query();
      assert.ok(tables.some((table) => table.name === 'customers'));
      assert.ok((await mcp.database.schema.query({ table: 'customers' })).columns.length > 1);
      const { rows } = await mcp.database.query.mutate({ query: 'SELECT name FROM customers WHERE id = ?', params: [3] });
      assert.deepEqual(rows, [['Chloé Dubois']]);
    });

    test('results are whole, however long', async () => {
      writeFileSync(at('long.txt'), 'x'.repeat(100_000));
      const { stdout } = await mcp.shell.execute.mutate({ command: 'cat long.txt', cwd: at('') });
      assert.equal(stdout.length, 100_000);
    });

    test('many at once, some of them wrong', async () => {
      const calls = [
        mcp.status.query(), mcp.file.read.query({ path: at('none') }), mcp.file.read.query({ path: at('hello.txt') }), mcp.nothing.query(),
      ];
      const ends = (await Promise.allSettled(calls)).map(({ value, reason }) => value?.status ?? value?.content ?? reason.data.code);
      assert.deepEqual(ends, ['healthy', 'NOT_FOUND', 'hello', 'NOT_FOUND']);
    });

    const codes = {
      BAD_REQUEST: [400, -32600, () => mcp.file.read.query({ path: 1 })],
      NOT_FOUND: [404, -32004, () => mcp.file.read.query({ path: at('none') })],
      FORBIDDEN: [403, -32003, async () => as(await createKey({ scopes: ['read'] })).file.write.mutate({ path: at('x'), content: '' })],
      UNAUTHORIZED: [401, -32001, () => as().status.query()],
      CONFLICT: [409, -32009, () => mcp.file.write.mutate({ path: at('hello.txt'), content: '', ifMatch: 'none' })],
      TIMEOUT: [408, -32008, () => mcp.web.request.mutate({ url: page('/never'), timeout: 50 })],
      // Answered before the request is read: the number is that of all doors, and there is no path.
      PAYLOAD_TOO_LARGE: [413, -32600, () => onStrict(master).file.write.mutate({ path: 'x', content: 'x'.repeat(100_000) })],
      TOO_MANY_REQUESTS: [429, -32029, async () => {
        const { status } = onStrict(await createKey({}, strict.origin));
        for (;;) await status.query();
      }],
      UNPROCESSABLE_CONTENT: [422, -32022, () => mcp.database.query.mutate({ query: 'SELECT * FROM nowhere' })],
      SERVICE_UNAVAILABLE: [503, -32603, async () => onStrict(await createKey({}, strict.origin)).database.tables.query()],
      INTERNAL_SERVER_ERROR: [500, -32603, () => mcp.executeTool.mutate({ name: 'mssql-query', arguments: { query: 'THROW' } })],
    };
    if (!name.includes('POST')) codes.METHOD_NOT_SUPPORTED = [405, -32005, () => mcp.executeTool.query({ name: 'system/info' })];
    for (const [code, [httpStatus, number, call]] of Object.entries(codes)) {
      test(`PRD_FR_019_3 PRD_AC_008_3 ${code}`, async () => {
        const error = await failure(call());
        assert.deepEqual([error.data.code, error.data.httpStatus, error.shape.code], [code, httpStatus, number], error.message);
        if (code !== 'PAYLOAD_TOO_LARGE') assert.ok(error.data.path.startsWith('mcp.'));
        assert.equal(error.data.stack, undefined);
      });
    }

    test('PRD_FR_019_2 PRD_AC_008_2 wrong inputs are explained by the schema', async () => {
      const error = await failure(mcp.file.read.query({ encoding: 'latin1' }));
      const issues = error.data.issues.map(({ path, rule }) => `${path} ${rule}`).sort();
      assert.deepEqual(issues, ['/encoding enum', '/path required']);
      assert.equal((await failure(mcp.executeTool.mutate({}))).data.issues[0].rule, 'required');
    });

    test('PRD_US_002 tool names', async () => {
      const badly = await failure(mcp.executeTool.mutate({ name: 'nonsense' }));
      assert.equal(badly.data.code, 'BAD_REQUEST');
      assert.match(badly.message, /category\/name/);
      assert.equal((await failure(mcp.executeTool.mutate({ name: 'file/reed' }))).data.code, 'NOT_FOUND');
    });

    test('PRD_FR_019_1 PRD_AC_008_1 PRD_NFR_015 no procedure without a credential', async () => {
      const nobody = as();
      const errors = await Promise.all([
        nobody.status.query(), nobody.listTools.query(), nobody.executeTool.mutate({ name: 'system/info' }),
        nobody.file.read.query({ path: 'x' }), nobody.file.write.mutate({ path: 'x', content: '' }), nobody.file.list.query({ path: 'x' }),
        nobody.file.delete.mutate({ path: 'x' }), nobody.shell.execute.mutate({ command: 'ls' }), nobody.web.request.mutate({ url: 'x' }),
        nobody.web.fetch.query({ url: 'x' }), nobody.database.query.mutate({ query: 'x' }), nobody.database.tables.query(),
        nobody.database.schema.query({ table: 'x' }),
      ].map(failure));
      assert.ok(errors.every(({ data }) => data.code === 'UNAUTHORIZED'));
      assert.equal((await failure(as('wrong').status.query())).data.code, 'FORBIDDEN');
    });
  });
}

test('a transformer is refused with a hint', async () => {
  const transformer = { serialize: (json) => ({ json: json ?? null }), deserialize: ({ json }) => json };
  const { mcp } = clientOf(links.httpLink({ url, headers: bearer(master), transformer }));
  const response = await fetch(`${url}/mcp.status?input=${encodeURIComponent('{"json":null}')}`, { headers: bearer(master) });
  assert.equal(response.status, 400);
  assert.match((await response.json()).error.message, /remove `transformer`/);
  await assert.rejects(mcp.file.read.query({ path: 'x' }));
});

test('PRD_FR_019_1 without configured authentication the local token is asked for', async () => {
  const local = await startToolpost();
  try {
    const { mcp } = clientOf(links.httpBatchLink({ url: `${local.origin}/trpc` }));
    const error = await failure(mcp.status.query());
    assert.equal(error.data.code, 'UNAUTHORIZED');
    assert.match(error.message, /local-token/);
    const file = /the token in (\S+) as/.exec(local.log())[1];
    const known = clientOf(links.httpBatchLink({ url: `${local.origin}/trpc`, headers: bearer(readFileSync(file, 'utf8').trim()) }));
    assert.equal((await known.mcp.status.query()).status, 'healthy');
  } finally {
    await local.stop();
  }
});

test('limits answer TOO_MANY_REQUESTS and say when to come back', async () => {
  const limited = await startToolpost({ env: { MSSQL_MCP_API_KEY: master, TOOLPOST_LIMITS_CALLS_PER_SECOND: '1' } });
  try {
    const get = () => fetch(`${limited.origin}/trpc/mcp.status`, { headers: bearer(master) });
    const answer = await eventually('a refusal', async () => {
      const response = await get();
      return response.status === 429 && response;
    });
    assert.ok(Number(answer.headers.get('retry-after')) >= 1);
    assert.equal((await answer.json()).error.data.code, 'TOO_MANY_REQUESTS');
  } finally {
    await limited.stop();
  }
});

test('other sites are refused in the words of tRPC', async () => {
  const response = await fetch(`${url}/mcp.status?batch=1`, { headers: { ...bearer(master), Origin: 'https://evil.example' } });
  assert.equal(response.status, 403);
  assert.deepEqual((await response.json()).map(({ error }) => [error.data.code, error.data.path]), [['FORBIDDEN', 'mcp.status']]);
});

test('answers of a streaming batch do not wait for each other', async () => {
  const { mcp } = clientOf(links.httpBatchStreamLink({ url, headers: bearer(master) }));
  const order = [];
  await Promise.allSettled([
    mcp.web.fetch.query({ url: page('/never'), timeout: 1_500 }).catch(() => order.push('slow')),
    mcp.status.query().then(() => order.push('quick')),
  ]);
  assert.deepEqual(order, ['quick', 'slow']);
});

describe('trpc subscriptions', () => {
  const follow = (key, input, options) => {
    const client = clientOf(subscriptionLink(url, key ? bearer(key) : {}, options));
    const seen = [];
    const ends = {};
    const started = new Promise((resolve, reject) => {
      ends.subscription = client.mcp.events.subscribe(input, {
        onStarted: resolve, onData: (event) => seen.push(event), onError: (error) => { ends.error = error; reject(error); },
      });
    });
    return { seen, ends, started: within(10_000, 'the start', started), stop: () => ends.subscription.unsubscribe() };
  };
  const readAs = (key) => callTool(`${server.origin}/rpc`, 'file/read', { path: at('hello.txt') }, bearer(key));

  test('PRD_FR_005_5 PRD_FR_007_3 PRD_NFR_027 administrators see what happens', async () => {
    const all = follow(master);
    await all.started;
    await readAs(master);
    const session = await openSession(server.url, bearer(await createKey()));
    assert.equal(session.hello.status, 200);
    await eventually('the events', () => ['toolExecuted', 'sessionOpened'].every((type) => all.seen.some(({ data }) => data.type === type)));
    const { id, data } = all.seen.find((event) => event.data.type === 'toolExecuted');
    assert.match(id, /^[0-9a-f]+-\d+$/);
    assert.deepEqual([data.tool, data.success, data.code], ['file/read', true, 'OK']);
    assert.ok(Date.parse(data.time) > 0 && data.durationMs >= 0 && data.requestId);
    all.stop();
  });

  test('others see their own, and the types they ask for', async () => {
    const [ann, bob] = [await createKey({ userId: 'ann' }), await createKey({ userId: 'bob' })];
    const [anns, bobs, none] = [follow(ann), follow(bob), follow(bob, { types: ['sessionOpened'] })];
    await Promise.all([anns.started, bobs.started, none.started]);
    await readAs(ann);
    await readAs(bob);
    await eventually('the events', () => anns.seen.length && bobs.seen.length);
    await readAs(bob);
    await eventually('another', () => bobs.seen.length === 2);
    assert.deepEqual([anns.seen.length, none.seen.length], [1, 0]);
    for (const each of [anns, bobs, none]) each.stop();
  });

  test('a reader that comes back misses nothing', async () => {
    const key = await createKey();
    const first = follow(key);
    await first.started;
    await readAs(key);
    await eventually('the first', () => first.seen.length === 1);
    first.stop();
    await readAs(key);
    await readAs(key);
    const second = follow(key, { lastEventId: first.seen[0].id });
    await eventually('what was missed', () => second.seen.length === 2);
    await readAs(key);
    await eventually('what is new', () => second.seen.length === 3);
    assert.equal(new Set([...first.seen, ...second.seen].map(({ id }) => id)).size, 4);
    second.stop();
    const lost = follow(key, { lastEventId: 'elsewhere-7' });
    await eventually('the notice', () => lost.seen.some(({ data }) => data.type === 'eventsLost'));
    lost.stop();
  });

  test('a connection that breaks is resumed by the client itself', async () => {
    const key = await createKey();
    const sockets = new Set();
    const target = new URL(server.origin);
    const asked = [];
    const proxy = http.createServer((request, response) => {
      asked.push({ url: request.url, last: request.headers['last-event-id'] });
      const forward = http.request({ host: target.hostname, port: target.port, path: request.url, headers: request.headers }, (answer) => {
        response.writeHead(answer.statusCode, answer.headers);
        answer.pipe(response);
      });
      forward.on('error', () => response.destroy());
      response.on('close', () => forward.destroy());
      forward.end();
    });
    proxy.on('connection', (socket) => sockets.add(socket));
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const client = clientOf(subscriptionLink(`http://127.0.0.1:${proxy.address().port}/trpc`, bearer(key)));
    const seen = [];
    const subscription = client.mcp.events.subscribe(undefined, { onData: (event) => seen.push(event), onError: () => {} });
    try {
      await eventually('an event', async () => {
        await readAs(key);
        return seen.length > 0;
      });
      const first = seen.length;
      for (const socket of sockets) socket.destroy();
      await readAs(key);
      await readAs(key);
      await eventually('the client back', () => asked.length > 1, 20_000);
      await eventually('what came meanwhile', () => seen.length >= first + 2, 20_000);
      assert.equal(new Set(seen.map(({ id }) => id)).size, seen.length);
    } finally {
      subscription.unsubscribe();
      proxy.closeAllConnections();
      proxy.close();
    }
  });

  test('refusals end a subscription with their code', async () => {
    const codeOf = async (subscription) => {
      await subscription.started.catch(() => {});
      return (await eventually('the error', () => subscription.ends.error)).data.code;
    };
    const [nobody, wrong] = [follow(undefined), follow(master, { types: ['nonsense'] })];
    assert.equal(await codeOf(nobody), 'UNAUTHORIZED');
    assert.equal(await codeOf(wrong), 'BAD_REQUEST');
    for (const each of [nobody, wrong]) each.stop();
  });

  test('browsers send their key as connection parameters', async () => {
    const client = clientOf(subscriptionLink(url, {}, { connectionParams: { authorization: `Bearer ${master}` } }));
    const seen = [];
    const subscription = client.mcp.events.subscribe(undefined, { onData: (event) => seen.push(event) });
    await eventually('an event', async () => {
      await readAs(master);
      return seen.length > 0;
    });
    subscription.unsubscribe();
  });

  test('a server that stops ends its streams at once', async () => {
    const own = await startToolpost({ env: { MSSQL_MCP_API_KEY: master } });
    const response = await fetch(`${own.origin}/trpc/mcp.events`, { headers: bearer(master) });
    const reader = response.body.getReader();
    assert.match(new TextDecoder().decode((await reader.read()).value), /event: connected/);
    const ended = within(9_000, 'the end', reader.read().then(({ done }) => done, (error) => error.message));
    await own.stop();
    assert.equal(await ended, true);
  });
});
