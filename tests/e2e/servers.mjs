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
  const exited = once(child, 'close');
  child.kill('SIGTERM');
  const [code] = await within(15_000, 'exit after SIGTERM', exited).catch((error) => {
    child.kill('SIGKILL');
    throw error;
  });
  return code;
}

async function kill(child) {
  const exited = once(child, 'close');
  child.kill('SIGKILL');
  await within(15_000, 'the end after SIGKILL', exited);
}

// Starts a server that names its address on one of its streams: `{url, origin, pid, log, stop, kill}`; `log` gives what it wrote so far, `stop`
// the exit code.
async function start(program, args, options) {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const lines = [];
  const address = new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line);
        const url = /listening on (https?:\S+\/mcp)/.exec(line)?.[1];
        if (url) resolve(url);
      });
    }
    child.on('error', reject);
    child.on('close', (code) => reject(new Error(`${program} ended with ${code}\n${lines.join('\n')}`)));
  });
  try {
    const url = await within(20_000, 'the line that names the address', address);
    return { url, origin: new URL(url).origin, pid: child.pid, log: () => lines.join('\n'), stop: () => stop(child), kill: () => kill(child) };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

/** The fixture server on a free port. */
export function startConformanceServer(env = {}) {
  return start(conformanceServer(), [], { env: { ...process.env, MCP_HOST: '127.0.0.1', MCP_PORT: '0', ...env } });
}

/** The variables of this run without settings of toolpost, so that a test has only its own. */
export function cleanEnvironment() {
  const ours = /^(TOOLPOST|MCP|MSSQL_MCP|OTEL)_|^(XDG_CONFIG_HOME|XDG_STATE_HOME|DATABASE_URL)$/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)));
}

/**
 * `toolpost serve` on a free port; without `directory` with a state directory of its own, which goes when it stops. `around` is a command that
 * becomes the server it is given, `program` another build than the one under test.
 */
export async function startToolpost({ env = {}, args = [], directory, around = [], program: binary = toolpost() } = {}) {
  const own = directory ? undefined : temporaryDirectory();
  const state = directory ?? own.path;
  const all = { ...cleanEnvironment(), MCP_PORT: '0', TOOLPOST_STATE_DIR: state, ...env };
  try {
    const [program, ...rest] = [...around, binary, 'serve', ...args];
    const server = await start(program, rest, { cwd: state, env: all });
    return { ...server, stop: () => server.stop().finally(() => own?.cleanUp()), kill: () => server.kill().finally(() => own?.cleanUp()) };
  } catch (error) {
    own?.cleanUp();
    throw error;
  }
}

/** Runs `toolpost` to its end: `{code, out, err}`. `input` is what it reads; `null` leaves its input open until it ends. */
export async function runToolpost(args, { env = {}, directory, input = '' } = {}) {
  const all = { ...cleanEnvironment(), TOOLPOST_STATE_DIR: directory, ...env };
  const child = spawn(toolpost(), args, { cwd: directory, env: all });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (err += chunk));
  child.stdin.on('error', () => {});
  if (input !== null) child.stdin.end(input);
  const [code] = await within(30_000, `toolpost ${args[0]}`, once(child, 'close')).catch((error) => {
    child.kill('SIGKILL');
    throw error;
  });
  return { code, out, err };
}

/** What `probe` gives as soon as that is truthy. */
export async function eventually(what, probe, ms = 10_000) {
  const deadline = Date.now() + ms;
  for (;;) {
    const value = await probe();
    if (value) return value;
    if (Date.now() > deadline) throw new Error(`${what}: not within ${ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
