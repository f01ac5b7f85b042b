// node stdio_tap.mjs LOG COMMAND [ARGUMENT …]: runs COMMAND on our standard streams and appends every line to LOG, "> " for
// what the client sent and "< " for what the server answered.
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';

const [log, command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });

function tap(source, sink, mark) {
  let rest = '';
  source.setEncoding('utf8');
  source.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      appendFileSync(log, `${mark} ${line}\n`);
      sink.write(`${line}\n`);
    }
  });
  source.on('end', () => {
    if (rest) appendFileSync(log, `${mark} ${rest}\n`);
    sink.end?.(rest);
  });
}

tap(process.stdin, child.stdin, '>');
tap(child.stdout, process.stdout, '<');
child.stdin.on('error', () => {});
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal ? 1 : 0);
  process.stdin.destroy();
});
