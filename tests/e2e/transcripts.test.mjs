// Replays the transcripts and validates every message the server sent in them. Negative tests alter real recordings: the check
// must notice.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { Recorder, readLines } from './schema_check.mjs';
import { REVISIONS, Revision } from './schemas.mjs';
import { temporaryDirectory, transcriptTests } from './servers.mjs';

const directory = temporaryDirectory();
const skip = REVISIONS.every((name) => Revision.of(name)) ? false : 'the official schemas are not at hand';

before(() => {
  const env = { ...process.env, TOOLPOST_TRANSCRIPT_RECORDINGS: directory.path };
  const replay = spawnSync(transcriptTests(), ['--gtest_brief=1'], { env, encoding: 'utf8', maxBuffer: 2 ** 26 });
  assert.equal(replay.status, 0, `${replay.error ?? ''}\n${replay.stdout}\n${replay.stderr}`);
});
after(() => directory.cleanUp());

function recordings(path) {
  const names = readdirSync(path).filter((name) => name.endsWith('.log')).sort();
  assert.ok(names.length > 0, 'no transcript was recorded');
  return new Map(names.map((name) => [name, readFileSync(join(path, name), 'utf8').split('\n')]));
}

function judge(lines) {
  const recorder = new Recorder();
  readLines(lines, recorder);
  return recorder;
}

// Judges all recordings; gives the number of validated messages by revision, and of errors excused for having no id.
function validate(path) {
  const counts = new Map();
  let anonymous = 0;
  const violations = [];
  for (const [name, lines] of recordings(path)) {
    const { anonymous: excused, checked, received, violations: found } = judge(lines);
    anonymous += excused;
    assert.ok(received.length > 0, `${name} has no message of the server`);
    violations.push(...found.map((problem) => `${name}: ${problem}`));
    for (const [revision, count] of checked) counts.set(revision, (counts.get(revision) ?? 0) + count);
  }
  assert.deepEqual(violations, []);
  return { anonymous, counts };
}

test('transcripts: every message fits the schema of its revision', { skip }, (t) => {
  const { anonymous, counts } = validate(directory.path);
  for (const revision of REVISIONS) assert.ok(counts.get(revision) > 0, `no message of ${revision} was validated`);
  t.diagnostic(`validated ${REVISIONS.map((revision) => `${revision}: ${counts.get(revision)}`).join(', ')}; ${anonymous} errors without id`);
});

test('transcripts: recordings that are missing or empty are failures', () => {
  const empty = join(directory.path, 'none');
  mkdirSync(empty);
  assert.throws(() => validate(empty), /no transcript was recorded/);
  assert.equal(judge(['> {"jsonrpc":"2.0","id":1,"method":"ping"}']).received.length, 0);
  assert.throws(() => new Recorder().verify(), /saw no message/);
  assert.throws(() => judge(['< not JSON']));
});

// Alters the first message that `change` takes; gives the name of the recording it found and the verdict before and after.
function corrupt(wanted, change) {
  for (const [name, lines] of recordings(directory.path)) {
    if (!wanted.test(name)) continue;
    for (const [index, line] of lines.entries()) {
      if (!line.startsWith('< ')) continue;
      const message = JSON.parse(line.slice(2));
      if (Array.isArray(message) || !change(message)) continue;
      const altered = lines.with(index, `< ${JSON.stringify(message)}`);
      return { before: judge(lines).violations, after: judge(altered).violations };
    }
  }
  return assert.fail(`no recording has such a message: ${change}`);
}

const corruptions = [
  ['handshake of 2024-11-05 without capabilities', /2024_11_05/, ({ result }) => result?.capabilities && delete result.capabilities],
  ['handshake of 2025-03-26 without a name', /2025_03_26/, ({ result }) => result?.serverInfo && delete result.serverInfo.name],
  ['handshake of 2025-06-18 with a list as instructions', /2025_06_18/, ({ result }) => result?.serverInfo && (result.instructions = [])],
  ['content that is no list', /2025_11_25|arguments/, ({ result }) => result?.content && (result.content = 'text')],
  ['content of an unknown type', /./, ({ result }) => result?.content && (result.content[0].type = 'smell')],
  ['a tool without input schema', /pages/, ({ result }) => result?.tools && delete result.tools[0].inputSchema],
  ['an error without a code', /./, ({ error }) => error && delete error.code],
  ['a missing capability that is not named', /modern_tasks/, ({ error }) => error?.code === -32021 && delete error.data],
  ['an error whose id is null', /./, (message) => message.error && (message.id = null) === null],
  ['another protocol than JSON-RPC 2.0', /./, (message) => message.result && (message.jsonrpc = '1.0')],
  ['an answer to nobody', /./, (message) => message.result && (message.id = 'made up')],
  ['progress without a number', /./, ({ method, params }) => method === 'notifications/progress' && delete params.progress],
  ['a notification nobody knows', /./, (message) => message.method && (message.method = 'notifications/made/up')],
  ['a result of 2026-07-28 without its kind', /modern/, ({ result }) => result?.resultType && delete result.resultType],
  ['a question of an unknown kind', /modern_questions/, ({ result }) => {
    const [question] = Object.values(result?.inputRequests ?? {});
    return question && (question.method = 'made/up');
  }],
  ['an acknowledgement without a subscription', /modern_subscriptions/, ({ method, params }) =>
    method === 'notifications/subscriptions/acknowledged' && delete params.notifications],
  ['a task in a wrapper', /modern_tasks/, ({ result }) => result?.resultType === 'task' && (result.task = {})],
  ['a task without a time', /modern_tasks/, ({ result }) => result?.taskId && delete result.createdAt],
  ['a working task with a result', /modern_tasks/, ({ result }) => result?.status === 'working' && result.resultType === 'complete' && (result.result = {})],
  ['a cancelled task that says more', /modern_tasks/, ({ result }) => result && !result.taskId && !result.content && (result.status = 'cancelled')],
  ['a finished task without a result', /task_notices/, ({ params }) => params?.status === 'completed' && delete params.result],
  ['a finished task with a broken result', /task_notices/, ({ params }) => params?.status === 'completed' && (params.result.content = {})],
  ['a task of 2025-11-25 without a life time', /legacy_tasks/, ({ result }) => result?.task && delete result.task.ttl],
];
for (const [what, where, change] of corruptions) {
  test(`transcripts: the check notices ${what}`, { skip }, () => {
    const verdict = corrupt(where, change);
    assert.deepEqual(verdict.before, []);
    assert.equal(verdict.after.length, 1, verdict.after.join('\n'));
  });
}
