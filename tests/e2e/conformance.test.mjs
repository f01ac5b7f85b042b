// The official conformance suites, both published lines. Results are read from the files they write: an exit code alone does
// not show warnings, skipped scenarios or a run that did nothing.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { startTap } from './http_tap.mjs';
import { startConformanceServer, temporaryDirectory, within } from './servers.mjs';

// Nothing to observe there yet, or an extension we do not offer: skipped by the suite itself.
const skippedBySuite = new Set([
  'tasks-status-notifications',
  'sep-2640-skills-directory', 'sep-2640-skills-enumeration', 'sep-2640-skills-manifest',
]);

let server;
before(async () => {
  server = await startTap(await startConformanceServer());
});
after(async () => {
  assert.equal(await server.stop(), 0);
});

/** Runs one suite and gives its checks by scenario. */
async function run(line, args) {
  const output = temporaryDirectory();
  const program = fileURLToPath(new URL(`node_modules/conformance-${line}/dist/index.js`, import.meta.url));
  const child = spawn(
    process.execPath,
    [program, 'server', '--url', server.url.replace('127.0.0.1', 'localhost'), ...args, '-o', output.path],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk) => (text += chunk));
  try {
    const [code] = await within(200_000, `conformance ${args.join(' ')}`, once(child, 'close'));
    const scenarios = new Map();
    for (const folder of readdirSync(output.path)) {
      const name = folder.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '');
      scenarios.set(name, JSON.parse(readFileSync(join(output.path, folder, 'checks.json'), 'utf8')));
    }
    return { code, scenarios, text };
  } finally {
    child.kill('SIGKILL');
    output.cleanUp();
  }
}

function assertClean({ code, scenarios, text }, { count }) {
  const problems = [];
  for (const [name, checks] of scenarios) {
    for (const check of checks) {
      if (check.status === 'FAILURE' || check.status === 'WARNING') {
        problems.push(`${name}: ${check.status} ${check.id}: ${check.errorMessage} ${JSON.stringify(check.details ?? {})}`);
      }
    }
    const passed = checks.some((check) => check.status === 'SUCCESS' && check.id !== 'wire-schema-valid');
    if (!passed && !skippedBySuite.has(name)) problems.push(`${name}: nothing passed`);
  }
  assert.deepEqual(problems, []);
  assert.equal(code, 0, text.slice(-2_000));
  assert.equal(scenarios.size, count, [...scenarios.keys()].join());
}

test('conformance 0.2: everything 2025-11-25 requires', async () => {
  assertClean(await run('0.2', ['--requirements', '2025-11-25']), { count: 33 });
});

test('conformance 0.2: everything 2026-07-28 requires', async () => {
  assertClean(await run('0.2', ['--requirements', '2026-07-28']), { count: 50 });
});

test('conformance 0.2: suite active', async () => {
  assertClean(await run('0.2', ['--suite', 'active']), { count: 31 });
});

test('conformance 0.2: suite draft', async () => {
  assertClean(await run('0.2', ['--suite', 'draft']), { count: 19 });
});

test('conformance 0.2: suite pending, with Tasks', async () => {
  assertClean(await run('0.2', ['--suite', 'pending']), { count: 17 });
});

test('conformance 0.2: older revisions', async () => {
  assertClean(await run('0.2', ['--suite', 'all', '--spec-version', '2025-06-18']), { count: 27 });
  assertClean(await run('0.2', ['--suite', 'all', '--spec-version', '2025-03-26']), { count: 1 });
});

test('conformance 0.1: suite all', async () => {
  assertClean(await run('0.1', ['--suite', 'all']), { count: 32 });
});

test('conformance: every message the suites caused fits the schema of its revision', (t) => server.verify(t));
