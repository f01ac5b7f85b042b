// HTTPS: requests and WebSockets under our own certificate, its replacement, and clients that speak something else.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import net from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import tls from 'node:tls';

import { bearer, openSocket } from './callers.mjs';
import { eventually, runToolpost, startToolpost, temporaryDirectory, within } from './servers.mjs';

const master = 'mk-c0ffee12-6d4a-4b8e-a7f3';
let files;
let server;
const at = (name) => join(files.path, name);
const certificate = (name) => readFileSync(at(`${name}.cert.pem`));
const port = () => Number(new URL(server.url).port);

function makeCertificate(name) {
  execFileSync('openssl', [
    'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2', '-subj', `/CN=${name}`,
    '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', at(`${name}.key.pem`), '-out', at(`${name}.cert.pem`),
  ], { stdio: 'pipe' });
}

function install(name) {
  for (const part of ['key', 'cert']) {
    writeFileSync(at('new.pem'), readFileSync(at(`${name}.${part}.pem`)), { mode: 0o600 });
    renameSync(at('new.pem'), at(`${part}.pem`));
  }
}

before(async () => {
  files = temporaryDirectory();
  makeCertificate('first');
  install('first');
  server = await startToolpost({
    env: {
      TOOLPOST_HTTP_TLS: 'true', TOOLPOST_HTTP_TLS_CERT: at('cert.pem'), TOOLPOST_HTTP_TLS_KEY: at('key.pem'),
      MSSQL_MCP_API_KEY: master, TOOLPOST_HTTP_HOST: '127.0.0.1',
    },
  });
});
after(async () => {
  const code = await server?.stop();
  files.cleanUp();
  assert.equal(code, 0);
});

/** One request on a connection of its own. */
async function ask(ca, method = 'system_info') {
  const request = https.request(`${server.origin}/rpc`, {
    method: 'POST', ca, agent: false, headers: { 'Content-Type': 'application/json', ...bearer(master) },
  });
  request.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} }));
  const [response] = await within(10_000, 'response', once(request, 'response'));
  const chunks = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode, body: JSON.parse(Buffer.concat(chunks)) };
}

async function presented() {
  const socket = tls.connect({ port: port(), host: '127.0.0.1', rejectUnauthorized: false });
  await within(10_000, 'handshake', once(socket, 'secureConnect'));
  const name = socket.getPeerCertificate().subject.CN;
  socket.destroy();
  return name;
}

/** What a client gets that sends `text` without TLS. */
async function plain(text) {
  const socket = net.connect(port(), '127.0.0.1');
  const chunks = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => {});
  const closed = once(socket, 'close');
  socket.write(text);
  await within(20_000, 'the server closes', closed);
  return Buffer.concat(chunks).toString('latin1');
}

test('tls: the address is https, and a client that trusts the certificate is served', async () => {
  assert.match(server.url, /^https:/);
  const { status, body } = await ask(certificate('first'));
  assert.equal(status, 200);
  assert.equal(body.result.platform, 'linux');
});

test('tls: a client that does not trust the certificate stops', async () => {
  await assert.rejects(ask(undefined), /self-signed|certificate/);
});

test('tls: TLS 1.2 and 1.3 are spoken, 1.1 is not', async () => {
  for (const version of ['TLSv1.2', 'TLSv1.3']) {
    const socket = tls.connect({ port: port(), host: '127.0.0.1', ca: certificate('first'), minVersion: version, maxVersion: version });
    await within(10_000, version, once(socket, 'secureConnect'));
    assert.equal(socket.getProtocol(), version);
    socket.destroy();
  }
  const old = tls.connect({
    port: port(), host: '127.0.0.1', rejectUnauthorized: false, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0',
  });
  const [error] = await within(10_000, 'refusal', once(old, 'error'));
  assert.match(error.message, /protocol version|unsupported protocol|ECONNRESET/i);
});

test('tls: plain HTTP to the TLS port gets no answer from behind it and does no harm', async () => {
  const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  for (const text of [
    `POST /rpc HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    'GET / HTTP/1.0\r\n\r\n',
    Buffer.from([0x16, 3, 1, 0xFF, 0xFF, ...Array(64).fill(0x41)]),
  ]) {
    const answer = await plain(text);
    assert.ok(!answer.includes('jsonrpc') && !answer.includes(' 200 '), answer);
  }
  assert.equal((await ask(certificate('first'))).status, 200);
});

test('tls: a replaced certificate is taken over without a restart; open connections live on', async () => {
  const { socket, request } = await openSocket(server.origin, { ca: certificate('first'), headers: bearer(master) });
  assert.match(socket.url, /^wss:/);
  const call = { name: 'system_info', arguments: {} };
  assert.ok((await request('tools/call', call)).result);

  makeCertificate('second');
  install('second');
  await eventually('the new certificate', async () => (await presented()) === 'second', 20_000);
  assert.equal((await ask(certificate('second'))).status, 200);
  await assert.rejects(ask(certificate('first')), /self-signed|certificate/);
  assert.ok((await request('tools/call', call)).result);
  socket.terminate();
});

test('tls: a replacement that cannot be used is logged and the certificate stays', async () => {
  const kept = await presented();
  const logged = server.log().length;
  writeFileSync(at('cert.pem'), 'not a certificate\n');
  await eventually('a line in the log', () => /"level":"(warning|error)".*certificate/i.test(server.log().slice(logged)), 20_000);
  assert.equal(await presented(), kept);
  install('first');
  await eventually('the first certificate again', async () => (await presented()) === 'first', 20_000);
});

test('tls: without usable files the start ends with status 3 and names the setting', async () => {
  makeCertificate('foreign');
  const cases = [
    [{ TOOLPOST_HTTP_TLS: 'true' }, /tls_cert/],
    [{ TOOLPOST_HTTP_TLS: 'true', TOOLPOST_HTTP_TLS_CERT: at('missing.pem'), TOOLPOST_HTTP_TLS_KEY: at('first.key.pem') }, /missing\.pem|tls_cert/],
    [{ TOOLPOST_HTTP_TLS: 'true', TOOLPOST_HTTP_TLS_CERT: at('first.cert.pem'), TOOLPOST_HTTP_TLS_KEY: at('foreign.key.pem') }, /key/],
  ];
  const directory = temporaryDirectory();
  for (const [env, expected] of cases) {
    const { code, err } = await runToolpost(['serve'], { directory: directory.path, env: { ...env, MCP_PORT: '0' } });
    assert.equal(code, 3, err);
    assert.match(err, expected);
  }
  directory.cleanUp();
});
