// Runs MCP Inspector on the command line.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { cleanEnvironment, within } from './servers.mjs';

const inspector = fileURLToPath(
  new URL('node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js', import.meta.url),
);

/** To its end: `{code, stdout, stderr}`. `home` is a directory of this test; a server that it starts keeps its state there. */
export async function runInspector(home, args, env = {}) {
  const child = spawn(process.execPath, [inspector, '--cli', ...args], {
    env: { ...cleanEnvironment(), HOME: home, TOOLPOST_STATE_DIR: home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (chunk) => (output[name] += chunk));
  try {
    const [code] = await within(30_000, `inspector ${args.join(' ')}`, once(child, 'close'));
    return { code, ...output };
  } finally {
    child.kill('SIGKILL');
  }
}

/** The result it prints, with `--format json -q` among the arguments. */
export async function inspect(home, args, env) {
  const { code, stdout, stderr } = await runInspector(home, args, env);
  assert.equal(code, 0, stderr + stdout);
  return JSON.parse(stdout).result;
}
