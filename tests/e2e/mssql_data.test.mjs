// What ExecuteQuery and mssql-query give of a SQL Server's data: exact values, large ones, and several results.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { text } from './behaviours.mjs';
import { bearer, callTool, rpc } from './callers.mjs';
import { startToolpost, temporaryDirectory } from './servers.mjs';
import { full, scriptOf } from './sql_server_replies.mjs';
import { startTdsServer } from './tds_server.mjs';
import { clientOf, links } from './trpc.mjs';

// Type, value on the wire, value in JSON.
const values = [
  ['bigint', '9223372036854775807', '9223372036854775807'],
  ['bigint', '-9223372036854775808', '-9223372036854775808'],
  ['int', -2147483648, -2147483648],
  ['tinyint', 255, 255],
  ['bit', true, true],
  ['decimal(38,0)', '99999999999999999999999999999999999999', '99999999999999999999999999999999999999'],
  ['decimal(38,10)', '-1234567890123456789012345678.0123456789', '-1234567890123456789012345678.0123456789'],
  ['decimal(38,38)', '.00000000000000000000000000000000000001', '0.00000000000000000000000000000000000001'],
  ['money', '-922337203685477.5808', '-922337203685477.5808'],
  ['float', 0.1, 0.1],
  ['float', 1.7976931348623157e308, 1.7976931348623157e308],
  ['date', '0001-01-01', '0001-01-01'],
  ['time(7)', '23:59:59.9999999', '23:59:59.9999999'],
  ['datetime2(7)', '9999-12-31 23:59:59.9999999', '9999-12-31T23:59:59.9999999'],
  ['datetimeoffset(7)', '2024-02-29 23:59:58.1234567 -11:30', '2024-02-29T23:59:58.1234567-11:30'],
  ['uniqueidentifier', '6F9619FF-8B86-D011-B42D-00C04FC964FF', '6F9619FF-8B86-D011-B42D-00C04FC964FF'],
  ['nvarchar(max)', '𝄞 ünï 😀\u0001 "quoted"\n', '𝄞 ünï 😀\u0001 "quoted"\n'],
  ['varbinary(max)', '0x00ff10', 'AP8Q'],
  ['xml', '<a b="ü"/>', '<a b="ü"/>'],
  ['nvarchar(10)', null, null],
];
// What SQL Server adds to the name of the column of such a text.
const pieces = 'F52E2B61-18A1-11d1-B105-00805F49916B';
const readOf = {
  'SELECT exact FROM t': [{ columns: values.map(([type], i) => ({ name: `c${i}`, type })), rows: [values.map(([, sent]) => sent)] }],
  'SELECT large FROM t': [{
    columns: [{ name: 'id', type: 'int' }, { name: 'blob', type: 'varbinary(max)' }], rows: [[1, { repeat: '0x0123456789', times: 10_000_000 }]],
  }],
  'SELECT a FROM t FOR JSON AUTO': [{ columns: [{ name: `JSON_${pieces}`, type: 'ntext' }], rows: [['[{"a":'], ['"1,2"'], ['}]']] }],
  'SELECT a FROM t FOR XML RAW': [{ columns: [{ name: `XML_${pieces}`, type: 'ntext' }], rows: [['<row a='], ['"1"/>']] }],
  'SELECT a FROM long FOR JSON PATH': [{ columns: [{ name: `JSON_${pieces}`, type: 'ntext' }], rows: [['x'.repeat(2033)]], repeat: 10 }],
  'SELECT page FROM t': [{ columns: [{ name: 'c', type: 'nvarchar(max)' }], rows: [['😀'.repeat(1000)]], repeat: 10_000 }],
};

let directory;
let tds;
let server;
let headers;
before(async () => {
  directory = temporaryDirectory();
  const script = scriptOf({ ...full, write: [
    { columns: [{ name: 'a', type: 'int' }], rows: [[1], [2]] }, { count: 3 }, { columns: [{ name: 'b', type: 'money' }], rows: [['1.5000']] },
  ] });
  script.rules.unshift(...Object.entries(readOf).map(([query, steps]) => ({ parameters: { 1: query }, steps })));
  tds = await startTdsServer(script);
  server = await startToolpost({ directory: directory.path, env: {
    TOOLPOST_MSSQL_CONNECTION_STRING: `Server=127.0.0.1,${tds.port};Database=shop;User Id=reader;Password=example;Encrypt=false`,
    TOOLPOST_MSSQL_WRITE_CONNECTIONS: 'DefaultConnection',
  } });
  headers = bearer(readFileSync(join(directory.path, 'local-token'), 'utf8').trim());
});
after(async () => {
  await server?.stop();
  await tds?.stop();
  directory?.cleanUp();
});

const execute = async (args) => {
  const { body } = await callTool(`${server.origin}/mcp`, 'ExecuteQuery', args, headers);
  assert.equal(body.result?.isError, false, JSON.stringify(body).slice(0, 1000));
  return body.result;
};

test('values survive exactly through every door', async () => {
  const query = 'SELECT exact FROM t';
  const expected = values.map(([, , json]) => json);
  const result = await execute({ query });
  assert.deepEqual(result.structuredContent.rows, [expected]);
  assert.deepEqual(JSON.parse(text(result)).rows, [expected], 'the text is the JSON');
  const { body } = await rpc(`${server.origin}/rpc`, 'ExecuteQuery', { query });
  assert.deepEqual(body.result.rows, [expected]);
  const { mcp } = clientOf(links.httpLink({ url: `${server.origin}/trpc`, headers }));
  assert.deepEqual((await mcp.executeTool.mutate({ name: 'ExecuteQuery', arguments: { query } })).result.rows, [expected]);
  const { body: asked } = await callTool(`${server.origin}/mcp`, 'mssql-query', { database: 'DefaultConnection', query }, headers);
  assert.deepEqual(asked.result.structuredContent.queryResult[0].rows, [expected]);
});

test('a value of 50 MB is cut to fit the reply, and says how long it is', async () => {
  const result = await execute({ query: 'SELECT large FROM t', maxBytes: 100_000 });
  assert.ok(JSON.stringify(result).length < 250_000, 'text and structured content');
  assert.equal(result.structuredContent.cutValues, 1);
  assert.match(result.structuredContent.rows[0][1], /50000000 bytes/);
});

test('FOR JSON and FOR XML, which come in pieces, are one row', async () => {
  const json = { query: 'SELECT a FROM t FOR JSON AUTO', maxRows: 1 };
  const { columns, rows, rowCount, truncated } = (await execute(json)).structuredContent;
  assert.deepEqual([columns, rows, rowCount, truncated], [['json'], [['[{"a":"1,2"}]']], 1, false]);
  assert.equal((await execute({ ...json, format: 'csv' })).structuredContent.text, 'json\r\n"[{""a"":""1,2""}]"\r\n');
  const { body } = await callTool(`${server.origin}/mcp`, 'mssql-query', {
    database: 'DefaultConnection', query: 'SELECT a FROM t FOR XML RAW', maxRows: 1,
  }, headers);
  const [set] = body.result.structuredContent.queryResult;
  assert.deepEqual([set.columns[0].name, set.rows, set.truncated], ['xml', [['<row a="1"/>']], undefined]);
  const long = (await execute({ query: 'SELECT a FROM long FOR JSON PATH' })).structuredContent;
  assert.deepEqual([long.rowCount, long.cutValues], [1, 1]);
  assert.match(long.rows[0][0], /^x+… \(20330 bytes\)$/);
});

test('rows beyond the bytes of the reply are left on the server', async () => {
  const { structuredContent } = await execute({ query: 'SELECT page FROM t', maxRows: 10_000, maxBytes: 100_000 });
  assert.deepEqual([structuredContent.truncated, structuredContent.truncatedReason], [true, 'size']);
  assert.ok(structuredContent.rowCount > 5 && JSON.stringify(structuredContent).length < 100_000);
});

test('D6 a batch with several results gives all of them', async () => {
  const { structuredContent } = await execute({ query: 'EXEC p', write: true });
  assert.deepEqual(structuredContent.rows, [[1], [2]]);
  assert.deepEqual(structuredContent.resultSets, [{ columns: ['b'], columnTypes: ['money'], rows: [['1.5000']], rowCount: 1, truncated: false }]);
});
