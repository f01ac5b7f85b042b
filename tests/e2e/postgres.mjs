// A PostgreSQL cluster of one test, reached by its own socket; run by the user postgres where the tests run as root.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, closeSync, existsSync, openSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { eventually, temporaryDirectory, within } from './servers.mjs';

const root = '/usr/lib/postgresql';
const usual = 5432;

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

// One server process on the cluster: `{log, halt}`. It is ready.
async function run(programs, directory, port, settings, options) {
  const listen = port === undefined ? '' : '127.0.0.1';
  const args = ['-D', join(directory, 'data'), '-k', directory, '-p', `${port ?? usual}`, '-c', `listen_addresses=${listen}`, '-c', 'fsync=off'];
  // Into a file: nobody reads a pipe while this process waits for psql, and a server that cannot write its log answers nobody.
  const file = join(directory, 'log');
  const log = openSync(file, 'w');
  const server = spawn(
    join(programs, 'postgres'), [...args, ...settings.flatMap((setting) => ['-c', setting])], { ...options, stdio: ['ignore', 'ignore', log] });
  closeSync(log);
  const ended = once(server, 'exit');
  const halt = async () => {
    server.kill('SIGINT');
    await within(30_000, 'the end of PostgreSQL', ended);
  };
  try {
    const ready = () => spawnSync(join(programs, 'pg_isready'), ['-q', '-h', directory, '-p', `${port ?? usual}`]).status === 0;
    await eventually('PostgreSQL', ready, 60_000);
  } catch (error) {
    await halt();
    throw error;
  }
  return { log: () => readFileSync(file, 'utf8'), halt };
}

/**
 * Starts it: `url` of a superuser, `log` gives what it wrote since it last started, `halt` and `resume` stop and start it, `stop` ends it for
 * good. `settings` are of postgresql.conf; `files`, texts by name, are put beside its data folder; with a `port` it also listens on loopback.
 */
export async function startPostgres({ settings = [], files = {}, port } = {}) {
  const programs = findPrograms();
  const user = serverUser();
  const { path, cleanUp } = temporaryDirectory();
  if (user.uid !== undefined) chownSync(path, user.uid, user.gid);
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(path, name), content, { mode: 0o600 });
    if (user.uid !== undefined) chownSync(join(path, name), user.uid, user.gid);
  }
  const options = { ...user, cwd: '/' };
  const initdb = ['-D', join(path, 'data'), '-U', 'toolpost', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'];
  execFileSync(join(programs, 'initdb'), initdb, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  const urlOf = (role, database) => `postgresql://${role}@/${database}?host=${encodeURIComponent(path)}&port=${port ?? usual}`;
  const start = () => run(programs, path, port, settings, options).catch((error) => {
    cleanUp();
    throw error;
  });
  let server = await start();

  /** Runs statements, as superuser unless told otherwise: the rows, their columns joined by `|`. */
  const query = (sql, database = 'postgres', role = 'toolpost') => {
    const flags = ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1'];
    const text = execFileSync(join(programs, 'psql'), [...flags, '-d', urlOf(role, database), '-c', sql], { encoding: 'utf8' });
    return text.split('\n').filter(Boolean);
  };
  return {
    url: urlOf('toolpost', 'postgres'),
    query,
    /** A database that belongs to a role of the same name without special rights: its URL. */
    createDatabase: (name) => {
      query(`CREATE ROLE ${name} LOGIN`);
      query(`CREATE DATABASE ${name} OWNER ${name}`);
      return urlOf(name, name);
    },
    log: () => server.log(),
    halt: () => server.halt(),
    resume: async () => {
      server = await start();
    },
    stop: async () => {
      await server.halt();
      cleanUp();
    },
  };
}
