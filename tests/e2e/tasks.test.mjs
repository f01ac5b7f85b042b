// The Tasks extension of 2026-07-28 as @modelcontextprotocol/client 2.x sees it: task notices on a listen stream.
//
// That client refuses results of the kind `task`, so the requests that have one are written past it, on its own transport.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { modes, openHttp, openStdio } from './client_v2.mjs';
import { conformanceServer, startConformanceServer, within } from './servers.mjs';

const TASKS = 'io.modelcontextprotocol/tasks';
const capabilities = { elicitation: {}, extensions: { [TASKS]: {} } };

let fixture;
before(async () => {
  fixture = await startConformanceServer();
});
after(async () => assert.equal(await fixture?.stop(), 0));

// Sends requests on the transport of a connected client; gives the result, or throws the error object.
function rawRequests(transport) {
  const waiting = new Map();
  const toClient = transport.onmessage;
  transport.onmessage = (message, extra) => {
    const settle = message.method === undefined && waiting.get(message.id);
    if (!settle) return toClient(message, extra);
    waiting.delete(message.id);
    return settle(message);
  };
  let count = 0;
  return async (method, params) => {
    const id = `raw-${(count += 1)}`;
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': capabilities,
      'io.modelcontextprotocol/clientInfo': { name: 'e2e', version: '1' },
    };
    const answer = new Promise((resolve) => waiting.set(id, resolve));
    const name = params.name ?? params.taskId;
    const headers = { 'Mcp-Method': method, 'Mcp-Name': name };
    await transport.send({ jsonrpc: '2.0', id, method, params: { ...params, _meta } }, { headers });
    const { result, error } = await within(20_000, method, answer);
    if (error) throw Object.assign(new Error(error.message), error);
    return result;
  };
}

// Collects the task notices of a client; `until(status)` gives the first one with that status.
function notices(client) {
  const seen = [];
  let wake = () => {};
  client.fallbackNotificationHandler = async ({ method, params }) => {
    assert.equal(method, 'notifications/tasks');
    seen.push(params);
    wake();
  };
  const until = async (status) => {
    for (;;) {
      const found = seen.find((params) => params.status === status);
      if (found) return found;
      await new Promise((resolve) => (wake = resolve));
    }
  };
  return { seen, until: (status) => within(20_000, `a notice of ${status}`, until(status)) };
}

const transports = {
  http: (setup) => openHttp(modes.pinned, fixture.url, setup),
  stdio: (setup) => openStdio(modes.pinned, conformanceServer(), setup),
};
for (const [name, open] of Object.entries(transports)) {
  test(`tasks ${name}: notices of a task reach the listen that named it`, async (t) => {
    const session = await open({ capabilities });
    const { client } = session;
    const request = rawRequests(session.transport);
    const { seen, until } = notices(client);
    const start = (gate, ask) => request('tools/call', { name: 'test_gated_job', arguments: { gate, ...(ask && { ask }) } });
    const named = await start(`${name}-named`, 'May I pass?');
    const other = await start(`${name}-other`);
    assert.deepEqual([named.resultType, named.status], ['task', 'working']);

    const listening = await client.listen({ taskIds: [named.taskId] });
    for (const gate of ['other', 'named']) await session.call({ name: 'test_open_gate', arguments: { gate: `${name}-${gate}` } });
    const question = await until('input_required');
    assert.equal(question.inputRequests.pass.params.message, 'May I pass?');
    assert.equal(question._meta['io.modelcontextprotocol/subscriptionId'], 'listen:0');
    const inputResponses = { pass: { action: 'accept', content: { confirm: true } } };
    await request('tasks/update', { taskId: named.taskId, inputResponses });
    const done = await until('completed');
    assert.equal(done.result.content[0].text, 'Passed the gate');
    const { status, result, lastUpdatedAt } = await request('tasks/get', { taskId: named.taskId });
    assert.deepEqual({ status, result, lastUpdatedAt }, { status: 'completed', result: done.result, lastUpdatedAt: done.lastUpdatedAt });
    assert.ok(seen.every(({ taskId }) => taskId === named.taskId && taskId !== other.taskId), 'only the named task');

    await listening.close();
    await session.close(t);
    const methods = session.recorder.received.map(({ method }) => method);
    assert.ok(methods.includes('notifications/tasks'), 'the notices were validated');
  });

  test(`tasks ${name}: a cancelled task says so on the stream`, async (t) => {
    const session = await open({ capabilities });
    const request = rawRequests(session.transport);
    const { until } = notices(session.client);
    const { taskId } = await request('tools/call', { name: 'slow_compute', arguments: { seconds: 60 } });
    await session.client.listen({ taskIds: [taskId] });
    await request('tasks/cancel', { taskId });
    assert.equal((await until('cancelled')).taskId, taskId);
    await session.close(t);
  });
}

test('tasks http: a client without the extension cannot listen to tasks', async (t) => {
  const session = await openHttp(modes.pinned, fixture.url, {});
  await assert.rejects(session.client.listen({ taskIds: ['any'] }), ({ code }) => code === -32021);
  await session.close(t);
});
