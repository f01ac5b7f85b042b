// The scripted TDS server from the other side: tedious and mssql must take it for a SQL Server.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import mssql from 'mssql';
import { Connection, Request, TYPES } from 'tedious';

import { startTdsServer } from './tds_server.mjs';
import { temporaryDirectory, within } from './servers.mjs';

const everything = {
  types: {
    a_tinyint: ['tinyint', 255, 255],
    a_smallint: ['smallint', -32768, -32768],
    an_int: ['int', 2147483647, 2147483647],
    a_bigint: ['bigint', '-9223372036854775808', '-9223372036854775808'],
    a_bit: ['bit', true, true],
    a_real: ['real', 1.5, 1.5],
    a_float: ['float', -1.7976931348623157e308, -1.7976931348623157e308],
    a_decimal: ['decimal(18,4)', '-12345.6789', -12345.6789],
    a_numeric: ['numeric(9,0)', 123456789, 123456789],
    a_money: ['money', '-1234.5678', -1234.5678],
    a_smallmoney: ['smallmoney', '214748.3647', 214748.3647],
    a_date: ['date', '2024-02-29', new Date('2024-02-29T00:00:00Z')],
    a_time: ['time(3)', '23:59:58.123', new Date('1970-01-01T23:59:58.123Z')],
    a_datetime: ['datetime', '1999-12-31 23:59:59.997', new Date('1999-12-31T23:59:59.997Z')],
    a_smalldatetime: ['smalldatetime', '2079-06-06 23:59', new Date('2079-06-06T23:59:00Z')],
    a_datetime2: ['datetime2(7)', '9999-12-31 23:59:59.1230000', new Date('9999-12-31T23:59:59.123Z')],
    a_datetimeoffset: ['datetimeoffset(7)', '2024-03-01 01:00:00.1230000 +05:30', new Date('2024-02-29T19:30:00.123Z')],
    a_guid: ['uniqueidentifier', '6f9619ff-8b86-d011-b42d-00c04fc964ff', '6F9619FF-8B86-D011-B42D-00C04FC964FF'],
    an_nvarchar: ['nvarchar(20)', 'héllo 😀', 'héllo 😀'],
    an_nvarchar_max: ['nvarchar(max)', { repeat: '😀', times: 50_000 }, '😀'.repeat(50_000)],
    an_nchar: ['nchar(3)', 'abc', 'abc'],
    a_varchar: ['varchar(20)', 'héllo', 'héllo'],
    a_varchar_max: ['varchar(max)', '', ''],
    a_char: ['char(3)', 'abc', 'abc'],
    a_varbinary: ['varbinary(8)', '0x0001ff', Buffer.from([0, 1, 255])],
    a_varbinary_max: ['varbinary(max)', { repeat: '0xbeef', times: 100_000 }, Buffer.alloc(200_000, Buffer.from([0xbe, 0xef]))],
    a_binary: ['binary(2)', '0xbeef', Buffer.from([0xbe, 0xef])],
    an_xml: ['xml', '<a>ü</a>', '<a>ü</a>'],
    a_text: ['text', 'abc', 'abc'],
    an_ntext: ['ntext', 'abc😀', 'abc😀'],
    an_image: ['image', '0x00ff', Buffer.from([0, 255])],
    a_variant_int: ['sql_variant', { type: 'int', value: -5 }, -5],
    a_variant_bigint: ['sql_variant', { type: 'bigint', value: '9223372036854775807' }, '9223372036854775807'],
    a_variant_bit: ['sql_variant', { type: 'bit', value: true }, true],
    a_variant_float: ['sql_variant', { type: 'float', value: 0.1 }, 0.1],
    a_variant_money: ['sql_variant', { type: 'money', value: '-1234.5678' }, -1234.5678],
    a_variant_decimal: ['sql_variant', { type: 'decimal(18,4)', value: '-12345.6789' }, -12345.6789],
    a_variant_nvarchar: ['sql_variant', { type: 'nvarchar(20)', value: 'héllo 😀' }, 'héllo 😀'],
    // ASCII: tedious takes the length for the collation, which MS-TDS 2.2.5.5.4 puts first.
    a_variant_varchar: ['sql_variant', { type: 'varchar(20)', value: 'hello' }, 'hello'],
    a_variant_binary: ['sql_variant', { type: 'varbinary(8)', value: '0x0001ff' }, Buffer.from([0, 1, 255])],
    a_variant_datetime: ['sql_variant', { type: 'datetime', value: '1999-12-31 23:59:59.997' }, new Date('1999-12-31T23:59:59.997Z')],
    a_variant_datetime2: ['sql_variant', { type: 'datetime2(3)', value: '9999-12-31 23:59:59.123' }, new Date('9999-12-31T23:59:59.123Z')],
    a_variant_date: ['sql_variant', { type: 'date', value: '2024-02-29' }, new Date('2024-02-29T00:00:00Z')],
    a_variant_guid: ['sql_variant', { type: 'uniqueidentifier', value: '6f9619ff-8b86-d011-b42d-00c04fc964ff' }, '6F9619FF-8B86-D011-B42D-00C04FC964FF'],
    a_geography: ['geography', '0xe6100000010c', Buffer.from('e6100000010c', 'hex')],
    a_geometry: ['geometry', { repeat: '0xbeef', times: 50_000 }, Buffer.alloc(100_000, Buffer.from([0xbe, 0xef]))],
    a_hierarchyid: ['hierarchyid', '0x5840', Buffer.from([0x58, 0x40])],
  },
};
const columns = Object.entries(everything.types).map(([name, [type]]) => ({ name, type }));
const values = Object.values(everything.types).map(([, written]) => written);
const expected = Object.fromEntries(Object.entries(everything.types).map(([name, [, , read]]) => [name, read]));
const nothing = Object.fromEntries(Object.keys(expected).map((name) => [name, null]));

let files;
const scripts = () => ({
  login: { user: 'sa', password: 'p;ss{wörd', databases: ['shop', 'master'] },
  tls: { certificate: join(files.path, 'cert.pem'), key: join(files.path, 'key.pem') },
  rules: [
    { prefix: 'set ', steps: [] },
    { text: 'SELECT 1;', steps: [{ columns: [{ name: '', type: 'int' }], rows: [[1]] }] },
    { tag: 't:types', steps: [{ columns, rows: [values, values.map(() => null)] }] },
    { tag: 't:bitmap', steps: [{ columns, bitmap: true, rows: [values, values.map(() => null)] }] },
    { tag: 't:sets', steps: [
      { columns: [{ name: 'a', type: 'int' }], rows: [[1]] },
      { info: { number: 50_001, message: 'between' } },
      { count: 3 },
      { columns: [{ name: 'b', type: 'nvarchar(5)' }], rows: [['x'], ['y']] },
      { columns: [{ name: 'c', type: 'int' }], rows: [] }] },
    { tag: 't:missing', steps: [{ error: { number: 208, message: "Invalid object name 'nothing'.", line: 3, procedure: 'p' } }] },
    { tag: 't:midway', steps: [
      { columns: [{ name: 'a', type: 'int' }], rows: [[1], [2]] },
      { error: { number: 8134, message: 'Divide by zero error encountered.' } }] },
    { tag: 't:cut', steps: [{ columns: [{ name: 'a', type: 'int' }], rows: [[1]] }, { cut: [2] }] },
    { tag: 't:wait', steps: [{ delayMs: 600_000 }] },
    { tag: 't:many', steps: [{ columns: [{ name: 'a', type: 'int' }], rows: [[7]], repeat: 100_000 }] },
    { tag: 't:echo', steps: [{ columns: [{ name: 'ok', type: 'bit' }], rows: [[true]] }] },
    { procedure: 'sp_total', steps: [{ columns: [{ name: 'a', type: 'int' }], rows: [[1]] }, { output: { name: '@total', type: 'int', value: 42 } }, { status: 5 }] },
  ],
});

let server;
before(async () => {
  files = temporaryDirectory();
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost', '-addext',
    'subjectAltName=DNS:localhost', '-keyout', join(files.path, 'key.pem'), '-out', join(files.path, 'cert.pem')], { stdio: 'pipe' });
  server = await startTdsServer(scripts());
});
after(async () => {
  const code = await server?.stop();
  files.cleanUp();
  assert.equal(code, 0);
});

/** An open connection of tedious. */
async function open(options = {}, authentication = {}) {
  const connection = new Connection({
    server: 'localhost',
    authentication: { type: 'default', options: { userName: 'sa', password: 'p;ss{wörd', ...authentication } },
    options: { port: server.port, encrypt: false, trustServerCertificate: true, database: 'shop', connectTimeout: 10_000, ...options },
  });
  await new Promise((resolve, reject) => connection.connect((error) => (error ? reject(error) : resolve())));
  return connection;
}

/** Runs one request: `{error, rows, sets, messages}`. */
function run(connection, text, { parameters = [], how = 'execSql', during } = {}) {
  const rows = [];
  const sets = [];
  const infos = [];
  return within(30_000, text, new Promise((resolve) => {
    const request = new Request(text, (error, count) => {
      connection.off('infoMessage', onInfo);
      resolve({ error, count, rows, sets, infos, outputs });
    });
    const outputs = {};
    const onInfo = (info) => infos.push(info.message);
    connection.on('infoMessage', onInfo);
    for (const [name, type, value] of parameters) request.addParameter(name, type, value);
    request.on('columnMetadata', (metadata) => sets.push(metadata.map((column) => column.colName)));
    request.on('row', (row) => rows.push(Object.fromEntries(row.map((cell) => [cell.metadata.colName, cell.value]))));
    request.on('returnValue', (name, value) => { outputs[name] = value; });
    request.on('doneProc', (_count, _more, status) => { outputs.status = status; });
    connection[how](request);
    during?.(connection);
  }));
}

async function closed(connection) {
  const end = once(connection, 'end');
  connection.close();
  await end;
}

for (const how of ['execSql', 'execSqlBatch']) {
  test(`tedious reads every type through ${how}`, async () => {
    const connection = await open();
    for (const tag of ['t:types', 't:bitmap']) {
      const { error, rows } = await run(connection, `/* ${tag} */`, { how });
      assert.ifError(error);
      assert.equal(rows.length, 2);
      for (const name of Object.keys(expected)) assert.deepEqual(JSON.stringify(rows[0][name]), JSON.stringify(expected[name]), name);
      assert.deepEqual(rows[1], nothing);
    }
    await closed(connection);
  });
}

test('several sets, messages and counts arrive in order', async () => {
  const connection = await open();
  const { error, rows, sets, infos } = await run(connection, '/* t:sets */', { how: 'execSqlBatch' });
  assert.ifError(error);
  assert.deepEqual(sets, [['a'], ['b'], ['c']]);
  assert.deepEqual(rows, [{ a: 1 }, { b: 'x' }, { b: 'y' }]);
  assert.deepEqual(infos, ['between']);
  await closed(connection);
});

test('errors carry their number, line and procedure, also after rows', async () => {
  const connection = await open();
  const missing = await run(connection, '/* t:missing */');
  assert.equal(missing.error.number, 208);
  assert.equal(missing.error.message, "Invalid object name 'nothing'.");
  assert.equal(missing.error.lineNumber, 3);
  assert.equal(missing.error.procName, 'p');
  const midway = await run(connection, '/* t:midway */');
  assert.equal(midway.error.number, 8134);
  assert.deepEqual(midway.rows, [{ a: 1 }, { a: 2 }]);
  assert.equal((await run(connection, 'unknown')).error.number, 208);
  assert.ifError((await run(connection, '/* t:sets */')).error);
  await closed(connection);
});

test('a login with a wrong password or database fails', async () => {
  await assert.rejects(open({}, { password: 'wrong' }), /Login failed for user 'sa'/);
  await assert.rejects(open({ database: 'attic' }), /Cannot open database "attic"/);
});

test('a request is cancelled while it waits, and the connection goes on', async () => {
  const connection = await open();
  const cancelled = await run(connection, '/* t:wait */', { during: () => setTimeout(() => connection.cancel(), 50) });
  assert.equal(cancelled.error.code, 'ECANCEL');
  assert.ifError((await run(connection, '/* t:sets */')).error);
  const many = await run(connection, '/* t:many */', { during: () => setTimeout(() => connection.cancel(), 20) });
  assert.ok(many.error === null || many.error === undefined || many.error.code === 'ECANCEL');
  assert.ifError((await run(connection, '/* t:sets */')).error);
  assert.ok(server.received().some((entry) => entry.kind === 'attention'));
  await closed(connection);
});

test('a cut connection is an error', async () => {
  const connection = await open();
  const lost = once(connection, 'error');
  const { error } = await run(connection, '/* t:cut */');
  assert.ok(error);
  await within(10_000, 'the loss of the connection', lost);
});

test('parameters are recorded with their types', async () => {
  const connection = await open();
  const parameters = [
    ['i', TYPES.Int, -5], ['b', TYPES.BigInt, '9007199254740993'], ['s', TYPES.NVarChar, 'ü😀'], ['l', TYPES.NVarChar, 'x'.repeat(5000)],
    ['v', TYPES.VarBinary, Buffer.from([1, 2])], ['n', TYPES.NVarChar, null], ['t', TYPES.Bit, true], ['f', TYPES.Float, 0.1],
    ['g', TYPES.UniqueIdentifier, '6F9619FF-8B86-D011-B42D-00C04FC964FF'], ['d', TYPES.DateTime2, new Date('2024-02-29T10:11:12.123Z')],
    ['m', TYPES.Money, 12.5],
  ];
  const { error, rows } = await run(connection, '/* t:echo */', { parameters });
  assert.ifError(error);
  assert.deepEqual(rows, [{ ok: true }]);
  const call = server.received().findLast((entry) => entry.text === '/* t:echo */');
  assert.equal(call.procedure, 'sp_executesql');
  assert.deepEqual(call.parameters.map(({ name, value }) => [name, value]), [
    ['@i', -5], ['@b', 9007199254740992], ['@s', 'ü😀'], ['@l', 'x'.repeat(5000)], ['@v', '0x0102'], ['@n', null], ['@t', true], ['@f', 0.1],
    ['@g', '6f9619ff-8b86-d011-b42d-00c04fc964ff'], ['@d', '2024-02-29 10:11:12.1230000'], ['@m', '12.5000'],
  ]);
  await closed(connection);
});

test('prepared statements, procedures and transactions', async () => {
  const connection = await open();
  const request = new Request('/* t:echo */ prepared', () => {});
  request.addParameter('p', TYPES.Int);
  const prepared = once(request, 'prepared');
  connection.prepare(request);
  await within(10_000, 'prepared', prepared);
  const rows = [];
  request.on('row', (row) => rows.push(row[0].value));
  for (const p of [1, 2]) {
    await within(10_000, 'execute', new Promise((resolve, reject) => {
      request.callback = (error) => (error ? reject(error) : resolve());
      connection.execute(request, { p });
    }));
  }
  assert.deepEqual(rows, [true, true]);
  await new Promise((resolve) => { request.callback = resolve; connection.unprepare(request); });
  const procedure = await run(connection, 'sp_total', { how: 'callProcedure' });
  assert.ifError(procedure.error);
  assert.deepEqual(procedure.outputs, { total: 42, status: 5 });
  await new Promise((resolve, reject) => connection.beginTransaction((error) => (error ? reject(error) : resolve())));
  await new Promise((resolve, reject) => connection.rollbackTransaction((error) => (error ? reject(error) : resolve())));
  await new Promise((resolve, reject) => connection.beginTransaction((error) => (error ? reject(error) : resolve())));
  await new Promise((resolve, reject) => connection.commitTransaction((error) => (error ? reject(error) : resolve())));
  const kinds = server.received().filter((entry) => entry.kind === 'transaction').map((entry) => entry.procedure);
  assert.deepEqual(kinds, ['begin', 'rollback', 'begin', 'commit']);
  await closed(connection);
});

test('TLS: verified, and refused when the certificate is unknown', async () => {
  const ca = readFileSync(join(files.path, 'cert.pem'));
  const verified = await open({ encrypt: true, trustServerCertificate: false, cryptoCredentialsDetails: { ca } });
  const { error, rows } = await run(verified, '/* t:types */');
  assert.ifError(error);
  assert.equal(rows[0].an_nvarchar, 'héllo 😀');
  await closed(verified);
  const logins = () => server.received().filter((entry) => entry.kind === 'login');
  assert.equal(logins().at(-1).login.encrypted, true);
  assert.equal(logins().at(-1).login.database, 'shop');
  const count = logins().length;
  await assert.rejects(open({ encrypt: true, trustServerCertificate: false }), /self.signed certificate/);
  assert.equal(logins().length, count);
});

test('mssql works with its pool', async () => {
  const pool = await mssql.connect({
    server: 'localhost', port: server.port, user: 'sa', password: 'p;ss{wörd', database: 'shop',
    options: { encrypt: true, trustServerCertificate: true },
  });
  const { recordsets } = await pool.request().query('/* t:sets */');
  assert.deepEqual(recordsets.map((set) => [...set]), [[{ a: 1 }], [{ b: 'x' }, { b: 'y' }], []]);
  const many = await Promise.all(Array.from({ length: 8 }, () => pool.request().input('p', 1).query('/* t:many */')));
  for (const { recordset } of many) assert.equal(recordset.length, 100_000);
  await assert.rejects(pool.request().query('/* t:missing */'), { number: 208 });
  await pool.close();
});
