// Starts the programs under test and stops them again.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

function required(name) {
  const value = process.env[name];
  if (!value) throw new Error(`set ${name} to the path of the built program`);
  return value;
}

export const toolpost = () => required('TOOLPOST_BIN');
export const conformanceServer = () => required('TOOLPOST_CONFORMANCE_SERVER');
export const transcriptTests = () => required('TOOLPOST_TRANSCRIPT_TESTS');

/** A directory of this test run, removed by `cleanUp`. */
export function temporaryDirectory() {
  const path = mkdtempSync(join(tmpdir(), 'toolpost-e2e-'));
  return { path, cleanUp: () => rmSync(path, { recursive: true, force: true }) };
}

/** Rejects when `promise` takes longer than `ms`. */
export async function within(ms, what, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: nothing within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const [code] = await within(15_000, 'exit after SIGTERM', exited).catch((error) => {
    child.kill('SIGKILL');
    throw error;
  });
  return code;
}

// Starts a server that names its address on one of its streams: `{url, origin, stop}`; `stop` gives the exit code.
async function start(program, args, options) {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const address = new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        const url = /listening on (http:\S+\/mcp)/.exec(line)?.[1];
        if (url) resolve(url);
      });
    }
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`${program} ended with ${code}`)));
  });
  try {
    const url = await within(20_000, 'the line that names the address', address);
    return { url, origin: new URL(url).origin, stop: () => stop(child) };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

/** The fixture server on a free port. */
export function startConformanceServer(env = {}) {
  return start(conformanceServer(), [], { env: { ...process.env, MCP_HOST: '127.0.0.1', MCP_PORT: '0', ...env } });
}

/** `toolpost serve` on a free port, with a state directory of its own. */
export async function startToolpost() {
  const state = temporaryDirectory();
  const env = { ...process.env, MCP_PORT: '0', TOOLPOST_STATE_DIR: state.path };
  const server = await start(toolpost(), ['serve'], { cwd: state.path, env });
  return { ...server, stop: () => server.stop().finally(state.cleanUp) };
}
