// The database tools through a real client: the sample, PostgreSQL, links, completion, declared tools.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { text } from './behaviours.mjs';
import { bearer, callTool, rpc } from './callers.mjs';
import { startPostgres } from './postgres.mjs';
import { openHttp, openStdio } from './sdk_v1.mjs';
import { eventually, startToolpost, temporaryDirectory, toolpost } from './servers.mjs';

const value = async (session, name, args) => {
  const result = await session.call({ name, arguments: args });
  assert.ok(!result.isError, `${name}: ${text(result)}`);
  return { ...result.structuredContent, link: result.content.find(({ type }) => type === 'resource_link')?.uri };
};
const refusal = async (session, name, args) => {
  const result = await session.call({ name, arguments: args });
  assert.ok(result.isError, JSON.stringify(result.structuredContent));
  return text(result);
};

test('PRD_US_006 the sample database works at once, over stdio', async (t) => {
  const session = await openStdio(toolpost(), {});
  const { tables, connections } = await value(session, 'database_tables', {});
  assert.deepEqual(tables.map(({ name }) => name), ['customers', 'order_items', 'order_totals', 'orders', 'products']);
  assert.deepEqual(connections.map(({ name }) => name), ['sample']);
  const { rows } = await value(session, 'database_query', { query: 'SELECT name FROM customers WHERE id = ?', params: [3] });
  assert.deepEqual(rows, [['Chloé Dubois']]);
  const { columns, foreignKeys } = await value(session, 'database_schema', { table: 'orders', schema: 'public' });
  assert.equal(columns.length, 4);
  assert.equal(foreignKeys[0].table, 'customers');
  assert.match(await refusal(session, 'database_query', { query: 'DELETE FROM customers' }), /DELETE is not allowed/);
  await session.close(t);
});

test('declared tools come and go with the file, over stdio', async (t) => {
  const directory = temporaryDirectory();
  const configure = (content) => writeFileSync(join(directory.path, 'toolpost.toml'), content, { mode: 0o600 });
  configure('[http]\nhost = "0.0.0.0"\n');
  let changes = 0;
  const session = await openStdio(toolpost(), {
    cwd: directory.path, notifications: { 'notifications/tools/list_changed': () => (changes += 1) },
  });
  const names = async () => (await session.client.listTools()).tools.map(({ name }) => name);
  assert.ok(!(await names()).includes('custom_twice'));
  configure('[http]\nhost = "0.0.0.0"\n[tool.twice]\ndescription = "Doubles."\n'
    + 'statement = "SELECT :n * 2"\nparameters.n = "integer"\n');
  await eventually('the notice', () => changes > 0);
  assert.ok((await names()).includes('custom_twice'));
  assert.deepEqual((await value(session, 'custom_twice', { n: 21 })).rows, [[42]]);
  configure('');
  await eventually('its end', async () => !(await names()).includes('custom_twice'));
  await session.close(t);
  directory.cleanUp();
});

describe('databases over http', () => {
  let postgres;
  let directory;
  let server;
  let session;
  let changes = 0;
  const configure = (more = '') => writeFileSync(
    join(directory.path, 'toolpost.toml'), `[database.shop]\nurl = "\${SHOP_URL}"\ndescription = "The shop"\n${more}`, { mode: 0o600 });
  before(async () => {
    postgres = await startPostgres();
    directory = temporaryDirectory();
    configure();
    server = await startToolpost({ directory: directory.path, env: { SHOP_URL: postgres.url } });
    session = await openHttp(server.url, { notifications: { 'notifications/tools/list_changed': () => (changes += 1) } });
  });
  after(async () => {
    await session?.close();
    await server?.stop();
    await postgres?.stop();
    directory?.cleanUp();
  });
  const many = 'SELECT g AS id, 2::numeric / 3 AS third FROM generate_series(1, 5000) g';

  test('PRD_FR_016_2 PRD_FR_016_4 rows, limit, cursor and the whole result behind the link', async () => {
    const first = await value(session, 'database_query', { query: many });
    assert.equal(first.rowCount, 100);
    assert.equal(first.truncated, true);
    assert.equal(typeof first.executionTime, 'number');
    assert.equal(typeof first.rows[0][1], 'string');
    const second = await value(session, 'database_query', { query: many, cursor: first.nextCursor });
    assert.equal(second.rows[0][0], 101);
    const { contents } = await session.client.readResource({ uri: first.link });
    assert.equal(contents[0].mimeType, 'text/csv');
    assert.equal(contents[0].text.trimEnd().split('\r\n').length, 5001);
  });

  test('a whole result that is too long for memory is the same through every door', async () => {
    const query = "SELECT g AS id, 'a \"b\" ' || chr(8364) || g AS text FROM generate_series(1, 150000) g";
    const expected = `id,text\r\n${Array.from({ length: 150000 }, (_, i) => `${i + 1},"a ""b"" €${i + 1}"\r\n`).join('')}`;
    const stdio = await openStdio(toolpost(), { env: { DATABASE_URL: postgres.url } });
    for (const [door, options] of [[session, {}], [session, { onprogress: () => {} }], [stdio, {}]]) {
      const { link } = await value(door, 'database_query', { query, limit: 1 });
      const { contents } = await door.client.readResource({ uri: link }, options);
      assert.ok(contents[0].text === expected, `${contents[0].text.length} of ${expected.length} characters`);
    }
    await stdio.close();
  });

  test('PRD_FR_016_1 PRD_FR_016_3 PRD_NFR_017 what is not one SELECT is refused', async () => {
    for (const query of ['CREATE TABLE x (a int)', 'SELECT 1; SELECT 2', 'SELECT lo_create(0)', 'COPY (SELECT 1) TO PROGRAM \'true\'', 'SET work_mem = 1']) {
      assert.ok(await refusal(session, 'database_query', { query }), query);
    }
  });

  test('PRD_FR_017_3 tables default to public, and are resources with completion', async () => {
    assert.equal((await value(session, 'database_tables', {})).schema, 'public');
    const ref = { type: 'ref/resource', uri: 'database://{connection}/{schema}/{table}' };
    const { completion } = await session.client.complete({ ref, argument: { name: 'connection', value: 's' } });
    assert.deepEqual(completion.values, ['shop']);
  });

  test('declared tools come and go with the file', async () => {
    const declared = '[tool.twice]\ndescription = "Doubles."\nstatement = "SELECT :n::int * 2"\nparameters.n = "integer"\n';
    const names = async () => (await session.client.listTools()).tools.map(({ name }) => name);
    assert.ok(!(await names()).includes('custom_twice'));
    configure(declared);
    await eventually('the declared tool', async () => (await names()).includes('custom_twice'));
    await eventually('the notice', () => changes > 0);
    assert.deepEqual((await value(session, 'custom_twice', { n: 21 })).rows, [[42]]);
    assert.ok(await refusal(session, 'custom_twice', { n: 'x' }));
    configure();
    await eventually('its end', async () => !(await names()).includes('custom_twice'));
  });

  test('connections come, change and go with the file', async () => {
    const sessions = async (name) => Number((await value(session, 'database_query', {
      connection: 'shop', query: "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1", params: [name],
    })).rows[0][0]);
    const named = (name) => `${postgres.url}${postgres.url.includes('?') ? '&' : '?'}application_name=${name}`;
    const who = (connection) => session.call({ name: 'database_query', arguments: { connection, query: "SELECT current_setting('application_name')" } });
    const answers = async (connection, name) => (await who(connection)).structuredContent?.rows?.[0]?.[0] === name;
    configure(`[database.second]\nurl = "${named('first_time')}"\n`);
    await eventually('the new connection', () => answers('second', 'first_time'));
    assert.ok(await sessions('first_time') > 0);
    configure(`[database.second]\nurl = "${named('second_time')}"\n`);
    await eventually('the changed connection', () => answers('second', 'second_time'));
    await eventually('the end of the old session', async () => await sessions('first_time') === 0);
    configure('[database.second]\nurl = "postgresql://nowhere:notaport/x"\n');
    await eventually('the complaint', () => /configuration not reloaded.*connection second/.test(server.log()));
    assert.ok(await answers('second', 'second_time'), 'a mistake changes nothing');
    configure();
    await eventually('the end of the connection', async () => (await who('second')).isError);
    await eventually('the end of its session', async () => await sessions('second_time') === 0);
  });

  test('system_health warns of an account that could write', async () => {
    assert.match(JSON.stringify((await value(session, 'system_health', {})).warnings), /shop.*superuser/);
  });
});

test('a key reads only its own connections', async () => {
  const key = 'n0tAPlaceh0lder-but-the-master-key';
  const directory = temporaryDirectory();
  writeFileSync(join(directory.path, 'toolpost.toml'), '[database.a]\nurl = "sqlite:a.db"\n[database.b]\nurl = "sqlite:b.db"\n', { mode: 0o600 });
  const server = await startToolpost({ directory: directory.path, env: { TOOLPOST_AUTH_MASTER_KEY: key } });
  try {
    const url = `${server.origin}/rpc`;
    const { body } = await rpc(url, 'CreateApiKey', { name: 'reader', userId: 'u', allowedConnectionNames: ['a'], scopes: ['read'] }, bearer(key));
    const reader = body.result?.key;
    assert.ok(reader, JSON.stringify(body));
    const other = await callTool(url, 'database_query', { query: 'SELECT 1', connection: 'b' }, bearer(reader));
    assert.match(JSON.stringify(other.body), /connection/);
    assert.doesNotMatch(JSON.stringify(other.body), /does not exist/);
    const own = await callTool(url, 'database_query', { query: 'SELECT 1', connection: 'a' }, bearer(reader));
    assert.match(JSON.stringify(own.body), /a\.db does not exist/);
  } finally {
    await server.stop();
    directory.cleanUp();
  }
});
