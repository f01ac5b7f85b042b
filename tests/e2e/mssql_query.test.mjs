// mssql-query without a SQL Server, through real clients and every door.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { text } from './behaviours.mjs';
import { bearer, callTool, rpc } from './callers.mjs';
import { modes, openHttp as openV2 } from './client_v2.mjs';
import { openHttp, openStdio } from './sdk_v1.mjs';
import { eventually, startToolpost, temporaryDirectory, toolpost } from './servers.mjs';
import { clientOf, failure, links } from './trpc.mjs';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const rowsOf = ({ queryResult }) => queryResult.flatMap(({ rows }) => rows);
const answers = {
  'SELECT slow': 'Script timeout',
  'SELECT busy': { message: 'Deadlock victim', code: 1205, detail: { spid: 51 } },
  'SELECT nothing': [],
};

let directory;
let server;
let headers;  // of the local user
before(async () => {
  directory = temporaryDirectory();
  writeFileSync(join(directory.path, 'stub.json'), JSON.stringify(answers));
  server = await startToolpost({ directory: directory.path, env: { TOOLPOST_MSSQL_STUB_FILE: 'stub.json' } });
  headers = bearer(readFileSync(join(directory.path, 'local-token'), 'utf8').trim());
});
after(async () => {
  await server?.stop();
  directory?.cleanUp();
});

const sessions = {
  'sdk v1 over http': () => openHttp(server.url),
  'sdk v1 over stdio': () => openStdio(toolpost(), { env: { TOOLPOST_MSSQL_STUB_FILE: join(directory.path, 'stub.json') } }),
  ...Object.fromEntries(Object.entries(modes).map(([name, mode]) => [`client v2, ${name}`, () => openV2(mode, server.url, {})])),
};

for (const [name, open] of Object.entries(sessions)) {
  describe(`mssql-query: ${name}`, () => {
    let session;
    before(async () => {
      session = await open();
    });
    after(() => session?.close());
    const call = (args) => session.call({ name: 'mssql-query', arguments: args });

    test('STUB_FR_001 STUB_FR_002 STUB_SC_001 the tool and both schemas are listed', async () => {
      const tool = (await session.client.listTools()).tools.find((each) => each.name === 'mssql-query');
      assert.equal(tool.title, 'MSSQL Query Tool');
      assert.deepEqual(Object.keys(tool.inputSchema.properties), ['database', 'query', 'maxRows']);
      assert.deepEqual(tool.outputSchema.anyOf[0].required, ['correlationId', 'database', 'queryResult', 'startedAt', 'completedAt']);
    });

    test('STUB_FR_004 STUB_FR_007 STUB_SC_002 the envelope', async () => {
      const started = Date.now();
      const { structuredContent: envelope } = await call({ database: 'hr', query: 'SELECT * FROM employees', maxRows: 5 });
      assert.ok(Date.now() - started < 1000);
      assert.match(envelope.correlationId, uuid);
      assert.equal(envelope.database, 'hr');
      assert.equal(rowsOf(envelope).length, 5);
      assert.match(envelope.startedAt, instant);
      assert.ok(envelope.startedAt <= envelope.completedAt);
    });

    test('STUB_FR_009 STUB_EDGE_1 malformed arguments are no error', async () => {
      for (const args of [{}, { database: 5 }, { query: null }, { database: 'hr', query: ['x'], maxRows: 'many' }]) {
        const result = await call(args);
        assert.ok(!result.isError, text(result));
        assert.equal(rowsOf(result.structuredContent).length, 3);
      }
    });

    test('STUB_FR_008 STUB_SC_004 STUB_EDGE_3 errors arrive as they were thrown', async () => {
      const bare = await call({ database: 'hr', query: 'SELECT slow' });
      assert.equal(bare.isError, true);
      assert.equal(text(bare), 'Script timeout');
      assert.match(bare._meta.correlationId, uuid);
      const busy = await call({ database: 'hr', query: 'SELECT busy' });
      assert.equal(text(busy), 'Deadlock victim');
      assert.deepEqual(busy.structuredContent.error, answers['SELECT busy']);
      const { structuredContent } = await call({ database: 'hr', query: 'SELECT nothing' });
      assert.deepEqual(structuredContent.queryResult, []);
    });

    test('STUB_EDGE_4 concurrent calls have ids of their own', async () => {
      const all = await Promise.all(Array.from({ length: 20 }, (_, i) => call({ database: `db${i}`, query: 'SELECT 1' })));
      assert.equal(new Set(all.map(({ structuredContent }) => structuredContent.correlationId)).size, 20);
      assert.deepEqual(all.map(({ structuredContent }) => structuredContent.database), all.map((_, i) => `db${i}`));
    });
  });
}

test('STUB_EDGE_5 mssql-query through the JSON-RPC controller and tRPC', async () => {
  const args = { database: 'hr', query: 'THROW 50000' };
  for (const path of ['/rpc', '/mcp']) {
    const { body } = await rpc(`${server.origin}${path}`, 'mssql-query', args, headers);
    assert.match(body.error.message, /contains THROW$/);
    assert.equal(body.error.data.error.code, 50000);
    assert.match(body.error.data.correlationId, uuid);
    const called = await callTool(`${server.origin}${path}`, 'mssql-query', args, headers);
    assert.equal(called.body.result.structuredContent.error.message, body.error.message);
  }
  const { mcp } = clientOf(links.httpLink({ url: `${server.origin}/trpc`, headers }));
  const done = await mcp.executeTool.mutate({ name: 'mssql/mssql-query', arguments: { database: 'hr', query: 'SELECT 1' } });
  assert.equal(rowsOf(done.result).length, 3);
  assert.match((await failure(mcp.executeTool.mutate({ name: 'mssql-query', arguments: args }))).message, /contains THROW/);
});

test('the log has the correlation id of a call that failed', async () => {
  const { body } = await callTool(`${server.origin}/rpc`, 'mssql-query', { database: 'hr', query: 'SELECT busy' }, headers);
  await eventually('the line of the call', () => server.log().includes(body.result._meta.correlationId));
});
