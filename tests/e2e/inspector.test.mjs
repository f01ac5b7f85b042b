// MCP Inspector on the command line, as people use it to try a server.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { startTap } from './http_tap.mjs';
import { inspect, runInspector } from './inspector.mjs';
import { Recorder, readTap } from './schema_check.mjs';
import { startConformanceServer, startToolpost, temporaryDirectory, toolpost } from './servers.mjs';

let home;
let product;
let fixture;
before(async () => {
  home = temporaryDirectory();
  product = await startTap(await startToolpost());
  fixture = await startTap(await startConformanceServer());
});
after(async () => {
  await product?.stop();
  await fixture?.stop();
  home.cleanUp();
});

// The program on standard streams, with everything that passes written down.
const tapped = () => [process.execPath, fileURLToPath(new URL('stdio_tap.mjs', import.meta.url)), newLog(), toolpost(), 'stdio'];
const logs = [];
function newLog() {
  logs.push(join(home.path, `wire-${logs.length}.log`));
  return logs.at(-1);
}

const run = (...args) => runInspector(home.path, args);
const result = (...args) => inspect(home.path, args);

const format = ['--format', 'json', '-q'];
for (const era of ['legacy', 'auto', 'modern']) {
  // The command line of the server comes last, after "--".
  const doors = {
    http: (args) => result(product.url, '--transport', 'http', '--protocol-era', era, ...args, ...format),
    stdio: (args) => result('--protocol-era', era, ...args, ...format, '--', ...tapped()),
  };
  for (const [door, ask] of Object.entries(doors)) {
    test(`inspector ${era} ${door}: lists and calls tools`, async () => {
      const { tools } = await ask(['--method', 'tools/list']);
      assert.ok(tools.some((tool) => tool.name === 'system_info'));
      const info = await ask(['--method', 'tools/call', '--tool-name', 'system_info']);
      assert.ok(!info.isError && info.content.length > 0);
    });
  }
}

test('inspector: slash names work on /mcp/canonical', async () => {
  const target = [`${product.url}/canonical`, '--transport', 'http'];
  const info = await result(...target, '--method', 'tools/call', '--tool-name', 'system/info', ...format);
  assert.ok(!info.isError);
});

test('inspector: headers of the caller are sent along', async () => {
  const target = [fixture.url, '--transport', 'http', '--header', 'X-Anything: 1'];
  const { tools } = await result(...target, '--method', 'tools/list', ...format);
  assert.equal(tools[0].name, 'test_simple_text');
});

test('inspector: arguments, prompts and resources', async () => {
  for (const era of ['legacy', 'modern']) {
    const ask = (...args) => result(fixture.url, '--transport', 'http', '--protocol-era', era, ...args, ...format);
    const greeting = await ask('--method', 'tools/call', '--tool-name', 'greet', '--tool-args-json', '{"name":"Ada"}');
    assert.equal(greeting.content[0].text, 'Hello, Ada!');
    const resource = await ask('--method', 'resources/read', '--uri', 'test://static-text');
    assert.match(resource.contents[0].text, /static text/);
    const prompt = await ask('--method', 'prompts/get', '--prompt-name', 'test_prompt_with_arguments', '--prompt-args', 'arg1=a', 'arg2=b');
    assert.match(prompt.messages[0].content.text, /arg1='a'/);
  }
});

test('inspector: the old HTTP+SSE transport', async () => {
  const { tools } = await result(`${product.origin}/sse`, '--transport', 'sse', '--method', 'tools/list', ...format);
  assert.ok(tools.some((tool) => tool.name === 'system_info'));
});

test('inspector: servers from a configuration file', async () => {
  const config = join(home.path, 'mcp.json');
  const [command, ...args] = tapped();
  const mcpServers = {
    remote: { type: 'streamable-http', url: product.url },
    local: { command, args },
  };
  writeFileSync(config, JSON.stringify({ mcpServers }));
  for (const server of Object.keys(mcpServers)) {
    const { tools } = await result('--config', config, '--server', server, '--method', 'tools/list', ...format);
    assert.ok(tools.some((tool) => tool.name === 'system_info'), server);
  }
});

test('inspector: tool schemas pass its strict check', async () => {
  const strict = await run(product.url, '--transport', 'http', '--method', 'tools/list', '--strict', ...format);
  assert.equal(strict.code, 0, strict.stderr);
});

test('inspector: a missing tool is exit code 5', async () => {
  const missing = await run(product.url, '--transport', 'http', '--method', 'tools/call', '--tool-name', 'no_such_tool', ...format);
  assert.equal(missing.code, 5, missing.stderr);
});

test('inspector: every message it was sent fits the schema of its revision', (t) => {
  product.verify(t);
  fixture.verify(t);
  assert.ok(logs.length > 0);
  for (const log of logs) {
    const recorder = new Recorder();
    readTap(log, recorder);
    recorder.verify(t);
  }
});
