// Access tokens of a real authorization server: accepted, refused, stepped up, and the way clients find that server.
import assert from 'node:assert/strict';
import { createHmac, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';
import { after, before, test } from 'node:test';

import * as v2 from '@modelcontextprotocol/client';
import { ClientCredentialsProvider } from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { bearer, callTool, openSession, openSocket, post, readTools, rpc } from './callers.mjs';
import { modes } from './client_v2.mjs';
import { clientSecret, makeKey, startIssuer } from './issuer.mjs';
import { Recorder, tapFetch } from './schema_check.mjs';
import { eventually, startToolpost } from './servers.mjs';

// The address clients know the server by. It must stand in the configuration before the server has its port, so this end is opened first.
async function openFront() {
  const sockets = new Set();
  const front = net.createServer((client) => {
    const onward = net.connect(front.target, '127.0.0.1');
    for (const [one, other] of [[client, onward], [onward, client]]) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => sockets.delete(one));
      one.pipe(other);
    }
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  front.stop = () => {
    front.close();
    for (const socket of sockets) socket.destroy();
  };
  return front;
}

let issuer;
let front;
let server;
let resource;
before(async () => {
  issuer = await startIssuer();
  front = await openFront();
  resource = `http://127.0.0.1:${front.address().port}/mcp`;
  server = await startToolpost({
    env: {
      TOOLPOST_AUTH_JWKS_URL: issuer.jwksUrl,
      TOOLPOST_AUTH_ISSUER: issuer.issuer,
      TOOLPOST_AUTH_AUDIENCE: resource,
      TOOLPOST_AUTH_RESOURCE: resource,
    },
  });
  front.target = new URL(server.url).port;
  const token = await issuer.token(resource);
  await eventually('the keys of the issuer', async () => (await ping(token)).status !== 503);
});
after(async () => {
  front?.stop();
  issuer?.stop();
  assert.equal(await server?.stop(), 0);
});

const ping = (token) => rpc(resource, 'ping', {}, bearer(token));

function assertRefused(answer, what) {
  assert.equal(answer.status, 401, `${what}: ${answer.text}`);
  const challenge = answer.headers.get('www-authenticate');
  assert.match(challenge, /^Bearer error="invalid_token"/, what);
  assert.ok(challenge.includes(`resource_metadata="${metadataUrl()}"`), `${what}: ${challenge}`);
}

const metadataUrl = () => `${new URL(resource).origin}/.well-known/oauth-protected-resource/mcp`;

const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
const claims = (changes = {}) => {
  const now = Math.floor(Date.now() / 1000);
  return { iss: issuer.issuer, aud: resource, sub: 'eve', scope: 'read admin', iat: now, exp: now + 600, jti: 'x', ...changes };
};
function signed(header, payload, key) {
  const text = `${encode(header)}.${encode(payload)}`;
  const digest = header.alg === 'EdDSA' ? null : 'sha256';
  const made = sign(digest, Buffer.from(text), { key: createPrivateKey({ key, format: 'jwk' }), dsaEncoding: 'ieee-p1363' });
  return `${text}.${made.toString('base64url')}`;
}
const keyOf = (alg) => issuer.keys.find((key) => key.alg === alg);

for (const alg of ['RS256', 'ES256', 'EdDSA']) {
  test(`oauth: a token signed with ${alg} calls tools, at every door`, async () => {
    const token = await issuer.token(resource, { client: alg });
    assert.equal(JSON.parse(Buffer.from(token.split('.')[0], 'base64url')).alg, alg);
    for (const path of ['/', '/rpc', '/mcp']) {
      const { status, body } = await callTool(new URL(path, resource), 'system_info', {}, bearer(token));
      assert.equal(status, 200);
      assert.equal(body.result.structuredContent.platform, 'linux');
    }
    const session = await openSession(resource, bearer(token));
    assert.equal((await session.request('tools/call', { name: 'system_info', arguments: {} })).status, 200);
    const { socket, request } = await openSocket(new URL(resource).origin, { headers: bearer(token) });
    assert.ok((await request('tools/call', { name: 'system_info', arguments: {} })).result);
    socket.terminate();
  });
}

test('oauth: without a token 401 names the metadata, at every door', async () => {
  for (const path of ['/', '/rpc', '/mcp', '/mcp/readonly', '/messages']) {
    const answer = await post(new URL(path, resource), { jsonrpc: '2.0', id: 1, method: 'ping' });
    assert.equal(answer.status, 401, path);
    assert.ok(answer.headers.get('www-authenticate').includes(`resource_metadata="${metadataUrl()}"`), path);
  }
  for (const path of ['/sse', '/mcp', '/ws', '/mcp/capabilities']) {
    assert.equal((await fetch(new URL(path, resource))).status, 401, path);
  }
});

test('oauth: RFC 9728 metadata is served at both well-known addresses without a token', async () => {
  for (const url of [metadataUrl(), metadataUrl().replace(/\/mcp$/, '')]) {
    const response = await fetch(url);
    assert.equal(response.status, 200, url);
    assert.match(response.headers.get('content-type'), /application\/json/);
    const document = await response.json();
    assert.equal(document.resource, resource);
    assert.deepEqual(document.authorization_servers, [issuer.issuer]);
    assert.deepEqual(document.scopes_supported, ['read', 'write', 'shell', 'connections', 'admin']);
    assert.deepEqual(document.bearer_methods_supported, ['header']);
  }
});

test('oauth: a token for another audience is refused', async () => {
  assertRefused(await ping(await issuer.token('http://127.0.0.1:1/mcp')), 'other audience');
  assertRefused(await ping(await issuer.token(`${resource}/`)), 'audience with a slash more');
});

test('oauth: a token is refused once it has expired', async () => {
  const token = await issuer.token(resource, { client: 'ES256-short' });
  const refused = await eventually('the end of the token', async () => {
    const answer = await ping(token);
    return answer.status !== 200 && answer;
  }, 90_000);
  assertRefused(refused, 'expired');
  assertRefused(await ping(signed({ alg: 'ES256', kid: keyOf('ES256').kid }, claims({ exp: 1 }), keyOf('ES256'))), 'long expired');
});

test('oauth: a token that expires ends its use on an open WebSocket too', async () => {
  const token = await issuer.token(resource, { client: 'ES256-short' });
  const { socket, request } = await openSocket(new URL(resource).origin, { headers: bearer(token) });
  await eventually('refusal', async () => {
    const answer = await request('tools/call', { name: 'system_info', arguments: {} }).catch((error) => ({ error }));
    return answer.error ?? answer.result.isError;
  }, 90_000);
  socket.terminate();
});

test('oauth: the forger at hand makes a token that is accepted with the right key', async () => {
  for (const alg of ['RS256', 'ES256', 'EdDSA']) {
    assert.equal((await ping(signed({ alg, typ: 'at+jwt', kid: keyOf(alg).kid }, claims(), keyOf(alg)))).status, 200, alg);
  }
});

test('oauth: forged tokens are refused', async () => {
  const forged = {};
  for (const alg of ['RS256', 'ES256', 'EdDSA']) {
    const own = keyOf(alg);
    forged[`${alg} of a foreign key`] = signed({ alg, kid: own.kid }, claims(), makeKey(alg));
    const [head, , signature] = signed({ alg, kid: own.kid }, claims({ scope: 'read' }), own).split('.');
    forged[`${alg} with other claims`] = `${head}.${encode(claims())}.${signature}`;
    forged[`${alg} with an empty signature`] = `${head}.${encode(claims())}.`;
    const publicKey = createPublicKey(createPrivateKey({ key: own, format: 'jwk' }));
    const { d, p, q, dp, dq, qi, ...publicJwk } = own;
    const secrets = {
      'PEM': publicKey.export({ type: 'spki', format: 'pem' }),
      'PEM without line end': publicKey.export({ type: 'spki', format: 'pem' }).trim(),
      'DER': publicKey.export({ type: 'spki', format: 'der' }),
      'JWK': JSON.stringify(publicJwk),
      'nothing': '',
    };
    for (const [form, secret] of Object.entries(secrets)) {
      const text = `${encode({ alg: 'HS256', kid: own.kid })}.${encode(claims())}`;
      forged[`HS256 with the public ${alg} key as ${form}`] = `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
    }
    forged[`${alg} with a key in its header`] = signed({ alg, kid: own.kid, jwk: { ...publicJwk } }, claims(), makeKey(alg));
  }
  for (const alg of ['none', 'None', 'NONE', '']) forged[`alg "${alg}"`] = `${encode({ alg })}.${encode(claims())}.`;
  const key = keyOf('ES256');
  forged['unsigned with a kid'] = `${encode({ alg: 'none', kid: key.kid })}.${encode(claims())}.`;
  forged['crit'] = signed({ alg: 'ES256', kid: key.kid, crit: ['x'], x: 1 }, claims(), key);
  forged['not yet valid'] = signed({ alg: 'ES256', kid: key.kid }, claims({ nbf: claims().exp }), key);
  forged['another issuer'] = signed({ alg: 'ES256', kid: key.kid }, claims({ iss: 'http://127.0.0.1:1' }), key);
  forged['no issuer'] = signed({ alg: 'ES256', kid: key.kid }, claims({ iss: undefined }), key);
  forged['no audience'] = signed({ alg: 'ES256', kid: key.kid }, claims({ aud: undefined }), key);
  forged['no expiry'] = signed({ alg: 'ES256', kid: key.kid }, claims({ exp: undefined }), key);
  forged['kid of a key of another kind'] = signed({ alg: 'ES256', kid: keyOf('RS256').kid }, claims(), key);
  forged['no kid'] = signed({ alg: 'ES256' }, claims(), key);
  for (const [what, token] of Object.entries(forged)) assertRefused(await ping(token), what);
});

test('oauth: a token with an unknown kid is refused, at the latest when the issuer was asked', async () => {
  for (const kid of ['unknown', '../../etc/passwd', "' or 1=1 --"]) {
    const token = signed({ alg: 'ES256', kid }, claims(), makeKey('ES256'));
    const answer = await eventually('a decision', async () => {
      const tried = await ping(token);
      assert.notEqual(tried.status, 200);
      return tried.status !== 503 && tried;
    });
    assertRefused(answer, kid);
  }
});

test('oauth: a missing scope gives 403 insufficient_scope with the scope to ask for', async () => {
  const token = await issuer.token(resource, { scope: 'read' });
  for (const path of ['/', '/mcp']) {
    const answer = await callTool(new URL(path, resource), 'ListAllApiKeys', {}, bearer(token));
    assert.equal(answer.status, 403, answer.text);
    const challenge = answer.headers.get('www-authenticate');
    assert.match(challenge, /error="insufficient_scope"/);
    assert.match(challenge, /scope="admin"/);
    assert.ok(challenge.includes(`resource_metadata="${metadataUrl()}"`));
  }
  const listed = await rpc(resource, 'tools/list', {}, bearer(token));
  assert.ok(listed.body.result.tools.every((tool) => readTools.includes(tool.name)));

  const admin = await issuer.token(resource, { scope: 'read admin' });
  assert.equal((await callTool(resource, 'ListAllApiKeys', {}, bearer(admin))).body.result.isError, false);
});

test('oauth: a token without any scope of ours reads nothing', async () => {
  const token = await issuer.token(resource, { scope: 'other' });
  const answer = await callTool(resource, 'system_info', {}, bearer(token));
  assert.equal(answer.status, 403);
  assert.match(answer.headers.get('www-authenticate'), /scope="read"/);
});

test('oauth: a session belongs to the one who opened it', async () => {
  const session = await openSession(resource, bearer(await issuer.token(resource, { client: 'RS256' })));
  const other = await issuer.token(resource, { client: 'ES256' });
  const stolen = await post(resource, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, {
    ...bearer(other), Accept: 'application/json, text/event-stream', 'Mcp-Session-Id': session.hello.headers.get('mcp-session-id'),
  });
  assert.equal(stolen.status, 404);
});

const clients = {
  'sdk 1.x': async (options, recorder) => {
    const client = new ClientV1({ name: 'e2e', version: '1' }, { capabilities: {} });
    await client.connect(new TransportV1(new URL(resource), { ...options, fetch: tapFetch(recorder) }));
    return client;
  },
  ...Object.fromEntries(Object.entries(modes).map(([name, mode]) => [`client 2.x ${name}`, async (options, recorder) => {
    const client = new v2.Client({ name: 'e2e', version: '1' }, { capabilities: {}, versionNegotiation: { mode } });
    await client.connect(new v2.StreamableHTTPClientTransport(new URL(resource), { ...options, fetch: tapFetch(recorder) }));
    return client;
  }])),
};

for (const [name, connect] of Object.entries(clients)) {
  test(`oauth: ${name} with a bearer token`, async (t) => {
    const recorder = new Recorder();
    const client = await connect({ requestInit: { headers: bearer(await issuer.token(resource, { client: 'ES256' })) } }, recorder);
    const result = await client.callTool({ name: 'system_info', arguments: {} });
    assert.equal(result.structuredContent.platform, 'linux');
    assert.equal((await client.listTools()).tools.length, readTools.length);
    await client.close();
    recorder.verify(t);
  });

  test(`oauth: ${name} finds the issuer by itself and gets its token there`, async () => {
    const Provider = name.startsWith('sdk') ? ClientCredentialsProvider : v2.ClientCredentialsProvider;
    const authProvider = new Provider({
      clientId: 'EdDSA', clientSecret, scope: 'read', expectedIssuer: issuer.issuer,
    });
    const client = await connect({ authProvider }, { sent: () => {}, got: () => {} });
    const result = await client.callTool({ name: 'system_info', arguments: {} });
    assert.equal(result.structuredContent.platform, 'linux');
    await client.close();
  });
}

test('oauth: a key rotated at the issuer is picked up, the old one is forgotten', async () => {
  const old = signed({ alg: 'ES256', kid: keyOf('ES256').kid }, claims(), keyOf('ES256'));
  issuer.rotate();
  const token = await issuer.token(resource, { client: 'ES256' });
  // An unknown key is asked for at most every 30 seconds.
  await eventually('the new key', async () => (await ping(token)).status === 200, 60_000);
  assertRefused(await ping(old), 'old key');
});
