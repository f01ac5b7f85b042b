// The scripted TDS server (../support/tds_server) as a child process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { temporaryDirectory, within } from './servers.mjs';

/** Starts it with a script (an object): `{port, received, stop}`. `received()` is everything that clients sent so far. */
export async function startTdsServer(script) {
  const program = process.env.TOOLPOST_TDS_SERVER;
  if (!program) throw new Error('set TOOLPOST_TDS_SERVER to the path of the built tds_server');
  const files = temporaryDirectory();
  const record = join(files.path, 'record.jsonl');
  writeFileSync(join(files.path, 'script.json'), JSON.stringify(script));
  const child = spawn(program, [join(files.path, 'script.json'), '--record', record], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'close');
  const [line] = await within(20_000, 'port of tds_server', once(createInterface(child.stdout), 'line'));
  return {
    port: Number(line.split(' ')[1]),
    received: () => (existsSync(record) ? readFileSync(record, 'utf8').trimEnd().split('\n').map((text) => JSON.parse(text)) : []),
    async stop() {
      child.stdin.end();
      const [code] = await within(15_000, 'the end of tds_server', exited);
      files.cleanUp();
      return code;
    },
  };
}
