// The types package: compiled with tsc --strict, the same as the running server gives, and its README example compiled and run.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { bearer } from './callers.mjs';
import { runToolpost, startToolpost, temporaryDirectory } from './servers.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const types = join(here, '../../types');
const master = 'mk-4f9c1e77-a2d8-43b6-9d15';
const options = ['--strict', '--noEmit', '--target', 'es2022', '--module', 'nodenext', '--moduleResolution', 'nodenext',
  '--skipLibCheck', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--types', 'node'];
let project;
let server;
before(async () => {
  project = temporaryDirectory();
  // A project with the package installed.
  const modules = join(project.path, 'node_modules');
  mkdirSync(join(modules, '@toolpost'), { recursive: true });
  cpSync(types, join(modules, '@toolpost/client-types'), { recursive: true });
  for (const name of ['@trpc', '@types', 'undici-types']) symlinkSync(join(here, 'node_modules', name), join(modules, name));
  writeFileSync(join(project.path, 'package.json'), '{"type":"module"}');
  server = await startToolpost({ env: { MSSQL_MCP_API_KEY: master } });
});
after(async () => {
  await server?.stop();
  project.cleanUp();
});

const node = (args, env = {}) => promisify(execFile)(process.execPath, args, { cwd: project.path, env: { ...process.env, ...env } });
const compile = (...files) => node([join(here, 'node_modules/typescript/bin/tsc'), ...options, '--preserveSymlinks', ...files])
  .catch((error) => assert.fail(error.stdout || error.stderr));

test('PRD_G5 PRD_NFR_028 the types compile strictly, and wrong calls do not', async () => {
  cpSync(join(here, 'trpc_types/router.ts'), join(project.path, 'router.ts'));
  // As a module of its own, or it would count as somebody else's declarations and not be checked.
  cpSync(join(types, 'index.d.ts'), join(project.path, 'declarations.ts'));
  await compile('router.ts', 'declarations.ts');
});

test('a server gives the types of what it offers', async () => {
  const response = await fetch(`${server.origin}/trpc/types.d.ts`, { headers: bearer(master) });
  assert.equal(response.status, 200);
  assert.equal(await response.text(), readFileSync(join(types, 'index.d.ts'), 'utf8'));
  assert.equal((await fetch(`${server.origin}/trpc/types.d.ts`)).status, 401);
  const { code, out } = await runToolpost(['tools', '--types', '--toolset', 'file'], { directory: project.path });
  assert.equal(code, 0);
  assert.match(out, /FileContent/);
  assert.doesNotMatch(out, /ShellResult/);
  writeFileSync(join(project.path, 'files.ts'), out);
  await compile('files.ts');
});

test('the example of the README compiles and runs', async () => {
  const [, example] = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(types, 'README.md'), 'utf8'));
  writeFileSync(join(project.path, 'example.ts'), example);
  await compile('example.ts');
  const { stdout } = await node(['--preserve-symlinks', '--experimental-strip-types', '--no-warnings', 'example.ts'],
    { TOOLPOST_URL: server.origin, TOOLPOST_KEY: master });
  assert.match(stdout, /^healthy \d+ 5 true [\d.]+\n$/);
});
