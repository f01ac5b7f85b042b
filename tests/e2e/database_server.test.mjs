// What the server of a database can bring along: certificates, statistics of statements, hypothetical indexes.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { text } from './behaviours.mjs';
import { startPostgres } from './postgres.mjs';
import { openHttp } from './sdk_v1.mjs';
import { startToolpost, temporaryDirectory } from './servers.mjs';

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject).listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** A toolpost with these connections, URLs by name, and a client of it. */
async function open(connections) {
  const directory = temporaryDirectory();
  const tables = Object.entries(connections).map(([name, url]) => `[database.${name}]\nurl = "${url}"\n`);
  writeFileSync(join(directory.path, 'toolpost.toml'), tables.join(''), { mode: 0o600 });
  const server = await startToolpost({ directory: directory.path });
  const session = await openHttp(server.url, {});
  return {
    call: (name, args) => session.call({ name, arguments: args }),
    close: async () => {
      await session.close();
      await server.stop();
      directory.cleanUp();
    },
  };
}
const select = (toolpost, connection) => toolpost.call('database_query', { query: 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()', connection });

describe('certificates of PostgreSQL', () => {
  const host = 'db.example.test'; // a name of another machine, whatever its address
  let files;
  let secure;
  let plain;
  let toolpost;
  const at = (name) => join(files.path, name);
  const openssl = (...args) => execFileSync('openssl', args, { stdio: 'pipe' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const authority = (name) => openssl('req', '-x509', ...newKey, '-days', '2', '-subj', `/CN=${name}`, '-keyout', at(`${name}.key`), '-out', at(`${name}.crt`));
  before(async () => {
    files = temporaryDirectory();
    authority('ours');
    authority('theirs');
    openssl('req', ...newKey, '-subj', `/CN=${host}`, '-keyout', at('server.key'), '-out', at('server.csr'));
    writeFileSync(at('names'), `subjectAltName=DNS:${host}\n`);
    openssl('x509', '-req', '-in', at('server.csr'), '-CA', at('ours.crt'), '-CAkey', at('ours.key'), '-CAcreateserial', '-days', '2', '-extfile', at('names'),
      '-out', at('server.crt'));
    const [port, other] = [await freePort(), await freePort()];
    secure = await startPostgres({
      port, settings: ['ssl=on', 'ssl_cert_file=../server.crt', 'ssl_key_file=../server.key'],
      files: { 'server.crt': readFileSync(at('server.crt')), 'server.key': readFileSync(at('server.key')) },
    });
    plain = await startPostgres({ port: other });
    const url = (name, options, to = port) => `postgresql://toolpost@${name}:${to}/postgres?hostaddr=127.0.0.1${options}`;
    const trusting = `&sslrootcert=${at('ours.crt')}`;
    toolpost = await open({
      right: url(host, trusting),
      wrong_name: url('other.example.test', trusting),
      wrong_authority: url(host, `&sslrootcert=${at('theirs.crt')}`),
      system_authorities: url(host, ''),
      no_authorities: url(host, `&sslrootcert=${at('none.crt')}`),
      unchecked: url('other.example.test', '&sslmode=require&sslrootcert='),
      no_tls: url(host, trusting, other),
      clear_text: url(host, '&sslmode=disable', other),
      local: url('localhost', '', other),
    });
  });
  after(async () => {
    await toolpost?.close();
    await secure?.stop();
    await plain?.stop();
    files.cleanUp();
  });
  const refused = async (connection, words) => {
    const result = await select(toolpost, connection);
    assert.ok(result.isError, `${connection}: ${text(result)}`);
    assert.match(text(result), words);
    assert.doesNotMatch(text(result), /example\.test|127\.0\.0\.1|\.crt/);
  };
  const connected = async (connection, tls) => {
    const result = await select(toolpost, connection);
    assert.ok(!result.isError, `${connection}: ${text(result)}`);
    assert.deepEqual(result.structuredContent.rows, [[tls]]);
  };

  test('the right name and authority are connected to, with TLS, without being asked for', () => connected('right', true));
  test('another name is refused', () => refused('wrong_name', /certificate.*another host: use the name it was made for/));
  test('another authority is refused', () => refused('wrong_authority', /not from an authority that is trusted here.*sslrootcert/));
  test('an authority that this machine does not know is refused', () => refused('system_authorities', /not from an authority that is trusted here.*sslrootcert/));
  test('a file of authorities that is not there is refused', () => refused('no_authorities', /authorities.*cannot be read.*sslrootcert/));
  test('a server without TLS is refused', () => refused('no_tls', /offers no TLS.*turn ssl on/));
  test('who asks for less gets it', async () => {
    await connected('unchecked', true);
    await connected('clear_text', false);
  });
  test('this machine needs no certificate', () => connected('local', false));
});

describe('pg_stat_statements', () => {
  let postgres;
  let toolpost;
  before(async () => {
    postgres = await startPostgres({ settings: ['shared_preload_libraries=pg_stat_statements'] });
    postgres.createDatabase('bare');
    postgres.query('CREATE EXTENSION pg_stat_statements; CREATE TABLE goods (id int PRIMARY KEY, name text); INSERT INTO goods SELECT g, g FROM generate_series(1, 1000) g');
    postgres.query('CREATE ROLE reader LOGIN; GRANT SELECT ON goods TO reader; GRANT pg_read_all_stats TO reader');
    toolpost = await open({
      shop: postgres.url,
      reader: postgres.url.replace('toolpost@', 'reader@'),
      bare: postgres.url.replace('/postgres?', '/bare?'),
    });
  });
  after(async () => {
    await toolpost?.close();
    await postgres?.stop();
  });
  const top = async (args) => {
    const result = await toolpost.call('database_top_queries', args);
    assert.ok(!result.isError, text(result));
    return result.structuredContent.queries;
  };

  test('the costliest queries, by total, mean and calls', async () => {
    for (let i = 0; i < 5; i += 1) postgres.query('SELECT count(*) FROM goods WHERE name LIKE \'%7%\'');
    postgres.query('SELECT sum(a.id * b.id) FROM goods a, goods b');
    for (const connection of ['shop', 'reader']) {
      const total = await top({ connection, limit: 100 });
      const counted = total.find(({ query }) => query.includes('name LIKE'));
      assert.equal(counted.calls, 5);
      assert.equal(counted.rows, 5);
      assert.match(counted.query, /LIKE \$1/); // constants are not shown
      assert.ok(counted.totalMs > 0 && Math.abs(counted.totalMs / 5 - counted.meanMs) < 0.01, JSON.stringify(counted));
      assert.deepEqual(total.map(({ totalMs }) => totalMs), total.map(({ totalMs }) => totalMs).sort((a, b) => b - a));
      const mean = await top({ connection, sort: 'mean', limit: 100 });
      assert.deepEqual(mean.map(({ meanMs }) => meanMs), mean.map(({ meanMs }) => meanMs).sort((a, b) => b - a));
      assert.ok(mean.findIndex(({ query }) => query.includes('sum(')) < mean.findIndex(({ query }) => query.includes('name LIKE')));
      const calls = await top({ connection, sort: 'calls', limit: 3 });
      assert.equal(calls.length, 3);
      assert.ok(calls[0].calls >= calls[2].calls);
    }
  });

  test('a database without the extension says how to get it', async () => {
    const result = await toolpost.call('database_top_queries', { connection: 'bare' });
    assert.ok(result.isError);
    assert.match(text(result), /shared_preload_libraries.*CREATE EXTENSION pg_stat_statements/);
  });

  test('its numbers cannot be reset', async () => {
    const result = await toolpost.call('database_query', { connection: 'shop', query: 'SELECT pg_stat_statements_reset()' });
    assert.ok(result.isError);
    assert.ok((await top({ connection: 'shop', limit: 100 })).some(({ query }) => query.includes('name LIKE')));
  });
});
