// A PostgreSQL cluster of one test, reached by its own socket; run by the user postgres where the tests run as root.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { eventually, temporaryDirectory, within } from './servers.mjs';

const root = '/usr/lib/postgresql';

function findPrograms() {
  const versions = existsSync(root) ? readdirSync(root).filter((version) => existsSync(join(root, version, 'bin', 'initdb'))) : [];
  if (versions.length === 0) throw new Error('install the Debian package postgresql');
  return join(root, versions.sort((a, b) => b - a)[0], 'bin');
}

function serverUser() {
  if (process.getuid() !== 0) return {};
  const id = (flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** Starts it: `{url, stop}`. */
export async function startPostgres() {
  const programs = findPrograms();
  const user = serverUser();
  const directory = temporaryDirectory();
  if (user.uid !== undefined) chownSync(directory.path, user.uid, user.gid);
  const data = join(directory.path, 'data');
  const options = { ...user, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] };
  execFileSync(join(programs, 'initdb'), ['-D', data, '-U', 'toolpost', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'], options);
  const server = spawn(
    join(programs, 'postgres'), ['-D', data, '-k', directory.path, '-c', 'listen_addresses=', '-c', 'fsync=off'],
    { ...options, stdio: 'ignore' });
  const ended = once(server, 'exit');
  const stop = async () => {
    server.kill('SIGINT');
    await within(30_000, 'the end of PostgreSQL', ended);
    directory.cleanUp();
  };
  try {
    const ready = () => spawnSync(join(programs, 'pg_isready'), ['-q', '-h', directory.path]).status === 0;
    await eventually('PostgreSQL', ready, 60_000);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: `postgresql://toolpost@/postgres?host=${encodeURIComponent(directory.path)}`, stop };
}
