// Debian's promtool and a Prometheus of one test.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { eventually, temporaryDirectory, within } from './servers.mjs';

/** Runs promtool: `{code, text}`. */
export function promtool(args, input) {
  const { status, stdout, stderr, error } = spawnSync('promtool', args, { input, encoding: 'utf8' });
  if (error) throw new Error(`install the Debian package prometheus: ${error.message}`);
  return { code: status, text: stdout + stderr };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts a Prometheus that scrapes `origin` every second: `query` gives the result of an expression, `get` of the HTTP API. */
export async function startPrometheus(origin, { token, rules = [] } = {}) {
  const { path, cleanUp } = temporaryDirectory();
  const port = await freePort();
  const target = new URL(origin).host;
  writeFileSync(join(path, 'prometheus.yml'), JSON.stringify({
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: rules,
    scrape_configs: [{
      job_name: 'toolpost', static_configs: [{ targets: [target] }],
      ...(token && { authorization: { credentials: token } }),
    }],
  }));
  const args = [`--config.file=${join(path, 'prometheus.yml')}`, `--storage.tsdb.path=${join(path, 'data')}`, `--web.listen-address=127.0.0.1:${port}`];
  const child = spawn('prometheus', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (chunk) => (log += chunk));
  const stop = async () => {
    const ended = child.exitCode === null ? once(child, 'exit') : undefined;
    child.kill('SIGTERM');
    await within(30_000, 'the end of Prometheus', ended).finally(cleanUp);
  };
  const get = async (what) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/${what}`);
    return response.json();
  };
  const query = async (expression) => {
    const { status, error, data } = await get(`query?query=${encodeURIComponent(expression)}`);
    if (status !== 'success') throw new Error(`${expression}: ${error}`);
    return data.result;
  };
  try {
    const ready = () => fetch(`http://127.0.0.1:${port}/-/ready`).then(({ ok }) => ok, () => child.exitCode !== null);
    await eventually('Prometheus', ready, 60_000);
    if (child.exitCode !== null) throw new Error(log);
  } catch (error) {
    await stop();
    throw error;
  }
  return { query, get, stop };
}
