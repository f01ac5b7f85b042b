// Secrets driven through every failing path: none may show in replies, logs, the audit log or messages of the command line.
//
// The name of an unknown tool, method or property is a caller's own word and may come back; the value of anything may not.
import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import WebSocket from 'ws';

import { apiKey, bearer, openSession, openSocket } from './callers.mjs';
import { eventually, runToolpost, startToolpost, temporaryDirectory, within } from './servers.mjs';

const wanted = 200;
const planted = [];  // {where, core}
const seen = [];     // {where, text}

/** A new secret; `form` builds what is sent around its random core. */
function plant(where, form = (core) => core) {
  const core = randomBytes(12).toString('hex');
  planted.push({ where, core });
  return form(core);
}

const look = (where, text) => seen.push({ where, text: String(text) });

/** Fails for each planted secret of which a half, also in base64, shows in `texts`. */
function assertAbsent(texts) {
  const found = [];
  for (const { where, core } of planted) {
    const halves = [core.slice(0, 12), core.slice(12)];
    const needles = [...halves, ...halves.map((half) => Buffer.from(half).toString('base64').replace(/=+$/, ''))];
    for (const { where: place, text } of texts) {
      const needle = needles.find((candidate) => text.includes(candidate));
      if (!needle) continue;
      const at = text.indexOf(needle);
      found.push(`${where}: shows in ${place}: …${text.slice(Math.max(0, at - 120), at + 40)}…`);
    }
  }
  assert.deepEqual(found, []);
}

function filesBelow(directory) {
  return readdirSync(directory).flatMap((name) => {
    const path = join(directory, name);
    return statSync(path).isDirectory() ? filesBelow(path) : [path];
  });
}

/** A text in the form of an API key; its id is no secret. */
const keyAround = (core) => `mcp_AbCdEfGhJkLm_${core}${core.slice(0, 19)}_abcdef`;

const jwtSecret = plant('auth.jwt_secret', (core) => `jwt-secret-${core}`);
const master = plant('auth.master_key', (core) => `master-${core}`);
const vaultKey = plant('vault.key', (core) => `vault key ${core}`);
const env = {
  MSSQL_MCP_API_KEY: master, TOOLPOST_AUTH_JWT_SECRET: jwtSecret, MSSQL_MCP_KEY: vaultKey, TOOLPOST_LOG_LEVEL: 'debug',
};

let state;
let server;
before(async () => {
  state = temporaryDirectory();
  server = await startToolpost({ directory: state.path, env });
});
after(async () => {
  await server?.stop();
  state.cleanUp();
});

/** Any request: what comes back is looked at, and its status given. */
async function send(where, method, path, headers = {}, body = undefined) {
  const request = http.request(new URL(server.origin), { method, path, agent: false });
  for (const [name, value] of Object.entries(headers)) request.setHeader(name, value);
  request.end(body);
  const [response] = await within(10_000, where, once(request, 'response'));
  let text = JSON.stringify(response.rawHeaders);
  look(`reply to ${where}`, text);
  if (/event-stream/.test(response.headers['content-type'] ?? '')) {
    response.destroy();
    return response.statusCode;
  }
  text = '';
  for await (const chunk of response) text += chunk;
  look(`reply to ${where}`, text);
  return response.statusCode;
}

const json = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
const post = (where, path, headers, message) =>
  send(where, 'POST', path, { ...json, ...headers }, typeof message === 'string' ? message : JSON.stringify(message));
const request = (method, params) => ({ jsonrpc: '2.0', id: 1, method, params });
const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {},
};

const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
function jwt(claims, secret, header = { alg: 'HS256' }) {
  const text = `${encode(header)}.${encode({ sub: 'eve', exp: Math.floor(Date.now() / 1000) + 600, ...claims })}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

// Headers that do not authenticate, each with a secret in it.
const badHeaders = {
  'unknown bearer key': (core) => bearer(core),
  'bearer in the form of a key': (core) => bearer(keyAround(core)),
  'X-API-Key': (core) => apiKey(core),
  'X-API-Key with a space': (core) => apiKey(`${core} x`),
  'bearer with two words': (core) => ({ Authorization: `Bearer ${core} ${core}` }),
  'no scheme': (core) => ({ Authorization: core }),
  'basic': (core) => ({ Authorization: `Basic ${Buffer.from(core).toString('base64')}` }),
  'digest': (core) => ({ Authorization: `Digest response="${core}"` }),
  'two headers that differ': (core) => ({ ...bearer(`a${core}`), ...apiKey(`b${core}`) }),
  'header given twice': (core) => ({ Authorization: [`Bearer ${core}`, `Bearer ${core}`] }),
  'too long': (core) => bearer(core.repeat(2000).slice(0, 30_000)),
  'three parts that are no token': (core) => bearer(`${core}.${core}.${core}`),
  'token with a foreign signature': (core) => bearer(`${jwt({}, 'other').split('.').slice(0, 2).join('.')}.${core}`),
  'expired token of a secret subject': (core) => bearer(jwt({ exp: 1, sub: core }, jwtSecret)),
  'token with a secret algorithm': (core) => bearer(jwt({}, jwtSecret, { alg: core })),
  'token with a secret kid and the wrong key': (core) => bearer(jwt({}, core, { alg: 'HS256', kid: core })),
  'cookie': (core) => ({ Cookie: `key=${core}` }),
  'session id': (core) => ({ ...bearer(master), 'Mcp-Session-Id': core }),
};

test('secrets: in headers that are refused, at every door', async () => {
  for (const [name, headers] of Object.entries(badHeaders)) {
    for (const [method, path] of [['POST', '/'], ['POST', '/rpc'], ['POST', '/mcp'], ['GET', '/sse'], ['GET', '/ws']]) {
      const where = `${name} at ${path}`;
      const sent = plant(where, headers);
      const status = method === 'POST'
        ? await post(where, path, sent, request('tools/list', {}))
        : await send(where, method, path, sent);
      if (name !== 'session id') assert.ok(status >= 400, `${where}: ${status}`);
    }
  }
});

test('secrets: in query strings and paths', async () => {
  for (const path of ['/', '/rpc', '/mcp', '/sse', '/ws', '/messages', '/mcp/capabilities', '/nothing', '/.well-known/oauth-protected-resource']) {
    for (const name of ['api_key', 'access_token', 'sessionId']) {
      const target = plant(`${name} in the query of ${path}`, (core) => `${path}?${name}=${core}`);
      await post(`query of ${path}`, target, {}, request('ping', {}));
      await post(`query of ${path} with a key`, target, bearer(master), request('ping', {}));
    }
    await send(`user info`, 'GET', plant(`user info at ${path}`, (core) => `http://u:${core}@127.0.0.1${path}`)).catch(() => {});
  }
});

// Arguments that no tool takes, each with a secret as value.
const badCalls = {
  'CreateApiKey with an unknown member': (core) => ['CreateApiKey', { name: 'n', userId: 'u', password: core }],
  'CreateApiKey with a wrong keyType': (core) => ['CreateApiKey', { name: 'n', userId: 'u', keyType: core }],
  'CreateApiKey with a wrong scope': (core) => ['CreateApiKey', { name: 'n', userId: 'u', scopes: [core] }],
  'CreateApiKey with a wrong date': (core) => ['CreateApiKey', { name: 'n', userId: 'u', expirationDate: core }],
  'CreateApiKey with a name that is too long': (core) => ['CreateApiKey', { name: core.repeat(10), userId: 'u' }],
  'CreateApiKey with a list as name': (core) => ['CreateApiKey', { name: [core], userId: 'u' }],
  'CreateApiKey with a text as readOnly': (core) => ['CreateApiKey', { request: { name: 'n', userId: 'u', readOnly: core } }],
  'CreateApiKey without userId': (core) => ['CreateApiKey', { request: { name: core } }],
  'RotateKey with both': (core) => ['RotateKey', { newKey: core, newKeyFile: 'file' }],
  'RotateKey that is too short': (core) => ['RotateKey', { newKey: core.slice(0, 15) }],
  'RotateKey that is too long': (core) => ['RotateKey', { newKey: core.repeat(20) }],
  'RotateKey with an object': (core) => ['RotateKey', { newKey: { key: core } }],
  'RotateKey with a file that is no name': (core) => ['RotateKey', { newKeyFile: `../${core}` }],
  'RotateKey with the old member name': (core) => ['RotateKey', { oldKey: core }],
  'RotateKey in a request': (core) => ['RotateKey', { request: { newKey: core } }],
  'GenerateSecureKey with a secret as length': (core) => ['GenerateSecureKey', { length: core }],
  'GenerateSecureKey with a secret path': (core) => ['GenerateSecureKey', { file: `/${core}` }],
  'RevokeApiKey with a key as id': (core) => ['RevokeApiKey', { id: keyAround(core) }],
  'DeleteApiKey with a key as id': (core) => ['DeleteApiKey', { id: keyAround(core) }],
  'GetApiKeyUsageLogs with a wrong limit': (core) => ['GetApiKeyUsageLogs', { apiKeyId: core, limit: core }],
  'system_tools with a secret category': (core) => ['system_tools', { category: { password: core } }],
  'system_info with a secret': (core) => ['system_info', { token: core }],
  'an unknown tool': (core) => ['OpenConnection', { connectionString: `Server=db;User Id=sa;Password=${core};` }],
  'an unknown tool with a list': (core) => ['OpenConnection', [core]],
  'an unknown method': (core) => ['connections/open', { url: `postgresql://sa:${core}@db/x` }],
};

test('secrets: in arguments that are refused, by the controller and in both eras', async () => {
  const session = await openSession(`${server.origin}/mcp`, bearer(master));
  const { socket, request: ask } = await openSocket(server.origin, { headers: bearer(master) });
  const doors = {
    'as a method': (where, name, args) => post(where, '/', bearer(master), request(name, args)),
    'in a modern call': (where, name, args) =>
      post(where, '/mcp', { ...bearer(master), 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': name },
        request('tools/call', { _meta, name, arguments: args })),
    'in a session': async (where, name, args) => look(`reply to ${where}`, (await session.request('tools/call', { name, arguments: args })).text),
    'on a WebSocket': async (where, name, args) => look(`reply to ${where}`, JSON.stringify(await ask('tools/call', { name, arguments: args }))),
  };
  for (const [what, call] of Object.entries(badCalls)) {
    for (const [how, door] of Object.entries(doors)) {
      const where = `${what} ${how}`;
      await door(where, ...plant(where, call));
    }
  }
  socket.terminate();
});

test('secrets: in bodies that are not JSON or no JSON-RPC', async () => {
  const bodies = {
    'cut off': (core) => `{"jsonrpc":"2.0","id":1,"method":"RotateKey","params":{"newKey":"${core}`,
    'no quotes': (core) => `{"jsonrpc":"2.0","id":1,"method":"RotateKey","params":{"newKey":${core}}}`,
    'bad escape': (core) => `{"newKey":"${core}\\x"}`,
    'control character': (core) => `{"newKey":"${core}\u0001"}`,
    'trailing text': (core) => `{"jsonrpc":"2.0","id":1,"method":"ping"} ${core}`,
    'only text': (core) => `"${core}"`,
    'form': (core) => `password=${core}`,
    'invalid UTF-8': (core) => Buffer.concat([Buffer.from(`{"newKey":"${core}`), Buffer.from([0xFF, 0xFE]), Buffer.from('"}')]),
    'a list as method': (core) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: [core] }),
    'a text as params': (core) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: core }),
    'an object as id': (core) => JSON.stringify({ jsonrpc: '2.0', id: { password: core }, method: 'ping' }),
    'a wrong jsonrpc': (core) => JSON.stringify({ jsonrpc: core, id: 1, method: 'ping' }),
    'a batch of texts': (core) => JSON.stringify([core, [core]]),
    'too deep': (core) => `${'['.repeat(2000)}"${core}"`,
    'member given twice': (core) => `{"jsonrpc":"2.0","id":1,"method":"RotateKey","params":{"newKey":"${core}","newKey":"${core}"}}`,
    'wrong initialize': (core) => JSON.stringify(request('initialize', { protocolVersion: 7, capabilities: core, clientInfo: core })),
    'wrong _meta': (core) => JSON.stringify(
      request('tools/call', { _meta: { ..._meta, 'io.modelcontextprotocol/clientCapabilities': core }, name: 'system_info' })),
    'wrong cursor': (core) => JSON.stringify(request('tools/list', { cursor: core })),
    'wrong requestState': (core) => JSON.stringify(request('tools/call', { _meta, name: 'system_info', arguments: {}, requestState: core })),
  };
  const socket = new WebSocket(`${server.origin.replace('http', 'ws')}/ws`, { headers: bearer(master) });
  socket.on('message', (data) => look('reply on a WebSocket', data));
  await within(10_000, 'opening', once(socket, 'open'));
  for (const [name, body] of Object.entries(bodies)) {
    for (const path of ['/', '/mcp']) {
      const where = `body (${name}) at ${path}`;
      const text = plant(where, body);
      await send(where, 'POST', path, { ...json, ...bearer(master) }, text);
      await send(`${where} without a key`, 'POST', path, json, text);
      if (typeof text === 'string') socket.send(text);
    }
  }
  // The answer to a last message says that the others were answered or the socket was closed for them.
  const ended = Promise.race([once(socket, 'close'), new Promise((resolve) => {
    socket.on('message', (data) => JSON.parse(data).id === 'last' && resolve());
  })]);
  if (socket.readyState === WebSocket.OPEN) socket.send('{"jsonrpc":"2.0","id":"last","method":"ping"}');
  await within(10_000, 'the last answer', ended);
  socket.terminate();
  await send('wrong type', 'POST', '/mcp', { ...bearer(master), 'Content-Type': 'text/plain' }, plant('body of another type'));
});

test('secrets: keys that were good, after their end', async () => {
  const create = async () => {
    const response = await fetch(`${server.origin}/`, {
      method: 'POST', headers: { ...json, ...bearer(master) }, body: JSON.stringify(request('CreateApiKey', { name: 'n', userId: 'u' })),
    });
    const { key, id } = (await response.json()).result;
    planted.push({ where: 'a key made by CreateApiKey', core: key.split('_').slice(2).join('_').slice(0, 24) });
    return { key, id };
  };
  for (let round = 0; round < 5; ++round) {
    const { key, id } = await create();
    await post('a denied call', '/', bearer(key), request('RotateKey', { newKey: plant('newKey of a caller without the scope') }));
    await post('listing', '/', bearer(master), request('ListAllApiKeys', {}));
    await post('ending', '/', bearer(master), request(round % 2 ? 'DeleteApiKey' : 'RevokeApiKey', { id }));
    assert.equal(await post('an ended key', '/', bearer(key), request('system_info', {})), 403);
  }
  await post('rotation', '/', bearer(master), request('RotateKey', { newKey: plant('newKey of a rotation', (core) => `new key ${core}`) }));
  await post('health', '/', bearer(master), request('system_health', {}));
});

// Mistakes in settings, each with a secret in it: what stands in the file, the variables and the command line.
const mistakes = {
  'a file that ends inside the string': (core) => ({ file: `[auth]\nmaster_key = "${core}\n` }),
  'a file without quotes': (core) => ({ file: `[auth]\nmaster_key = key-${core}\n` }),
  'a list as secret': (core) => ({ file: `[auth]\nmaster_key = ["${core}"]\n` }),
  'a misspelt key': (core) => ({ file: `[auth]\nmasterkey = "${core}"\n` }),
  'an unknown section': (core) => ({ file: `[secrets]\npassword = "${core}"\n` }),
  'a secret given twice': (core) => ({ file: `[auth]\nmaster_key = "${core}"\nmaster_key = "${core}"\n` }),
  'a bad escape': (core) => ({ file: `[auth]\nmaster_key = "${core}\\q"\n` }),
  'a secret that is too short in the file': (core) => ({ file: `[auth]\nmaster_key = "${core.slice(0, 12)}"\n` }),
  'a JSON file cut off': (core) => ({ json: `{"auth": {"secretKey": "${core}` }),
  'a JSON file with a wrong method': (core) => ({ json: `{"auth": {"enabled": true, "method": "none", "secretKey": "${core}"}}` }),
  'a JSON file with an unknown member': (core) => ({ json: `{"auth": {"secret": "${core}"}}` }),
  'a master key that is too short': (core) => ({ env: { MSSQL_MCP_API_KEY: core.slice(0, 12) } }),
  'a token secret that is too short': (core) => ({ env: { TOOLPOST_AUTH_JWT_SECRET: core } }),
  'a secret of repeated characters': (core) => ({ env: { MSSQL_MCP_API_KEY: `${core} ` } }),
  'a store that is no URL': (core) => ({ env: { TOOLPOST_STORE_URL: `Server=db;Password=${core}` } }),
  'a store of another kind': (core) => ({ env: { TOOLPOST_STORE_URL: `mysql://u:${core}@127.0.0.1/db` } }),
  'a store with a bad port': (core) => ({ env: { TOOLPOST_STORE_URL: `postgresql://u:${core}@127.0.0.1:99999999/db` } }),
  'a store that is not there': (core) => ({ env: { TOOLPOST_STORE_URL: `postgresql://u:${core}@127.0.0.1:1/db` } }),
  'a store with an unknown option': (core) => ({ env: { TOOLPOST_STORE_URL: `postgresql://u@127.0.0.1:1/db?passwort=${core}` } }),
  'a vault key that is too short': (core) => ({ env: { MSSQL_MCP_KEY: core.slice(0, 12) } }),
  'two vault keys': (core) => ({ env: { MSSQL_MCP_KEY: `vault ${core}`, TOOLPOST_VAULT_KEY_FILE: 'key' }, other: ['key', core] }),
  'a vault key file that others may read': (core) => ({ env: { TOOLPOST_VAULT_KEY_FILE: 'key' }, other: ['key', core] }),
  'a public key file that is none': (core) => ({ env: { TOOLPOST_AUTH_JWT_KEY_FILE: 'key' }, other: ['key', core] }),
  'appsettings that are cut off': (core) => ({
    env: { TOOLPOST_APPSETTINGS_FILE: 'app.json' }, other: ['app.json', `{"ConnectionStrings": {"db": "Server=x;Password=${core}`],
  }),
  'appsettings of the wrong type': (core) => ({
    env: { TOOLPOST_APPSETTINGS_FILE: 'app.json' },
    other: ['app.json', `{"ApiSecurity": {"ApiKey": ["${core}"]}, "ConnectionStrings": ["${core}"]}`],
  }),
  'appsettings with a short key': (core) => ({
    env: { TOOLPOST_APPSETTINGS_FILE: 'app.json' }, other: ['app.json', `{"ApiSecurity": {"ApiKey": "${core.slice(0, 12)}"}}`],
  }),
  'a keys URL with a password': (core) => ({
    env: {
      TOOLPOST_AUTH_JWKS_URL: `http://u:${core}@issuer.example/jwks`, TOOLPOST_AUTH_ISSUER: 'https://issuer.example',
      TOOLPOST_AUTH_AUDIENCE: 'a',
    },
  }),
  'a short secret as flag': (core) => ({ args: ['--auth-master-key', core.slice(0, 12)] }),
  'a misspelt flag': (core) => ({ args: [`--auth-masterkey=${core}`] }),
  'a misspelt flag with its value behind it': (core) => ({ args: ['--auth-masterkey', core] }),
  'a store flag that is no URL': (core) => ({ args: [`--store-url=${core}`] }),
};

// Lets every start fail that gets as far as the listener.
const noCertificate = { TOOLPOST_HTTP_TLS: 'true', TOOLPOST_HTTP_TLS_CERT: 'none.pem', TOOLPOST_HTTP_TLS_KEY: 'none.pem' };

test('secrets: in settings with mistakes', async () => {
  for (const [what, mistake] of Object.entries(mistakes)) {
    const directory = temporaryDirectory();
    const { file, json: document, env: own = {}, args = [], other } = plant(what, mistake);
    if (file) writeFileSync(join(directory.path, 'toolpost.toml'), file);
    if (document) writeFileSync(join(directory.path, 'c.json'), document);
    if (other) writeFileSync(join(directory.path, other[0]), other[1], { mode: 0o644 });
    const config = document ? ['--config', 'c.json'] : [];
    const settings = { directory: join(directory.path, 'state'), env: { TOOLPOST_LOG_LEVEL: 'debug', MCP_PORT: '0', ...own } };
    mkdirSync(settings.directory);
    const run = async (words, extra = {}) => {
      const { out, err, code } = await runToolpost([...words, ...config, ...args], {
        directory: directory.path, env: { TOOLPOST_STATE_DIR: settings.directory, ...settings.env, ...extra },
      });
      look(`${words.join(' ')} (${what})`, out + err);
      return code;
    };
    for (const words of [['config', 'check'], ['config', 'show'], ['keys', 'list'], ['stdio'], ['call', 'system_info']]) await run(words);
    assert.notEqual(await run(['serve'], noCertificate), 0, what);
    for (const path of filesBelow(settings.directory)) look(`${path} (${what})`, readFileSync(path, 'latin1'));
    directory.cleanUp();
  }
});

test('secrets: on the command line and on standard input', async () => {
  const run = async (where, args, options = {}) => {
    const { out, err, code } = await runToolpost(args, { directory: state.path, ...options, env: { TOOLPOST_LOG_LEVEL: 'debug', ...options.env } });
    look(where, out + err);
    return code;
  };
  const url = plant('store.url', (core) => `postgresql://u:${core}@db/x`);
  assert.equal(await run('config show', ['config', 'show'], { env: { ...env, TOOLPOST_STORE_URL: url } }), 0);
  for (const token of [(core) => core, (core) => keyAround(core), (core) => `${core}.${core}.${core}`, (core) => `two ${core}`]) {
    assert.equal(await run('stdio', ['stdio'], { env: { ...env, TOOLPOST_TOKEN: plant('TOOLPOST_TOKEN', token) } }), 3);
  }
  const lines = ['{"newKey":"', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"RotateKey","arguments":{"newKey":"'];
  await run('stdio', ['stdio'], { input: lines.map((line) => plant('a line on standard input', (core) => `${line}${core}\n`)).join('') });
  await run('call', ['call', 'RotateKey', plant('an argument of call', (core) => `newKey=${core.slice(0, 15)}`)]);
  await run('call', ['call', 'RotateKey', plant('an argument of call', (core) => `oldKey=${core}`)]);
  await run('call', ['call', 'RotateKey', plant('an argument of call', (core) => `{"newKey": "${core}`)]);
  await run('keys revoke', ['keys', 'revoke', plant('keys revoke with a key', (core) => keyAround(core))]);
});

test('secrets: none of them shows anywhere', async (t) => {
  assert.ok(planted.length >= wanted, `${planted.length} planted`);
  t.diagnostic(`${planted.length} secrets planted, ${seen.length} texts looked at`);
  await eventually('the records of refusals', () => /"kind":"denied"/.test(auditText()));
  for (const path of ['/metrics', '/healthz', '/readyz', '/version', '/mcp/capabilities', '/trpc/mcp.status']) {
    const response = await fetch(`${server.origin}${path}`, { headers: bearer(master) });
    assert.equal(response.status, 200, path);
    const text = await response.text();
    if (path === '/metrics') assert.match(text, /^toolpost_tool_calls_total\{.*outcome="/m);
    look(path, text);
  }
  assert.equal(await server.stop(), 0);
  const log = server.log();
  server = undefined;
  assert.match(log, /tool call/);
  const wrong = plant('a vault key that is the wrong one', (core) => `wrong key ${core}`);
  const restart = await runToolpost(['serve'], { directory: state.path, env: { ...env, MSSQL_MCP_KEY: wrong, ...noCertificate } });
  assert.equal(restart.code, 3, restart.err);
  look('a start with the wrong vault key', restart.out + restart.err);
  look('the log', log);
  for (const path of filesBelow(state.path)) look(path.slice(state.path.length + 1), readFileSync(path, 'latin1'));
  assertAbsent(seen);
});

const auditText = () => filesBelow(join(state.path, 'audit')).map((path) => readFileSync(path, 'latin1')).join('');

test('secrets: the search finds what is there', () => {
  const where = 'a place';
  for (const text of [master, `x${master.slice(-12)}`, Buffer.from(master.slice(-24)).toString('base64')]) {
    assert.throws(() => assertAbsent([{ where, text }]), /shows in a place/);
  }
  assertAbsent([{ where, text: 'nothing' }]);
});
