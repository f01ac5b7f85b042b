// The todo tools as people meet them: two users with credentials of their own, each through a real MCP client, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { bearer, callTool, rpc, signedToken } from './callers.mjs';
import { startPostgres } from './postgres.mjs';
import { openStdio } from './sdk_v1.mjs';
import { startToolpost, temporaryDirectory, toolpost } from './servers.mjs';
import { connectUser, envelopeOf, failure } from './todo.mjs';

const master = 'mk-5c0e8a17-6d3b-49f2-b7e4';
const jwtSecret = 'e2e-jwt-secret-71f0c3d8a95b4e26-e7';
const tools = ['add_task', 'delete_task', 'get_my_user_info', 'list_tasks', 'search_tasks', 'toggle_task_completion'];
const claims = { sub: 'ann', name: 'Ann Example', email: 'ann@example.com', scope: 'read write' };

let postgres;
before(async () => {
  postgres = await startPostgres({ settings: ['log_statement=all'] });
});
after(() => postgres?.stop());

// `spoil` makes the store refuse the title "unlucky", as a disk error or a bug would.
const engines = {
  SQLite: () => ({
    env: {},
    spoil: (directory) => {
      const database = new DatabaseSync(join(directory, 'toolpost.db'));
      database.exec(
        "CREATE TRIGGER spoil BEFORE INSERT ON toolpost_tasks WHEN NEW.title = 'unlucky' BEGIN SELECT RAISE(ABORT, 'toolpost_tasks is spoilt'); END");
      database.close();
    },
  }),
  PostgreSQL: () => ({
    env: { TOOLPOST_STORE_URL: postgres.createDatabase('todo') },
    spoil: () => postgres.query("ALTER TABLE toolpost_tasks ADD CONSTRAINT spoil CHECK (title <> 'unlucky')", 'todo'),
  }),
};

for (const [engine, prepare] of Object.entries(engines)) {
  describe(`todo on ${engine}`, () => {
    let state;
    let env;
    let spoil;
    let server;
    let ann;
    let bob;
    const annsToken = () => bearer(signedToken(jwtSecret, claims));

    before(async () => {
      state = temporaryDirectory();
      const store = prepare();
      spoil = store.spoil;
      env = { ...store.env, MSSQL_MCP_API_KEY: master, TOOLPOST_AUTH_JWT_SECRET: jwtSecret, TOOLPOST_LIMITS_KEY_CALLS_PER_SECOND: '0' };
      server = await startToolpost({ directory: state.path, env });
      ann = await connectUser(server, annsToken());
      bob = await connectUser(server, bearer(await createKey({ userId: 'bob', scopes: ['read', 'write'] })));
    });
    after(async () => {
      await ann?.close();
      await bob?.close();
      assert.equal(await server?.stop(), 0);
      state.cleanUp();
    });

    async function createKey(params) {
      const { body } = await rpc(`${server.origin}/`, 'CreateApiKey', { name: 'todo', ...params }, bearer(master));
      assert.ok(body.result?.key, JSON.stringify(body));
      return body.result.key;
    }
    const clear = async (...users) => {
      for (const user of users) {
        for (const { id } of (await user.data('list_tasks', { limit: 1000 })).tasks) await user.data('delete_task', { task_id: id });
      }
    };

    test('TODO_definition_name TODO_definition_description TODO_definition_parameters six tools in snake case with schemas', async () => {
      const listed = (await ann.client.listTools()).tools.filter(({ name }) => tools.includes(name));
      assert.deepEqual(listed.map(({ name }) => name).sort(), tools);
      for (const { name, description, inputSchema, outputSchema } of listed) {
        assert.match(name, /^[a-z]+(_[a-z]+)*$/);
        assert.match(description, /^[A-Z].{10,}\.$/);
        assert.equal(inputSchema.type, 'object');
        assert.ok(!('user_id' in (inputSchema.properties ?? {})), name);
        assert.deepEqual(Object.keys(outputSchema.properties).sort(), ['data', 'message', 'status']);
      }
    });

    test('TODO_tool_add_task TODO_operation_add_task TODO_response_status TODO_response_message TODO_response_data', async () => {
      const { status, message, data } = await ann.call('add_task', { title: ' Buy milk ', description: 'two litres', due_date: '2028-02-29' });
      assert.deepEqual([status, message], ['success', 'Task added']);
      assert.deepEqual(
        { ...data, id: typeof data.id, created_at: typeof data.created_at, updated_at: data.updated_at === data.created_at },
        {
          id: 'number', title: 'Buy milk', description: 'two litres', due_date: '2028-02-29', completed: false,
          created_at: 'string', updated_at: true,
        });
      assert.deepEqual((await ann.data('list_tasks')).tasks, [data]);
      await clear(ann);
    });

    test('TODO_tool_list_tasks pages, sorts and filters', async () => {
      for (const title of ['beta', 'alpha', 'gamma']) await ann.data('add_task', { title });
      const titles = async (args) => (await ann.data('list_tasks', args)).tasks.map(({ title }) => title);
      assert.deepEqual(await titles({}), ['gamma', 'alpha', 'beta']);
      assert.deepEqual(await titles({ sort_by: 'created_at', sort_order: 'asc' }), ['beta', 'alpha', 'gamma']);
      assert.deepEqual(await titles({ sort_by: 'title', sort_order: 'asc' }), ['alpha', 'beta', 'gamma']);
      assert.deepEqual(await titles({ sort_by: 'title', sort_order: 'desc' }), ['gamma', 'beta', 'alpha']);
      const [{ id }] = (await ann.data('list_tasks', { sort_by: 'title', sort_order: 'asc', limit: 1 })).tasks;
      await ann.data('toggle_task_completion', { task_id: id });
      assert.deepEqual(await titles({ status: 'completed' }), ['alpha']);
      assert.deepEqual(await titles({ status: 'pending' }), ['gamma', 'beta']);
      const page = await ann.call('list_tasks', { limit: 2, offset: 1 });
      assert.equal(page.message, '2 to 3 of 3 tasks');
      const { tasks, ...rest } = page.data;
      assert.equal(tasks.length, 2);
      assert.deepEqual(rest, { total: 3, limit: 2, offset: 1, has_more: false });
      assert.equal((await ann.data('list_tasks', { limit: 2 })).has_more, true);
      assert.deepEqual(await ann.data('list_tasks', { offset: 9 }), { tasks: [], total: 3, limit: 50, offset: 9, has_more: false });
      await clear(ann);
    });

    test('TODO_tool_toggle_task_completion returns the row as it is then', async () => {
      const added = await ann.data('add_task', { title: 'Turn me' });
      const done = await ann.call('toggle_task_completion', { task_id: added.id });
      assert.deepEqual([done.message, done.data.completed], ['Task marked as completed', true]);
      assert.ok(done.data.updated_at >= added.updated_at);
      assert.deepEqual((await ann.data('list_tasks')).tasks, [done.data]);
      const pending = await ann.call('toggle_task_completion', { task_id: added.id });
      assert.deepEqual([pending.message, pending.data.completed], ['Task marked as pending', false]);
      await clear(ann);
    });

    test('TODO_tool_delete_task TODO_operation_delete_task returns the row and is final', async () => {
      const added = await ann.data('add_task', { title: 'Drop me' });
      const gone = await ann.call('delete_task', { task_id: added.id });
      assert.deepEqual([gone.status, gone.message, gone.data], ['success', 'Task deleted', added]);
      const again = failure('NOT_FOUND', 404, `Task not found with id ${added.id}`);
      assert.deepEqual(await ann.answer('delete_task', { task_id: added.id }), again);
      assert.deepEqual(await ann.answer('toggle_task_completion', { task_id: added.id }), again);
      const next = await ann.data('add_task', { title: 'After' });
      assert.ok(next.id > added.id, 'an id is not used twice');
      await clear(ann);
    });

    test('TODO_tool_search_tasks in title and description, whatever the case, wildcards as they are', async () => {
      await ann.data('add_task', { title: 'Übung: 100% machen', description: 'für_morgen' });
      await ann.data('add_task', { title: '1000 Dinge' });
      const found = async (keyword) => (await ann.data('search_tasks', { keyword })).tasks.map(({ title }) => title);
      assert.deepEqual(await found('ÜBUNG'), ['Übung: 100% machen']);
      assert.deepEqual(await found('100%'), ['Übung: 100% machen']);
      assert.deepEqual(await found('R_M'), ['Übung: 100% machen']);
      assert.deepEqual(await found('100'), ['1000 Dinge', 'Übung: 100% machen']);
      for (const nothing of ['\\', "' OR 1=1 --", '%%']) assert.deepEqual(await found(nothing), []);
      const page = await ann.data('search_tasks', { keyword: '100', limit: 1 });
      assert.deepEqual([page.total, page.has_more, page.tasks.length], [2, true, 1]);
      await clear(ann);
    });

    test('TODO_tool_get_my_user_info is what the credential says', async () => {
      const { created_at, last_seen, ...known } = await ann.data('get_my_user_info');
      assert.deepEqual(known, { user_id: 'ann', name: 'Ann Example', email: 'ann@example.com' });
      assert.ok(Date.parse(created_at) <= Date.parse(last_seen));
      const bobs = await bob.data('get_my_user_info');
      assert.deepEqual([bobs.user_id, bobs.name, bobs.email], ['bob', null, null]);
    });

    test('TODO_authorization_user_isolation neither user sees, toggles or deletes what the other has', async () => {
      const mine = await ann.data('add_task', { title: 'mine alone', description: 'secret' });
      const his = await bob.data('add_task', { title: 'his alone', description: 'secret' });
      for (const [user, own, other] of [[ann, mine, his], [bob, his, mine]]) {
        assert.deepEqual((await user.data('list_tasks')).tasks, [own]);
        assert.deepEqual((await user.data('search_tasks', { keyword: 'alone' })).tasks, [own]);
        assert.equal((await user.data('search_tasks', { keyword: other.title })).total, 0);
        const { contents } = await user.client.readResource({ uri: 'todo://tasks' });
        assert.deepEqual(JSON.parse(contents[0].text).tasks, [own]);
        const { messages } = await user.client.getPrompt({ name: 'plan_my_day' });
        assert.ok(messages[0].content.text.includes(own.title) && !messages[0].content.text.includes(other.title));
      }
      await clear(ann, bob);
    });

    test("TODO_authorization_ownership_verification another's id and a missing one are answered alike", async () => {
      const { id } = await ann.data('add_task', { title: 'not yours' });
      const missing = id + 1_000_000;
      for (const tool of ['toggle_task_completion', 'delete_task']) {
        const others = await bob.answer(tool, { task_id: id });
        const nobodys = await bob.answer(tool, { task_id: missing });
        assert.deepEqual(others, failure('NOT_FOUND', 404, `Task not found with id ${id}`));
        assert.deepEqual({ ...others, message: `Task not found with id ${missing}` }, nobodys);
      }
      assert.equal((await ann.data('list_tasks')).tasks[0].completed, false);
      await clear(ann);
    });

    test('TODO_authorization_no_cross_user_access user_id is refused as an argument of every tool', async () => {
      const refusal = failure('VALIDATION_ERROR', 400, 'user_id must not be given: it is the one you signed in with');
      const { id } = await bob.data('add_task', { title: 'still here' });
      const args = { add_task: { title: 'x' }, toggle_task_completion: { task_id: id }, delete_task: { task_id: id }, search_tasks: { keyword: 'x' } };
      for (const tool of tools) assert.deepEqual(await ann.answer(tool, { ...args[tool], user_id: 'bob' }), refusal, tool);
      assert.equal((await bob.data('list_tasks')).total, 1);
      await clear(bob);
    });

    test('TODO_authorization_user_id_source one user through key, token, session, /rpc, / and stdio', async () => {
      const { id } = await ann.data('add_task', { title: 'everywhere' });
      const key = bearer(await createKey({ userId: 'ann', scopes: ['read', 'write'] }));
      for (const headers of [key, annsToken()]) {
        for (const path of ['/', '/rpc', '/mcp']) {
          const direct = await rpc(`${server.origin}${path}`, 'list_tasks', {}, path === '/mcp' ? key : headers);
          assert.deepEqual(direct.body.result.data.tasks.map((task) => task.id), [id], `${path}: ${direct.text}`);
        }
      }
      if (engine === 'PostgreSQL') {
        const stdio = await openStdio(toolpost(), { env: { ...env, TOOLPOST_TOKEN: signedToken(jwtSecret, claims) } });
        const listed = envelopeOf(await stdio.call({ name: 'list_tasks', arguments: {} }));
        assert.deepEqual(listed.data.tasks.map((task) => task.id), [id]);
        await stdio.close();
      }
      const eve = bearer(signedToken(jwtSecret, { ...claims, sub: 'eve', user_id: 'ann', userId: 'ann' }));
      const hers = await callTool(`${server.origin}/rpc`, 'list_tasks', {}, { ...eve, 'X-User-Id': 'ann' });
      assert.equal(hers.body.result.structuredContent.data.total, 0, 'only sub counts');
      await clear(ann);
    });

    test('TODO_validation_user_id TODO_failure_missing_user_id TODO_category_unauthorized the master key has no user', async () => {
      const nobody = await connectUser(server, bearer(master));
      const args = { add_task: { title: 'x' }, toggle_task_completion: { task_id: 1 }, delete_task: { task_id: 1 }, search_tasks: { keyword: 'x' } };
      for (const tool of tools) assert.deepEqual(await nobody.answer(tool, args[tool]), failure('UNAUTHORIZED', 401, 'user_id is required'), tool);
      assert.deepEqual(await nobody.answer('add_task', { title: '' }), failure('VALIDATION_ERROR', 400, 'title is required and cannot be empty'));
      await assert.rejects(nobody.client.readResource({ uri: 'todo://tasks' }), /user_id is required/);
      await nobody.close();
    });

    const long = 'ü'.repeat(1001);
    const rows = [
      ['TODO_validation_task_id TODO_mapping_invalid_task_id', ['toggle_task_completion', 'delete_task'],
        [0, -1, 1.5, '1', true, null, [1], { id: 1 }].map((task_id) => [{ task_id }, 'task_id must be a positive integer'])],
      ['TODO_failure_missing_required_param', ['toggle_task_completion', 'delete_task'],
        [[{}, 'task_id is required']]],
      ['TODO_failure_missing_required_param of add_task', ['add_task'],
        [[{}, 'title is required'], [{ description: 7, due_date: 7 }, 'title is required']]],
      ['TODO_failure_missing_required_param of search_tasks', ['search_tasks'],
        [[{}, 'keyword is required'], [{ limit: 0 }, 'keyword is required']]],
      ['TODO_validation_title TODO_mapping_empty_title', ['add_task'],
        ['', ' ', '\t\n', '\u00a0\u3000'].map((title) => [{ title }, 'title is required and cannot be empty'])],
      ['TODO_validation_title TODO_mapping_title_too_long', ['add_task'],
        [[{ title: long.slice(0, 201) }, 'title exceeds maximum length of 200 characters']]],
      ['TODO_validation_description TODO_failure_out_of_range', ['add_task'],
        [[{ title: 'x', description: long }, 'description exceeds maximum of 1000']]],
      ['TODO_validation_due_date TODO_failure_invalid_format', ['add_task'],
        ['2026-02-29', '2026-13-01', '2026-00-10', '26-01-01', '2026-1-1', '01.02.2026', '2026-01-01T00:00:00Z', ' 2026-01-01', '', 20260101]
          .map((due_date) => [{ title: 'x', due_date }, 'due_date must be in YYYY-MM-DD format'])],
      ['TODO_validation_status', ['list_tasks'],
        ['done', 'ALL', '', 1].map((status) => [{ status }, 'status must be one of: "all", "pending", "completed"'])],
      ['TODO_validation_sort_by', ['list_tasks'],
        ['id', 'TITLE', 'title; DROP TABLE toolpost_tasks', 0].map((sort_by) => [{ sort_by }, 'sort_by must be one of: "created_at", "title"'])],
      ['TODO_validation_sort_order', ['list_tasks'],
        ['up', 'ASC', '', false].map((sort_order) => [{ sort_order }, 'sort_order must be one of: "asc", "desc"'])],
      ['TODO_validation_limit', ['list_tasks'], [0, -1, 1.5, '50', []].map((limit) => [{ limit }, 'limit must be a positive integer'])],
      ['TODO_validation_offset', ['list_tasks'], [-1, 0.5, '0', {}].map((offset) => [{ offset }, 'offset must be a non-negative integer'])],
      ['TODO_validation_limit of a search', ['search_tasks'],
        [0, -1, '50'].map((limit) => [{ keyword: 'x', limit }, 'limit must be a positive integer'])],
      ['TODO_validation_offset of a search', ['search_tasks'],
        [-1, '0'].map((offset) => [{ keyword: 'x', offset }, 'offset must be a non-negative integer'])],
      ['TODO_validation_keyword', ['search_tasks'], [[{ keyword: '' }, 'keyword is required']]],
      ['TODO_failure_invalid_type', ['add_task'],
        [[{ title: 7 }, 'title must be a string'], [{ title: null }, 'title must be a string'], [{ title: 'x', description: ['y'] }, 'description must be a string'],
          [{ title: {}, description: 7, due_date: 7 }, 'title must be a string']]],
      ['TODO_failure_invalid_type of search_tasks', ['search_tasks'], [[{ keyword: 7 }, 'keyword must be a string']]],
    ];
    for (const [id, names, cases] of rows) {
      test(`${id} TODO_category_validation_error`, async () => {
        for (const name of names) {
          for (const [args, message] of cases) {
            assert.deepEqual(await ann.answer(name, args), failure('VALIDATION_ERROR', 400, message), `${name} ${JSON.stringify(args)}`);
          }
        }
        assert.equal((await ann.data('list_tasks')).total, 0);
      });
    }

    test('TODO_validation_title TODO_validation_description TODO_validation_due_date the longest and the absent are taken', async () => {
      const title = '🎉'.repeat(200);
      const description = 'ü'.repeat(1000);
      const added = await ann.data('add_task', { title, description, due_date: null });
      assert.deepEqual([added.title, added.description, added.due_date], [title, description, null]);
      assert.equal((await ann.data('list_tasks', { limit: null, offset: null, status: null })).limit, 50);
      await clear(ann);
    });

    test('TODO_category_not_found TODO_mapping_task_not_found', async () => {
      for (const tool of ['toggle_task_completion', 'delete_task']) {
        assert.deepEqual(await ann.answer(tool, { task_id: 987654321 }), failure('NOT_FOUND', 404, 'Task not found with id 987654321'));
      }
    });

    test('a credential without the scope changes nothing', async () => {
      const { id } = await ann.data('add_task', { title: 'guarded' });
      const reader = await connectUser(server, bearer(await createKey({ userId: 'ann', scopes: ['read'] })));
      assert.deepEqual((await reader.client.listTools()).tools.map(({ name }) => name).filter((name) => tools.includes(name)).sort(),
        ['get_my_user_info', 'list_tasks', 'search_tasks']);
      for (const [name, args] of [['add_task', { title: 'x' }], ['toggle_task_completion', { task_id: id }], ['delete_task', { task_id: id }]]) {
        const refused = await reader.answer(name, args);
        assert.equal(refused.code, 'FORBIDDEN');
        assert.match(refused.message, /Permission denied: .*scope "write"/);
      }
      const { tasks } = await reader.data('list_tasks');
      assert.deepEqual(tasks.map((task) => [task.id, task.completed]), [[id, false]]);
      await reader.close();
      await clear(ann);
    });

    test('TODO_category_forbidden TODO_message_consistent_format the refusal for a missing scope is in the standard format', async () => {
      const reader = await connectUser(server, bearer(await createKey({ userId: 'ann', scopes: ['read'] })));
      try {
        const answer = await reader.answer('delete_task', { task_id: 1 });
        assert.deepEqual([answer.status, answer.data, answer.code, answer.httpStatus], ['error', null, 'FORBIDDEN', 403]);
      } finally {
        await reader.close();
      }
    });

    test('numbers beyond 64 bits are refused like others', async () => {
      for (const tool of ['toggle_task_completion', 'delete_task']) {
        assert.deepEqual(await ann.answer(tool, { task_id: 1e30 }), failure('VALIDATION_ERROR', 400, 'task_id must be a positive integer'));
      }
      assert.deepEqual(await ann.answer('list_tasks', { limit: 1e30 }), failure('VALIDATION_ERROR', 400, 'limit must be a positive integer'));
      assert.deepEqual(await ann.answer('list_tasks', { offset: 1e30 }), failure('VALIDATION_ERROR', 400, 'offset must be a non-negative integer'));
    });

    test('text that cannot be stored is the fault of the caller', async () => {
      for (const [tool, args] of [['add_task', { title: 'a\0b' }], ['add_task', { title: 'a', description: '\0' }], ['search_tasks', { keyword: '\0' }]]) {
        assert.equal((await ann.answer(tool, args)).code, 'VALIDATION_ERROR', tool);
      }
    });

    test('TODO_mapping_unexpected_error TODO_connection_error_handling TODO_message_no_sql_details TODO_message_no_stack_traces', async () => {
      spoil(state.path);
      const expected = failure('INTERNAL_ERROR', 500, 'Failed to add task: please try again');
      for (let i = 0; i < 8; i += 1) {
        assert.deepEqual(await ann.answer('add_task', { title: 'unlucky' }), expected);
        assert.equal((await ann.call('add_task', { title: `lucky ${i}` })).message, 'Task added');
      }
      assert.equal((await ann.data('list_tasks')).total, 8, 'what failed left nothing, what followed is all there');
      await clear(ann);
    });

    test('TODO_message_user_safe_language hostile text is text', async () => {
      const hostile = ["'); DROP TABLE toolpost_tasks; --", '$1', '%s%n', '{{7*7}}', '\\', '"', '\u202e evil', '<script>alert(1)</script>', '\u{10ffff}'];
      for (const title of hostile) assert.equal((await ann.data('add_task', { title, description: title })).title, title);
      for (const keyword of hostile) {
        const { tasks } = await ann.data('search_tasks', { keyword });
        assert.ok(tasks.some(({ title }) => title === keyword), keyword);
      }
      assert.equal((await ann.data('list_tasks')).total, hostile.length);
      await clear(ann);
      for (const user of [ann, bob]) {
        for (const message of user.failures) {
          assert.doesNotMatch(message, /toolpost_|SELECT|INSERT|UPDATE |DELETE |SQL|sqlite|libpq|constraint|\.cc|0x|\n|exception|std::/i);
          assert.match(message, /^[\x20-\x7e]{10,120}$/);
        }
        assert.ok(user.failures.length > 0);
      }
    });

    test('TODO_message_actionable every refusal names the parameter, the id or what to do next', () => {
      for (const message of ann.failures) {
        assert.match(message, /^(title|description|due_date|status|limit|offset|sort_by|sort_order|keyword|task_id|user_id) |with id \d+$|please try again$/);
      }
    });

    test('TODO_stateless_idempotent_reads TODO_stateless_isolated_execution TODO_definition_handler reads at once agree', async () => {
      const added = await Promise.all(Array.from({ length: 20 }, (_, i) => ann.data('add_task', { title: `at once ${i}` })));
      assert.equal(new Set(added.map(({ id }) => id)).size, 20);
      const lists = await Promise.all(Array.from({ length: 20 }, () => ann.data('list_tasks', { sort_by: 'title' })));
      for (const list of lists) assert.deepEqual(list, lists[0]);
      assert.equal(lists[0].total, 20);
      await ann.answer('list_tasks', { limit: 0 });
      assert.deepEqual(await ann.data('list_tasks', { sort_by: 'title' }), lists[0], 'a failed call leaves nothing behind');
      await clear(ann);
    });

    test('prompts: overdue tasks only, and an invitation when there is nothing', async () => {
      await ann.data('add_task', { title: 'Long ago', due_date: '2001-01-01' });
      await ann.data('add_task', { title: 'Far off', due_date: '9999-12-31' });
      const text = async (user, name) => (await user.client.getPrompt({ name })).messages[0].content.text;
      assert.match(await text(ann, 'review_overdue'), /"Long ago" due 2001-01-01/);
      assert.doesNotMatch(await text(ann, 'review_overdue'), /Far off/);
      assert.match(await text(ann, 'plan_my_day'), /"Far off"/);
      assert.match(await text(bob, 'plan_my_day'), /no pending tasks/);
      assert.match(await text(bob, 'review_overdue'), /None of my tasks is overdue/);
      await clear(ann);
    });

    test('every message fits the schema of its revision', (t) => {
      ann.recorder.verify(t);
      bob.recorder.verify(t);
    });
  });
}
