// What the todo tools do to their store: the statements they send, many clients at once, a database that goes away, and kill -9.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';

import { bearer, callTool, signedToken } from './callers.mjs';
import { startPostgres } from './postgres.mjs';
import { eventually, startToolpost, temporaryDirectory, within } from './servers.mjs';
import { connectUser, envelopeOf, failure } from './todo.mjs';
import { clientOf, failure as trpcFailure, links } from './trpc.mjs';

const jwtSecret = 'e2e-jwt-secret-40b8d2c71e9f4a63-d1';
const tokenOf = (sub) => bearer(signedToken(jwtSecret, { sub, scope: 'read write' }));
const env = { TOOLPOST_AUTH_JWT_SECRET: jwtSecret, TOOLPOST_LIMITS_KEY_CALLS_PER_SECOND: '0' };
const times = (count, make) => Array.from({ length: count }, (_, index) => make(index));

let postgres;
before(async () => {
  postgres = await startPostgres({ settings: ['log_statement=all', 'log_line_prefix=%p@%d '] });
});
after(() => postgres?.stop());

// A server on a database of its own.
async function startOn(name, more = {}) {
  return startToolpost({ env: { ...env, TOOLPOST_STORE_URL: postgres.createDatabase(name), ...more } });
}

async function calling(server, user = 'ann') {
  const headers = tokenOf(user);
  return async (name, args = {}) => envelopeOf((await callTool(`${server.origin}/rpc`, name, args, headers)).body.result);
}

/** What the todo tools sent to a database from `start` on, in order: `{pid, text}`. A connection that is new may set itself up among them. */
async function statements(database, start) {
  const mark = `mark ${start}`;
  postgres.query(`SELECT '${mark}'`, database);
  await eventually('the log', () => postgres.log().includes(mark, start));
  const lines = postgres.log().slice(start).matchAll(/^(\d+)@(\w+) LOG: {2}(?:execute [^:]+|statement): (.*)$/gm);
  return [...lines]
    .map(([, pid, where, text]) => ({ pid, where, text }))
    .filter(({ where, text }) => where === database && !text.includes(mark) && !/^SET statement_timeout|toolpost_(counters|usage|api_keys|schema|vault_state)/.test(text));
}

test('TODO_rule_user_filter TODO_rule_single_table TODO_rule_no_joins TODO_rule_no_transactions one filtered statement on one table', async () => {
  const server = await startOn('statements');
  const call = await calling(server);
  await call('get_my_user_info');
  const start = postgres.log().length;
  const { id } = (await call('add_task', { title: 'watched' })).data;
  await call('list_tasks', { status: 'pending', sort_by: 'title' });
  await call('toggle_task_completion', { task_id: id });
  await call('search_tasks', { keyword: 'watch' });
  await call('delete_task', { task_id: id });
  await call('get_my_user_info');
  const sent = await statements('statements', start);
  await server.stop();

  const expected = [
    ['TODO_operation_add_task', /^INSERT INTO toolpost_tasks \(user_id, /, 'toolpost_tasks'],
    ['TODO_operation_list_tasks', /^SELECT .*WHERE user_id = \$1/, 'toolpost_tasks'],
    ['TODO_operation_toggle_task_completion', /^UPDATE toolpost_tasks SET completed.* WHERE user_id = \$1 AND id = \$2/, 'toolpost_tasks'],
    ['TODO_operation_search_tasks', /^SELECT .*WHERE user_id = \$1.* LIKE \$2/, 'toolpost_tasks'],
    ['TODO_operation_delete_task', /^DELETE FROM toolpost_tasks WHERE user_id = \$1 AND id = \$2/, 'toolpost_tasks'],
    ['TODO_operation_get_my_user_info', /^SELECT .* FROM toolpost_users WHERE id = \$1/, 'toolpost_users'],
  ];
  assert.equal(sent.length, 2 * expected.length, sent.map(({ text }) => text).join('\n'));
  for (const [index, [requirement, form, table]] of expected.entries()) {
    const [setting, statement] = sent.slice(2 * index, 2 * index + 2);
    assert.equal(setting.text, "SELECT set_config('toolpost.user', $1, true)");
    assert.equal(setting.pid, statement.pid);
    assert.match(statement.text, form, requirement);
    assert.deepEqual([...new Set(statement.text.match(/toolpost_\w+/g))], [table]);
    const froms = statement.text.match(/\bFROM toolpost_\w+/g)?.length ?? 0;
    assert.equal(statement.text.match(/\bWHERE (user_id|id) = \$1/g)?.length ?? 0, froms + /^UPDATE/.test(statement.text), statement.text);
    assert.doesNotMatch(statement.text, /watch/, 'values are bound');
  }
  assert.ok(!sent.some(({ text }) => /^(BEGIN|COMMIT|ROLLBACK|START|SAVEPOINT)/i.test(text)));
});

test('TODO_rule_user_filter the database shows a forgetful statement nothing', async () => {
  const server = await startOn('walls');
  await (await calling(server))('add_task', { title: 'walled' });
  const count = (setting, role) => postgres.query(`${setting}SELECT count(*) FROM toolpost_tasks`, 'walls', role).at(-1);
  assert.equal(count('', 'toolpost'), '1');
  assert.equal(count('', 'walls'), '0');
  assert.equal(count("SELECT set_config('toolpost.user', 'bob', false); ", 'walls'), '0');
  assert.equal(count("SELECT set_config('toolpost.user', 'ann', false); ", 'walls'), '1');
  await server.stop();
});

test('TODO_connection_connection_source TODO_connection_session_scope TODO_connection_session_cleanup calls share few connections and leave them clean', async () => {
  const server = await startOn('pool');
  const users = await Promise.all(times(64, (index) => calling(server, `user ${index}`)));
  const answers = await Promise.all(users.flatMap((call, index) => [
    call('add_task', { title: `of ${index}` }), call('list_tasks'),
    call('toggle_task_completion', { task_id: 999_999 }), call('list_tasks', { limit: 0 }),
  ]));
  assert.equal(answers.filter(({ status }) => status === 'success').length, 128);
  for (const [index, call] of users.entries()) {
    const { data } = await call('list_tasks');
    assert.deepEqual(data.tasks.map(({ title }) => title), [`of ${index}`]);
  }
  const states = postgres.query("SELECT state FROM pg_stat_activity WHERE datname = 'pool' AND backend_type = 'client backend'");
  assert.ok(states.length >= 1 && states.length <= 8, `${states.length} connections`);
  await eventually('no open transaction', () => postgres.query(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = 'pool' AND state <> 'idle'")[0] === '0');
  await server.stop();
});

test('TODO_stateless_no_internal_memory TODO_stateless_no_caching TODO_stateless_fresh_data two servers and the database agree at every step', async () => {
  const one = await startOn('fresh');
  const other = await startToolpost({ env: { ...env, TOOLPOST_STORE_URL: postgres.url.replace('toolpost@/postgres', 'fresh@/fresh') } });
  const [here, there] = [await calling(one), await calling(other)];
  const { data: task } = await here('add_task', { title: 'shared' });
  assert.deepEqual((await there('list_tasks')).data.tasks, [task]);
  const { data: done } = await there('toggle_task_completion', { task_id: task.id });
  assert.deepEqual((await here('list_tasks')).data.tasks, [done]);
  postgres.query("UPDATE toolpost_tasks SET title = 'by hand', folded_title = 'by hand'", 'fresh');
  for (const call of [here, there]) {
    assert.equal((await call('list_tasks')).data.tasks[0].title, 'by hand');
    assert.equal((await call('search_tasks', { keyword: 'HAND' })).data.total, 1);
    assert.equal((await call('search_tasks', { keyword: 'shared' })).data.total, 0);
  }
  await here('delete_task', { task_id: task.id });
  assert.equal((await there('list_tasks')).data.total, 0);
  assert.equal((await there('delete_task', { task_id: task.id })).message, `Task not found with id ${task.id}`);
  await one.stop();
  await other.stop();
});

test('TODO_stateless_no_caching TODO_stateless_fresh_data TODO_connection_session_cleanup on SQLite another program sees every step and waits for nothing', async () => {
  const state = temporaryDirectory();
  const server = await startToolpost({ directory: state.path, env });
  const call = await calling(server);
  const { data: task } = await call('add_task', { title: 'shared' });
  const other = new DatabaseSync(join(state.path, 'toolpost.db'));
  try {
    // Whoever gets the lock at once meets no transaction that was left open, after successes and after failures.
    const alone = (sql) => other.exec(`PRAGMA busy_timeout = 0; BEGIN IMMEDIATE; ${sql}; COMMIT; PRAGMA wal_checkpoint(TRUNCATE)`);
    assert.deepEqual({ ...other.prepare('SELECT user_id, title, completed FROM toolpost_tasks').get() }, { user_id: 'ann', title: 'shared', completed: 0 });
    alone("UPDATE toolpost_tasks SET title = 'by hand', folded_title = 'by hand'");
    assert.equal((await call('list_tasks')).data.tasks[0].title, 'by hand');
    assert.equal((await call('search_tasks', { keyword: 'shared' })).data.total, 0);
    assert.equal((await call('delete_task', { task_id: 999_999 })).status, 'error');
    await call('toggle_task_completion', { task_id: task.id });
    alone('UPDATE toolpost_tasks SET completed = 1 - completed');
    assert.equal((await call('toggle_task_completion', { task_id: task.id })).data.completed, true);
    alone("DELETE FROM toolpost_tasks WHERE user_id = 'ann'");
    assert.equal((await call('list_tasks')).data.total, 0);
    assert.equal((await call('toggle_task_completion', { task_id: task.id })).message, `Task not found with id ${task.id}`);
  } finally {
    other.close();
    await server.stop();
    state.cleanUp();
  }
});

test('TODO_operation_toggle_task_completion TODO_operation_delete_task 32 clients on the same tasks: no lost update, no error, exact counts', async () => {
  const server = await startOn('crowd');
  const clients = await Promise.all(times(32, () => connectUser(server, tokenOf('ann'))));
  const tasks = await Promise.all(times(40, (index) => clients[index % 32].data('add_task', { title: `task ${index}` })));
  const doomed = new Set(tasks.slice(0, 20).map(({ id }) => id));
  const toggled = new Map(tasks.map(({ id }) => [id, []]));
  const deleted = new Map(tasks.map(({ id }) => [id, []]));
  const refused = [];

  // Every client toggles every task once, and deletes the doomed ones in between, in an order of its own.
  await within(45_000, 'the crowd', Promise.all(clients.map(async (user, number) => {
    for (let step = 0; step < tasks.length; step += 1) {
      const { id } = tasks[(step * 7 + number * 3) % tasks.length];
      const flip = await user.answer('toggle_task_completion', { task_id: id });
      if (flip.status === 'success') toggled.get(id).push(flip.data.completed);
      else refused.push([id, flip]);
      if (!doomed.has(id) || (step + 2 * number) % 4 !== 0) continue;
      const end = await user.answer('delete_task', { task_id: id });
      if (end.status === 'success') deleted.get(id).push(end.data.completed);
      else refused.push([id, end]);
    }
  })));

  for (const [id, answer] of refused) {
    assert.ok(doomed.has(id), `task ${id}: ${answer.message}`);
    assert.deepEqual(answer, failure('NOT_FOUND', 404, `Task not found with id ${id}`));
  }
  const left = (await clients[0].data('list_tasks', { limit: 1000, sort_by: 'created_at', sort_order: 'asc' })).tasks;
  const idsOf = (list) => list.map(({ id }) => id).sort((a, b) => a - b);
  assert.deepEqual(idsOf(left), idsOf(tasks.filter(({ id }) => !doomed.has(id))));
  for (const [id, flips] of toggled) {
    // One after the other they go true, false, true, …, so that many are true and the last one is known.
    const trues = flips.filter(Boolean).length;
    assert.equal(trues, Math.ceil(flips.length / 2), `task ${id}`);
    const ends = doomed.has(id) ? deleted.get(id) : left.filter((task) => task.id === id).map(({ completed }) => completed);
    assert.deepEqual(ends, [flips.length % 2 === 1], `task ${id}`);
    if (!doomed.has(id)) assert.equal(flips.length, 32);
  }
  assert.equal(postgres.query('SELECT count(*) FROM toolpost_tasks', 'crowd')[0], '20');
  await Promise.all(clients.map((user) => user.close()));
  assert.equal(await server.stop(), 0);
});

test('TODO_mapping_db_connection_error TODO_category_internal_error PostgreSQL stopped: an answer soon, and all is well when it is back', async () => {
  const server = await startOn('gone');
  const user = await connectUser(server, tokenOf('ann'));
  const { mcp } = clientOf(links.httpLink({ url: `${server.origin}/trpc`, headers: tokenOf('ann') }));
  const { id } = await user.data('add_task', { title: 'before' });
  await postgres.halt();
  const calls = {
    add_task: [{ title: 'meanwhile' }, 'add task'], list_tasks: [{}, 'list task'], toggle_task_completion: [{ task_id: id }, 'toggle task'],
    delete_task: [{ task_id: id }, 'delete task'], search_tasks: [{ keyword: 'x' }, 'search task'], get_my_user_info: [{}, 'get user info'],
  };
  try {
    for (const [name, [args, action]] of Object.entries(calls)) {
      const answer = await within(5_000, name, user.answer(name, args));
      assert.deepEqual(answer, failure('INTERNAL_ERROR', 500, `Failed to ${action}: service unavailable`));
      const { data, message } = await trpcFailure(mcp.executeTool.mutate({ name, arguments: args }));
      assert.deepEqual([data.code, message], ['SERVICE_UNAVAILABLE', `Failed to ${action}: service unavailable`]);
    }
    await eventually('the reason in the log', () => /todo store failed.*add task/.test(server.log()));
    assert.equal((await user.answer('add_task', { title: '' })).code, 'VALIDATION_ERROR', 'arguments are judged all the same');
  } finally {
    await postgres.resume();
  }
  await user.data('add_task', { title: 'afterwards' });
  assert.deepEqual((await user.data('list_tasks')).tasks.map(({ title }) => title), ['afterwards', 'before']);
  await user.close();
  assert.equal(await server.stop(), 0);
});

/** Page after page. */
async function allTasks(call) {
  const tasks = [];
  for (;;) {
    const { data } = await call('list_tasks', { limit: 100, offset: tasks.length, sort_order: 'asc' });
    tasks.push(...data.tasks);
    if (!data.has_more) return { tasks, total: data.total };
  }
}

for (const [engine, storeOf] of [['SQLite', () => ({})], ['PostgreSQL', () => ({ TOOLPOST_STORE_URL: postgres.createDatabase('killed') })]]) {
  test(`kill -9 during 1,000 adds on ${engine}: what was acknowledged is there once, nothing is there twice`, async () => {
    const state = temporaryDirectory();
    const all = { ...env, ...storeOf() };
    const doomed = await startToolpost({ directory: state.path, env: all });
    const call = await calling(doomed);
    const titles = times(1000, (index) => `add ${index}`);
    const waiting = [...titles];
    const acknowledged = new Map();
    let killed;
    await Promise.all(times(16, async () => {
      while (waiting.length > 0) {
        const title = waiting.shift();
        const answer = await call('add_task', { title }).catch(() => undefined);
        if (!answer) return;
        acknowledged.set(title, answer.data.id);
        if (acknowledged.size === 400) killed = doomed.kill();
      }
    }));
    await killed;
    assert.ok(acknowledged.size >= 400 && acknowledged.size < 1000, `${acknowledged.size} acknowledged`);

    const server = await startToolpost({ directory: state.path, env: all });
    const { tasks, total } = await allTasks(await calling(server));
    assert.equal(tasks.length, total);
    const found = new Map(tasks.map(({ title, id }) => [title, id]));
    assert.equal(found.size, total, 'none twice');
    for (const [title, id] of acknowledged) assert.equal(found.get(title), id, title);
    assert.ok(total - acknowledged.size <= 16, 'beyond those only what was on its way');
    for (const title of found.keys()) assert.ok(titles.includes(title));
    assert.equal((await (await calling(server))('add_task', { title: 'on' })).status, 'success');
    assert.equal(await server.stop(), 0);
    state.cleanUp();
  });
}

test('todo://tasks: a change is told to its owner alone', async () => {
  const server = await startToolpost({ env });
  const heard = { ann: 0, bob: 0 };
  const connect = (name) => connectUser(server, tokenOf(name), { 'notifications/resources/updated': () => (heard[name] += 1) });
  const [ann, bob] = [await connect('ann'), await connect('bob')];
  try {
    for (const user of [ann, bob]) await user.client.subscribeResource({ uri: 'todo://tasks' });
    const { id } = await ann.data('add_task', { title: 'news' });
    await eventually('ann hears of the new task', () => heard.ann === 1, 3_000);
    await ann.data('toggle_task_completion', { task_id: id });
    await eventually('ann hears of the done task', () => heard.ann === 2, 3_000);
    await bob.answer('delete_task', { task_id: id });
    await bob.data('add_task', { title: 'his' });
    await eventually('bob hears of his own', () => heard.bob === 1, 3_000);
    assert.deepEqual(heard, { ann: 2, bob: 1 });
    await ann.data('delete_task', { task_id: id });
    await eventually('ann hears of the deleted task', () => heard.ann === 3, 3_000);
    assert.equal(heard.bob, 1);
  } finally {
    await ann.close();
    await bob.close();
    await server.stop();
  }
});
