// The todo tools behind the doors that know no envelope, tRPC and plain JSON-RPC, and behind WebSocket, stdio and the command line: the same
// users, the same walls between them, and failures in the words of each door. On SQLite and on PostgreSQL.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { apiKey, bearer, openSocket, rpc, signedToken } from './callers.mjs';
import { startPostgres } from './postgres.mjs';
import { openStdio } from './sdk_v1.mjs';
import { runToolpost, startToolpost, temporaryDirectory, toolpost } from './servers.mjs';
import { envelopeOf } from './todo.mjs';
import { clientOf, failure, links } from './trpc.mjs';

const master = 'mk-d1b64c02-77e9-4a35-8c1f';
const jwtSecret = 'e2e-jwt-secret-5d20b7c94f1e4a86-b3';
const tools = ['add_task', 'list_tasks', 'toggle_task_completion', 'delete_task', 'search_tasks', 'get_my_user_info'];
const goodArguments = {
  add_task: { title: 'x' }, toggle_task_completion: { task_id: 1 }, delete_task: { task_id: 1 }, search_tasks: { keyword: 'x' },
};

let postgres;
before(async () => {
  postgres = await startPostgres();
});
after(() => postgres?.stop());

const engines = { SQLite: () => ({}), PostgreSQL: () => ({ TOOLPOST_STORE_URL: postgres.createDatabase('doors') }) };

for (const [engine, prepare] of Object.entries(engines)) {
  describe(`todo doors on ${engine}`, () => {
    let state;
    let env;
    let server;
    let annsToken;
    let bobsKey;
    let ann;
    let bob;
    const trpc = (headers) => {
      const { mcp } = clientOf(links.httpBatchLink({ url: `${server.origin}/trpc`, headers }));
      const execute = (name, args) => mcp.executeTool.mutate(args ? { name, arguments: args } : { name });
      return {
        envelope: async (name, args) => (await execute(name, args)).result,
        data: async (name, args) => (await execute(name, args)).result.data,
        failure: (name, args) => failure(execute(name, args)),
      };
    };
    const createKey = async (params) => {
      const { body } = await rpc(`${server.origin}/`, 'CreateApiKey', { name: 'doors', ...params }, bearer(master));
      return body.result.key;
    };

    before(async () => {
      state = temporaryDirectory();
      env = { ...prepare(), MSSQL_MCP_API_KEY: master, TOOLPOST_AUTH_JWT_SECRET: jwtSecret };
      server = await startToolpost({ directory: state.path, env });
      annsToken = signedToken(jwtSecret, { sub: 'ann', name: 'Ann Example', scope: 'read write' });
      bobsKey = await createKey({ userId: 'bob', scopes: ['read', 'write'] });
      ann = trpc(bearer(annsToken));
      bob = trpc(apiKey(bobsKey));
    });
    after(async () => {
      await server?.stop();
      state.cleanUp();
    });

    test('TODO_authorization_user_isolation tRPC: two users, each with tasks of their own', async () => {
      const { status, message, data: mine } = await ann.envelope('add_task', { title: ' mine ', due_date: '2028-02-29' });
      assert.deepEqual([status, message, mine.title, mine.completed], ['success', 'Task added', 'mine', false]);
      const his = await bob.data('todo/add_task', { title: 'his' });
      for (const [user, own] of [[ann, mine], [bob, his]]) {
        assert.deepEqual((await user.data('list_tasks')).tasks, [own]);
        assert.deepEqual((await user.data('search_tasks', { keyword: 'I' })).tasks, [own]);
      }
      assert.equal((await ann.data('toggle_task_completion', { task_id: mine.id })).completed, true);
      assert.equal((await ann.data('list_tasks', { status: 'completed' })).total, 1);
      assert.equal((await bob.data('list_tasks', { status: 'completed' })).total, 0);
      assert.equal((await ann.data('get_my_user_info')).name, 'Ann Example');
      assert.equal((await bob.data('get_my_user_info')).user_id, 'bob');
      assert.equal((await ann.data('delete_task', { task_id: mine.id })).title, 'mine');
      assert.equal((await bob.data('delete_task', { task_id: his.id })).title, 'his');
    });

    test("TODO_authorization_ownership_verification tRPC: another's id and a missing one are the same NOT_FOUND", async () => {
      const { id } = await ann.data('add_task', { title: 'not yours' });
      const missing = id + 1_000_000;
      for (const tool of ['toggle_task_completion', 'delete_task']) {
        const [others, nobodys] = [await bob.failure(tool, { task_id: id }), await bob.failure(tool, { task_id: missing })];
        assert.equal(others.message, `Task not found with id ${id}`);
        assert.deepEqual([others.data.code, others.data.httpStatus, others.shape.code], ['NOT_FOUND', 404, -32004]);
        assert.deepEqual({ ...others.shape, message: `Task not found with id ${missing}` }, nobodys.shape);
      }
      assert.equal((await ann.data('delete_task', { task_id: id })).completed, false);
    });

    test('TODO_category_validation_error tRPC: wrong arguments are BAD_REQUEST with what is wrong', async () => {
      const cases = [
        ['add_task', {}, '/title required'],
        ['add_task', { title: '' }, '/title minLength'],
        ['add_task', { title: ' \t' }, '/title minLength'],
        ['add_task', { title: 'x'.repeat(201) }, '/title maxLength'],
        ['add_task', { title: 'x', due_date: 'soon' }, '/due_date pattern'],
        ['add_task', { title: 'x', due_date: '2026-02-30' }, '/due_date format'],
        ['add_task', { title: 'a\0b' }, '/title pattern'],
        ['list_tasks', { limit: 0 }, '/limit minimum'],
        ['list_tasks', { limit: 1e30 }, '/limit type'],
        ['list_tasks', { status: 'done' }, '/status enum'],
        ['search_tasks', { keyword: '' }, '/keyword minLength'],
        ['delete_task', { task_id: '1' }, '/task_id type'],
        ...tools.map((tool) => [tool, { ...goodArguments[tool], user_id: 'bob' }, '/user_id additionalProperties']),
      ];
      for (const [tool, args, issue] of cases) {
        const { data, message } = await ann.failure(tool, args);
        assert.deepEqual([data.code, data.httpStatus], ['BAD_REQUEST', 400], `${tool} ${JSON.stringify(args)}: ${message}`);
        assert.deepEqual(data.issues.map(({ path, rule }) => `${path} ${rule}`), [issue], `${tool} ${JSON.stringify(args)}`);
        assert.doesNotMatch(message, /^\{/, 'a sentence');
      }
      assert.equal((await ann.data('list_tasks')).total, 0);
    });

    test('TODO_failure_missing_user_id TODO_category_unauthorized tRPC: the master key has no user', async () => {
      const nobody = trpc(bearer(master));
      for (const tool of tools) {
        const { data, message } = await nobody.failure(tool, goodArguments[tool]);
        assert.deepEqual([data.code, message], ['UNAUTHORIZED', 'user_id is required'], tool);
      }
    });

    test('TODO_category_forbidden tRPC: a credential without the scope', async () => {
      const reader = trpc(bearer(await createKey({ userId: 'ann', scopes: ['read'] })));
      for (const tool of ['add_task', 'toggle_task_completion', 'delete_task']) {
        const { data, message } = await reader.failure(tool, goodArguments[tool]);
        assert.equal(data.code, 'FORBIDDEN');
        assert.match(message, /scope "write"/);
      }
      assert.equal((await reader.data('list_tasks')).total, 0);
    });

    test('TODO_mapping_task_not_found TODO_failure_missing_user_id plain JSON-RPC: errors with the reason', async () => {
      const call = async (method, params, headers = bearer(annsToken)) => (await rpc(`${server.origin}/rpc`, method, params, headers)).body;
      const { result } = await call('add_task', { title: 'plain' });
      assert.equal((await call('list_tasks', {})).result.data.tasks[0].id, result.data.id);
      const errorOf = async (...args) => {
        const { error } = await call(...args);
        return [error.code, error.message];
      };
      const { id } = result.data;
      assert.deepEqual(await errorOf('delete_task', { task_id: id }, apiKey(bobsKey)),
        [-32603, `Failed to execute tool delete_task: Task not found with id ${id}`]);
      assert.deepEqual(await errorOf('list_tasks', {}, bearer(master)), [-32603, 'Failed to execute tool list_tasks: user_id is required']);
      assert.deepEqual(await errorOf('add_task', { title: ' ' }), [-32602, 'title is required and cannot be empty']);
      assert.deepEqual((await call('delete_task', { task_id: id })).result.message, 'Task deleted');
    });

    test('TODO_authorization_user_id_source WebSocket, stdio and tRPC know the same user by the same token', async () => {
      const { id } = await ann.data('add_task', { title: 'everywhere' });
      const idsOf = (result) => envelopeOf(result).data.tasks.map((task) => task.id);
      const { socket, request } = await openSocket(server.origin, { headers: bearer(annsToken) });
      assert.deepEqual(idsOf((await request('tools/call', { name: 'list_tasks', arguments: {} })).result), [id]);
      socket.close();
      for (const [token, ids] of [[annsToken, [id]], [bobsKey, []]]) {
        const stdio = await openStdio(toolpost(), { env: { ...env, TOOLPOST_STATE_DIR: state.path, TOOLPOST_TOKEN: token } });
        try {
          assert.deepEqual(idsOf(await stdio.call({ name: 'list_tasks', arguments: {} })), ids);
        } finally {
          await stdio.close();
        }
      }
      await ann.data('delete_task', { task_id: id });
    });

    test('failures are counted under their own codes', async () => {
      const text = await (await fetch(`${server.origin}/metrics`, { headers: bearer(master) })).text();
      for (const outcome of ['NOT_FOUND', 'INVALID_ARGUMENT', 'UNAUTHENTICATED', 'PERMISSION_DENIED']) {
        assert.match(text, new RegExp(`toolpost_tool_calls_total\\{tool="todo/delete_task",outcome="${outcome}"\\} [1-9]`), outcome);
      }
      assert.doesNotMatch(text, /tool="todo[^}]*outcome="TOOL_ERROR"/);
    });
  });
}

test('TODO_tool_add_task the command line works for the local user and says why it could not', async () => {
  const state = temporaryDirectory();
  try {
    const call = (...args) => runToolpost(['call', ...args], { directory: state.path });
    const added = await call('add_task', '--json', '{"title":"from the shell"}');
    assert.equal(added.code, 0, added.err);
    assert.match(added.out, /from the shell/);
    const listed = await call('list_tasks');
    assert.match(listed.out, /from the shell/);
    const refused = await call('delete_task', '--json', '{"task_id":4711}');
    assert.notEqual(refused.code, 0);
    assert.match(refused.out + refused.err, /Task not found with id 4711/);
  } finally {
    state.cleanUp();
  }
});
