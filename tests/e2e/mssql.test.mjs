// The SQL Server tools on a SQL Server of the tests: every example of the controller document through every door, and every tool when
// things go wrong.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { text } from './behaviours.mjs';
import { bearer, callTool, openSession, rpc } from './callers.mjs';
import { openHttp } from './sdk_v1.mjs';
import { eventually, runToolpost, startToolpost, temporaryDirectory } from './servers.mjs';
import { beginning, empty, failing, full, scriptOf } from './sql_server_replies.mjs';
import { startTdsServer } from './tds_server.mjs';
import { clientOf, failure, links } from './trpc.mjs';

const stringOf = (port) => `Server=127.0.0.1,${port};Database=shop;User Id=reader;Password=example;Encrypt=false`;
const key = 'q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k=';

let directory;
let main;
let server;
let headers;
before(async () => {
  directory = temporaryDirectory();
  main = await startTdsServer(scriptOf(full));
  server = await startToolpost({
    directory: directory.path,
    env: { MSSQL_MCP_KEY: key, TOOLPOST_MSSQL_CONNECTION_STRING: stringOf(main.port), TOOLPOST_MSSQL_WRITE_CONNECTIONS: 'writable',
      TOOLPOST_MSSQL_DATABASES: 'archive' },
  });
  headers = bearer(readFileSync(join(directory.path, 'local-token'), 'utf8').trim());
});
after(async () => {
  await server?.stop();
  await main?.stop();
  directory?.cleanUp();
});

const store = (name, port) => rpc(`${server.origin}/rpc`, 'AddConnection', { request: { name, connectionString: stringOf(port), test: false } });

// The examples as the document has them, with servers that exist.
const examples = [
  ['CTRL_EX01', 'Initialize', () => ({ connectionName: 'DefaultConnection' }), (data) => assert.equal(data.login, 'reader')],
  ['CTRL_EX02', 'ExecuteQuery', () => ({ query: 'SELECT TOP 10 * FROM sys.databases', connectionName: 'DefaultConnection' }),
    (data) => assert.deepEqual([data.columns, data.rows[0]], [['Id', 'Name', 'Total', 'At'],
      [1, 'John Doe', '1234567890123456789012345678.0123456789', data.rows[0][3]]])],
  ['CTRL_EX03', 'GetTableMetadata', () => ({ connectionName: 'DefaultConnection', schema: 'dbo' }),
    (data) => assert.deepEqual(data.tables[0].columns[1], {
      name: 'Username', dataType: 'nvarchar', isNullable: false, maxLength: 100, isForeignKey: true, foreignKeyReference: 'dbo.Names.Name',
    })],
  ['CTRL_EX04', 'ListConnections', () => ({}), (data) => assert.ok(data.connections.some(({ name }) => name === 'DefaultConnection'))],
  ['CTRL_EX05', 'AddConnection', (door) => ({
    request: { name: `New-${door}`, connectionString: stringOf(main.port), description: 'My new database connection' },
  }), (data) => assert.equal(data.success, true)],
  ['CTRL_EX06', 'TestConnection', () => ({ request: { connectionString: stringOf(main.port) } }),
    (data) => assert.equal(data.serverVersion, 'Microsoft SQL Server 2022 (RTM)')],
  ['CTRL_EX08', 'UpdateConnection', (door) => ({
    request: { name: `New-${door}`, connectionString: stringOf(main.port), description: 'Updated connection' },
  }), (data) => assert.equal(data.success, true)],
  ['CTRL_EX07', 'RemoveConnection', (door) => ({ request: { name: `New-${door}` } }), (data) => assert.equal(data.success, true)],
  ['CTRL_EX09', 'GetDatabaseObjectsMetadata', () => ({ connectionName: 'DefaultConnection', schema: 'dbo', includeViews: true }),
    (data) => assert.equal(data.objects[0].name, 'Users')],
  ['CTRL_EX10', 'GetDatabaseObjectsByType', () => ({ connectionName: 'DefaultConnection', schema: 'dbo', objectType: 'TABLE' }),
    (data) => assert.equal(data.objects[0].type, 'TABLE')],
  ['CTRL_EX11', 'GetSqlServerAgentJobs', () => ({ connectionName: 'DefaultConnection' }),
    (data) => assert.deepEqual([data.jobs[0].lastRunDate, data.jobs[0].lastRunDurationSeconds, data.jobs[0].nextRunDate],
      ['2026-01-31T03:00:00', 125, '2026-02-01T03:00:00'])],
  ['CTRL_EX12', 'GetSqlServerAgentJobDetails', () => ({ connectionName: 'DefaultConnection', jobName: 'DatabaseBackup' }),
    (data) => assert.ok(!JSON.stringify(data).includes('hunter2') && data.job.history[0].runStatus === 'failed')],
  ['CTRL_EX13', 'GetSsisCatalogInfo', () => ({ connectionName: 'DefaultConnection' }),
    (data) => assert.equal(data.folders[0].projects[0].packages[0].name, 'Main.dtsx')],
  ['CTRL_EX14', 'GetAzureDevOpsInfo', () => ({ connectionName: 'DefaultConnection' }),
    (data) => assert.deepEqual([data.repositories[0].projectName, data.workItemCount], ['Alpha', 3000000000])],
];

// The message of a reply that may be an event stream.
const messageOf = (reply) => JSON.parse(/\{.*\}/.exec(reply)[0]);

/** The tool is the method, as in the document. */
const direct = (path) => async (tool, args) => {
  const { status, body } = await rpc(`${server.origin}${path}`, tool, args, headers);
  assert.deepEqual([status, body?.id], [200, 1]);
  assert.ok(body.result, JSON.stringify(body));
  return body.result;
};
/** Through tools/call. */
const called = (path) => async (tool, args) => {
  const { body } = await callTool(`${server.origin}${path}`, tool, args, headers);
  assert.equal(body.result?.isError, false, JSON.stringify(body));
  return body.result.structuredContent;
};

const doors = {
  rpc: direct('/rpc'),
  root: direct('/'),
  mcp: direct('/mcp'),
  'called-rpc': called('/rpc'),
  'called-root': called('/'),
  'keyed-mcp': called('/mcp'),
  session: async (tool, args) => {
    const session = await openSession(server.url);
    const { text: reply } = await session.request('tools/call', { name: tool, arguments: args });
    const { result } = messageOf(reply);
    assert.ok(result && !result.isError, reply);
    return result.structuredContent;
  },
  trpc: async (tool, args) => {
    const { mcp } = clientOf(links.httpLink({ url: `${server.origin}/trpc`, headers }));
    return (await mcp.executeTool.mutate({ name: tool, arguments: args })).result;
  },
};
/** A result without what differs between two calls: times, and the name of a connection of the door's own. */
const lasting = (data, door) => JSON.parse(JSON.stringify(data, (name, value) => (
  ['latencyMs', 'elapsedMs', 'lastUsed', 'createdOn'].includes(name) ? undefined : value)).replaceAll(`New-${door}`, 'New'));

const results = Object.fromEntries(examples.map(([id]) => [id, {}]));
for (const [door, call] of Object.entries(doors)) {
  describe(`the examples of the document: ${door}`, () => {
    for (const [id, tool, args, check] of examples) {
      test(`${id} ${tool}`, async () => {
        const data = await call(tool, args(door));
        check(data);
        results[id][door] = lasting(data, door);
      });
    }
  });
}
describe('the examples of the document: every door has the same result', () => {
  for (const [id, tool] of examples) {
    test(`${id} ${tool}`, () => {
      assert.deepEqual(Object.keys(results[id]).sort(), Object.keys(doors).sort());
      for (const door of Object.keys(doors)) assert.deepEqual(results[id][door], results[id].rpc, door);
    });
  }
});

// The tools that ask a server, and the least they need.
const asking = {
  'mssql-query': { query: 'SELECT 1' },
  Initialize: {},
  ExecuteQuery: { query: 'SELECT 1' },
  GetTableMetadata: {},
  GetDatabaseObjectsMetadata: {},
  GetDatabaseObjectsByType: {},
  GetSqlServerAgentJobs: {},
  GetSqlServerAgentJobDetails: { jobName: 'DatabaseBackup' },
  GetSsisCatalogInfo: {},
  GetAzureDevOpsInfo: {},
  TestConnection: {},
  AddConnection: {},
  UpdateConnection: {},
};
const argumentsOn = (tool, connection, port) => {
  if (tool === 'AddConnection') return { name: `${connection}-added`, connectionString: stringOf(port) };
  if (tool === 'UpdateConnection') return { name: connection, connectionString: stringOf(port) };
  const name = { 'mssql-query': 'database', TestConnection: 'name' }[tool] ?? 'connectionName';
  return { ...asking[tool], [name]: connection };
};

/** For each tool: `check(result, tool)` of a call on a server with this script. */
function onEvery(what, replies, check) {
  describe(what, () => {
    let tds;
    const connection = what.replaceAll(/[^a-z]/g, '-');
    before(async () => {
      tds = await startTdsServer(scriptOf(replies));
      const { body } = await store(connection, tds.port);
      assert.ok(body.result?.success, JSON.stringify(body));
    });
    after(() => tds?.stop());
    for (const tool of Object.keys(asking)) {
      test(tool, async () => {
        const { body } = await callTool(`${server.origin}/rpc`, tool, argumentsOn(tool, connection, tds.port));
        assert.ok(body.result, JSON.stringify(body));
        check(body.result, tool);
      });
    }
  });
}

onEvery('every tool: success', full, (result) => assert.equal(result.isError, false, text(result)));
onEvery('every tool: nothing there', empty, (result, tool) => {
  if (tool === 'GetSqlServerAgentJobDetails') return assert.match(text(result), /no job DatabaseBackup/);
  assert.equal(result.isError, false, text(result));
  const counts = { 'mssql-query': (data) => data.queryResult.flatMap(({ rows }) => rows).length, ExecuteQuery: (data) => data.rowCount };
  assert.equal(counts[tool]?.(result.structuredContent) ?? result.structuredContent.count ?? 0, 0);
});
onEvery('every tool: permission denied', failing({
  number: 229, class: 14, state: 5, message: "The SELECT permission was denied on the object 'x', database 'shop', schema 'dbo'.",
}), (result, tool) => {
  assert.equal(result.isError, true);
  assert.match(text(result), /SELECT permission was denied/);
  if (tool.includes('Agent')) assert.match(text(result), /SQLAgentReaderRole/);
});
onEvery('every tool: a server without these tables', failing({ number: 208, class: 16, state: 1, message: "Invalid object name 'x'." }),
  (result, tool) => {
    assert.equal(result.isError, true);
    assert.match(text(result), /Invalid object name 'x'/);
    if (tool.includes('Agent')) assert.match(text(result), /no SQL Server Agent/);
  });
onEvery('every tool: the connection drops', beginning({ cut: true }), (result) => {
  assert.equal(result.isError, true);
  assert.match(text(result), /The connection to SQL Server was lost/);
  assert.doesNotMatch(text(result), /example|hunter2/);
});

test('full details of objects are those of the server, as far as they are shown', async () => {
  for (const tool of ['GetDatabaseObjectsMetadata', 'GetDatabaseObjectsByType']) {
    const { body } = await rpc(`${server.origin}/rpc`, tool, { detail: 'full' });
    const [table, view, scalar] = body.result.objects;
    assert.deepEqual(table.foreignKeys, [{
      name: 'FK_Users_Names', column: 'Username', referencedSchema: 'dbo', referencedTable: 'Names', referencedColumn: 'Name', onDelete: 'CASCADE',
    }]);
    assert.equal(table.columns[1].foreignKeyReference, 'dbo.Names.Name');
    assert.deepEqual(view, { name: 'VUsers', schema: 'dbo', type: 'VIEW', definition: 'CREATE VIEW VUsers AS SELECT 1 AS ü' });
    assert.deepEqual([scalar.returnType, scalar.parameters], ['int', [{ name: '@name', dataType: 'nvarchar', direction: 'IN', maxLength: 50 }]]);
    assert.match(scalar.definition, /^é{4096}…$/);
  }
});

test('parameters, variables, runs and old packages of Integration Services, without secrets', async () => {
  const { body } = await rpc(`${server.origin}/rpc`, 'GetSsisCatalogInfo', {});
  const [folder] = body.result.folders;
  assert.deepEqual(folder.projects[0].parameters, [{ name: 'Root', type: 'String', sensitive: false, required: true, value: '/data' }]);
  assert.deepEqual(folder.projects[0].packages[0].parameters.map(({ name, value }) => [name, value]),
    [['Source', 'Data Source=a;User ID=u;Password=***;'], ['Token', undefined]]);
  assert.deepEqual(folder.environments.map(({ name, variables }) => [name, variables.map(({ value }) => value)]), [['Test', ['***']], ['Empty', []]]);
  assert.deepEqual(body.result.executions.map(({ executionId, status, endTime }) => [executionId, status, endTime]), [[500, 'succeeded', undefined]]);
  assert.deepEqual(body.result.legacyPackages.map(({ name }) => name), ['Old']);
  assert.ok(!JSON.stringify(body).includes('hunter2'));
});

test('repositories of a database that does not say which project they are in', async () => {
  const [tables] = full.devops_tables;
  const tds = await startTdsServer(scriptOf({ ...full, devops_tables: [{ ...tables, rows: [[1, 2, 3, 4, null, 'Tfs_Old']] }] }));
  await store('old-devops', tds.port);
  const { body } = await rpc(`${server.origin}/rpc`, 'GetAzureDevOpsInfo', { connectionName: 'old-devops' });
  assert.deepEqual(body.result.repositories, [{ repositoryId: 'R2', name: 'beta', projectId: null, projectName: null }]);
  await tds.stop();
});

test('D9 STUB_FR_008 errors of a server are relayed by mssql-query as it threw them, and worded by other tools', async () => {
  const thrown = [
    { number: 50000, class: 16, state: 7, line: 3, message: '[a] "my" error', shown: /^SQL Server: \[a\] "my" error \(line 3\)$/ },
    { number: 1205, class: 13, state: 51, line: 1, message: 'Transaction (Process ID 52) was deadlocked.', shown: /because of a deadlock: try again$/ },
    { number: 1105, class: 17, state: 2, line: 1, message: 'Could not allocate space in /secret/x.mdf.', shown: /out of memory, disk/ },
  ];
  for (const { shown, ...error } of thrown) {
    const tds = await startTdsServer(scriptOf({ ...full, read: [{ error }] }));
    const name = `throws-${error.number}`;
    await store(name, tds.port);
    const relayed = (await callTool(`${server.origin}/rpc`, 'mssql-query', { database: name, query: 'SELECT 1' })).body.result;
    assert.equal(text(relayed), error.message);
    assert.deepEqual(relayed.structuredContent.error, { message: error.message, code: error.number, class: error.class, line: error.line });
    const { body } = await rpc(`${server.origin}/rpc`, 'ExecuteQuery', { connectionName: name, query: 'SELECT 1' });
    assert.match(body.error.message.replace('Failed to execute tool ExecuteQuery: ', ''), shown);
    assert.ok(!JSON.stringify(body).includes('secret'));
    await tds.stop();
  }
});

test('D27 what a server says of a statement is a failure, what is refused before it runs a wrong argument', async () => {
  const ask = async (tool, args) => (await rpc(`${server.origin}/rpc`, tool, args)).body.error;
  for (const number of [207, 208, 245, 2627, 8134, 50000]) {
    const tds = await startTdsServer(scriptOf(failing({ number, class: 16, state: 1, message: 'It fails.' })));
    const connectionName = `failing-${number}`;
    await store(connectionName, tds.port);
    for (const [tool, args] of [['ExecuteQuery', { query: 'SELECT 1' }], ['GetTableMetadata', {}], ['Initialize', {}]]) {
      const error = await ask(tool, { connectionName, ...args });
      assert.equal(error?.code, -32603, `${tool} ${number}`);
      assert.ok(error.message.startsWith(`Failed to execute tool ${tool}: SQL Server: It fails.`), error.message);
    }
    await tds.stop();
  }
  for (const args of [{ query: 'DELETE FROM t' }, { query: 'SELECT @nobody' }, { query: 'SELECT 1', maxRows: 0 }]) {
    assert.equal((await ask('ExecuteQuery', args))?.code, -32602, JSON.stringify(args));
  }
});

test('every tool: an unknown schema is an error with those there are', async () => {
  const tds = await startTdsServer(scriptOf({ ...empty, schemas: full.schemas }));
  await store('schemas', tds.port);
  for (const tool of ['GetTableMetadata', 'GetDatabaseObjectsMetadata', 'GetDatabaseObjectsByType']) {
    const { body } = await callTool(`${server.origin}/rpc`, tool, { connectionName: 'schemas', schema: 'nope' });
    assert.match(text(body.result), /no schema nope in this database: there are dbo, sales/);
  }
  await tds.stop();
});

describe('every tool: slow servers', () => {
  let tds;
  let impatient;
  let state;
  before(async () => {
    tds = await startTdsServer(scriptOf(beginning({ delayMs: 60_000 })));
    state = temporaryDirectory();
    impatient = await startToolpost({ directory: state.path, env: { MSSQL_MCP_KEY: key, TOOLPOST_MSSQL_TIMEOUT: '1s' } });
    await rpc(`${impatient.origin}/rpc`, 'AddConnection', { name: 'slow', connectionString: stringOf(tds.port), test: false });
  });
  after(async () => {
    await impatient?.stop();
    await tds?.stop();
    state?.cleanUp();
  });
  const received = (...kinds) => tds.received().filter(({ kind, type }) => kinds.includes(kind ?? type)).length;
  for (const tool of Object.keys(asking)) {
    test(`${tool} times out`, async () => {
      const { body } = await callTool(`${impatient.origin}/rpc`, tool, argumentsOn(tool, 'slow', tds.port));
      assert.equal(body.result.isError, true);
      assert.match(text(body.result), /too long|in time/);
    });
    test(`${tool} is cancelled`, async () => {
      const patient = await openHttp(server.url);
      const name = `slow-${tool}`;
      await store(name, tds.port);
      const [asked, told] = [received('call'), received('attention')];
      const controller = new AbortController();
      const call = patient.call({ name: tool, arguments: argumentsOn(tool, name, tds.port) }, { signal: controller.signal });
      await eventually('the server is asked', () => received('call') > asked);
      controller.abort('no longer wanted');
      await assert.rejects(call);
      await eventually('the server is told', () => received('attention') > told);
      await patient.close();
    });
  }
});

test('of processes that add one name at the same time one succeeds, and a server that runs uses what another process changed', async () => {
  const [itself, roles] = full.posture;
  const other = await startTdsServer(scriptOf({
    ...full, posture: [{ ...itself, rows: [['Another server', ...itself.rows[0].slice(1)]] }, roles],
  }));
  const change = (tool, name, port) => runToolpost(
    ['call', tool, `name=${name}`, `connectionString=${stringOf(port)}`, 'test=false'], { directory: directory.path, env: { MSSQL_MCP_KEY: key } });
  const added = await Promise.all(Array.from({ length: 4 }, () => change('AddConnection', 'raced', main.port)));
  assert.deepEqual(added.map(({ code }) => code).sort(), [0, 5, 5, 5], JSON.stringify(added));
  for (const { code, out, err } of added) if (code !== 0) assert.match(out + err, /There is a connection raced already/);

  const version = async () => (await rpc(`${server.origin}/rpc`, 'Initialize', { connectionName: 'raced' })).body.result.serverVersion;
  assert.equal(await version(), 'Microsoft SQL Server 2022 (RTM)');
  assert.equal((await change('UpdateConnection', 'raced', other.port)).code, 0);
  assert.equal(await version(), 'Another server');
  await other.stop();
});

test('a server that is not there, and a login that is refused', async () => {
  const nobody = await startTdsServer(scriptOf(full));
  await nobody.stop();
  await store('nobody', nobody.port);
  const gone = await callTool(`${server.origin}/rpc`, 'ExecuteQuery', { connectionName: 'nobody', query: 'SELECT 1' });
  assert.equal(gone.body.result.isError, true);
  const wrong = stringOf(main.port).replace('Password=example', 'Password=hunter2');
  const { body } = await callTool(`${server.origin}/rpc`, 'TestConnection', { connectionString: wrong });
  assert.match(text(body.result), /[Ll]ogin/);
  assert.ok(!JSON.stringify(body).includes('hunter2'));
});

test('a connection field by field, with a password that no caller sees, to a server that is verified', async () => {
  const state = temporaryDirectory();
  const [certificate, privateKey] = ['cert.pem', 'key.pem'].map((name) => join(state.path, name));
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost', '-addext',
    'subjectAltName=DNS:localhost', '-keyout', privateKey, '-out', certificate], { stdio: 'pipe' });
  mkdirSync(join(state.path, 'passwords'), { mode: 0o700 });
  writeFileSync(join(state.path, 'passwords', 'shop'), 'p;w="d" {ö}}\n', { mode: 0o600 });
  const tds = await startTdsServer({
    ...scriptOf(full), login: { user: 'reader', password: 'p;w="d" {ö}}' }, tls: { certificate, key: privateKey, required: true },
  });
  const careful = await startToolpost({
    directory: state.path,
    env: { MSSQL_MCP_KEY: key, TOOLPOST_MSSQL_CA_FILE: certificate, TOOLPOST_MSSQL_ALLOW_HOSTS: 'localhost' },
  });
  const fields = { port: tds.port, database: 'shop', user: 'reader', passwordFile: 'shop' };
  const add = (name, host) => callTool(`${careful.origin}/rpc`, 'AddConnection', { name, host, ...fields });

  const { body } = await add('fields', 'localhost');
  assert.equal(body.result?.isError, false, JSON.stringify(body));
  const login = tds.received().find((entry) => entry.kind === 'login');
  assert.deepEqual([login.login.user, login.login.database, login.login.encrypted], ['reader', 'shop', true]);
  const { body: read } = await callTool(`${careful.origin}/rpc`, 'ExecuteQuery', { connectionName: 'fields', query: 'SELECT 1' });
  assert.equal(read.result?.isError, false, JSON.stringify(read));

  const logins = () => tds.received().filter((entry) => entry.kind === 'login').length;
  const before = logins();
  const { body: elsewhere } = await add('elsewhere', '127.0.0.1');
  assert.match(text(elsewhere.result), /mssql\.allow_hosts/);
  assert.equal(logins(), before);
  await careful.stop();
  await tds.stop();
  state.cleanUp();
});

test('CTRL_defect_10 what could write is refused before the server sees it, and writing has to be allowed', async () => {
  for (const query of ['DELETE FROM t', 'SELECT 1; DROP TABLE t', 'SELECT 1 DELETE FROM t', "EXEC('x')", 'SELECT * INTO t FROM u']) {
    const { body } = await callTool(`${server.origin}/rpc`, 'ExecuteQuery', { query });
    assert.equal(body.result.isError, true, query);
    const { body: asked } = await callTool(`${server.origin}/rpc`, 'mssql-query', { database: 'DefaultConnection', query });
    assert.equal(asked.result.isError, true, query);
  }
  const { body } = await callTool(`${server.origin}/rpc`, 'ExecuteQuery', { query: 'DELETE FROM t', write: true });
  assert.match(text(body.result), /mssql\.write_connections/);
  assert.ok(!JSON.stringify(main.received()).includes('DELETE FROM t'));
  const tds = await startTdsServer(scriptOf({ ...full, write: [{ count: 3 }] }));
  await store('writable', tds.port);
  const done = await callTool(`${server.origin}/rpc`, 'ExecuteQuery', { connectionName: 'writable', query: 'DELETE FROM t', write: true });
  assert.equal(done.body.result.isError, false, text(done.body.result));
  assert.ok(JSON.stringify(tds.received()).includes('DELETE FROM t'));
  await tds.stop();
});

test('names of three parts lead to the database of the connection and to those of mssql.databases', async () => {
  const read = async (query) => (await callTool(`${server.origin}/rpc`, 'ExecuteQuery', { query })).body.result;
  for (const database of ['shop', 'archive', '[Archive]']) {
    assert.equal((await read(`SELECT * FROM ${database}.dbo.orders`)).isError, false, database);
  }
  const refused = await read('SELECT * FROM payroll.dbo.salaries');
  assert.equal(refused.isError, true);
  assert.match(text(refused), /payroll.*mssql\.databases/);
  assert.ok(!JSON.stringify(main.received()).includes('payroll'));
});

test('clients of revisions without structured content get the data instead of a sentence', async () => {
  const textIn = async (revision) => {
    const session = await openSession(server.url, {}, revision);
    return text(messageOf((await session.request('tools/call', { name: 'GetTableMetadata', arguments: {} })).text).result);
  };
  assert.equal(await textIn('2025-06-18'), 'Table metadata retrieved successfully');
  assert.equal(JSON.parse(await textIn('2025-03-26')).tables[0].name, 'Users');
});

test('tRPC says why a tool failed', async () => {
  const { mcp } = clientOf(links.httpLink({ url: `${server.origin}/trpc`, headers }));
  const error = await failure(mcp.executeTool.mutate({ name: 'Initialize', arguments: { connectionName: 'nowhere' } }));
  assert.match(error.message, /AddConnection/);
});
