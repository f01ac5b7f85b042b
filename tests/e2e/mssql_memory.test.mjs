// A value of 50 MB, of which a caller wants little: the driver keeps one copy of it, and the server no other.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';

import { callTool } from './callers.mjs';
import { startToolpost, temporaryDirectory } from './servers.mjs';
import { full, scriptOf } from './sql_server_replies.mjs';
import { startTdsServer } from './tds_server.mjs';

const bytes = 50_000_000;
const slackKiB = 16 * 1024;
const largeQuery = 'SELECT large FROM t';
const smallQuery = 'SELECT small FROM t';

// Not the program under AddressSanitizer, whose allocator copies where others move.
const release = process.env.TOOLPOST_RELEASE_BIN ?? '';
const skip = existsSync(release) ? false : 'the release build is not there: cmake --preset release && cmake --build --preset release';

let directory;
let tds;
let server;
before(async () => {
  if (skip) return;
  directory = temporaryDirectory();
  const large = [{ columns: [{ name: 'id', type: 'int' }, { name: 'blob', type: 'varbinary(max)' }], rows: [[1, { repeat: '0x0123456789', times: bytes / 5 }]] }];
  const small = [{ columns: [{ name: 'id', type: 'int' }], rows: [[1]] }];
  const script = scriptOf(full);
  for (const [text, steps] of [[largeQuery, large], [smallQuery, small]]) {
    script.rules.unshift({ parameters: { 1: text }, steps }, { text, steps });
  }
  tds = await startTdsServer(script);
  server = await startToolpost({ directory: directory.path, program: release, env: {
    TOOLPOST_MSSQL_CONNECTION_STRING: `Server=127.0.0.1,${tds.port};Database=shop;User Id=reader;Password=example;Encrypt=false`,
  } });
});
after(async () => {
  await server?.stop();
  await tds?.stop();
  directory?.cleanUp();
});

const kibibytes = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))[1]);

const query = async (text, args) => {
  const { body } = await callTool(`${server.origin}/rpc`, 'ExecuteQuery', { query: text, ...args });
  assert.equal(body.result?.isError, false, JSON.stringify(body).slice(0, 500));
  return body.result.structuredContent;
};

test('a value of 50 MB takes at most 16 MiB more than the driver needs for it', { skip }, async (context) => {
  const driver = JSON.parse(execFileSync(process.env.TOOLPOST_DRIVER_MEMORY, [String(tds.port), smallQuery, largeQuery],
    { encoding: 'utf8' }));
  assert.equal(driver.bytes, bytes);
  await query(smallQuery);
  writeFileSync(`/proc/${server.pid}/clear_refs`, '5'); // the peak begins anew
  const before = kibibytes('VmRSS');
  const data = await query(largeQuery, { maxBytes: 10_000 });
  const grownKiB = kibibytes('VmHWM') - before;
  context.diagnostic(`the driver alone: ${driver.grownKiB} KiB, the server: ${grownKiB} KiB`);
  assert.ok(data.cutValues === 1 || data.truncated, JSON.stringify(data).slice(0, 500));
  assert.ok(grownKiB <= driver.grownKiB + slackKiB, `${grownKiB} KiB, and the driver alone needs ${driver.grownKiB} KiB`);
});
