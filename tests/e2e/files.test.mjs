// The file tools and file resources through real clients, over HTTP and stdio.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, realpathSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { text } from './behaviours.mjs';
import { inspect } from './inspector.mjs';
import { openHttp, openStdio } from './sdk_v1.mjs';
import { eventually, startToolpost, temporaryDirectory, toolpost, within } from './servers.mjs';

const secret = 'a secret nobody inside may read';
const sha256 = (content) => createHash('sha256').update(content).digest('hex');

/** A folder with `roots/work` and `roots/library`, which is read-only, and `outside`. */
function makePlaces() {
  const directory = temporaryDirectory();
  const at = (...parts) => join(realpathSync(directory.path), ...parts);
  for (const folder of ['home', 'outside', 'roots/work', 'roots/library']) mkdirSync(at(folder), { recursive: true });
  writeFileSync(at('outside/secret.txt'), secret);
  writeFileSync(at('roots/library/book.txt'), 'to be read');
  const env = { TOOLPOST_FILES_ROOTS: at('roots/work'), TOOLPOST_FILES_READ_ONLY_ROOTS: at('roots/library') };
  return { at, env, cleanUp: directory.cleanUp };
}

const doors = {
  http: async ({ env }, setup = {}) => {
    const server = await startToolpost({ env });
    const session = await openHttp(server.url, setup);
    return { ...session, close: (t) => session.close(t).finally(() => server.stop()) };
  },
  stdio: ({ env }, setup = {}) => openStdio(toolpost(), { ...setup, env }),
};

for (const [door, open] of Object.entries(doors)) {
  describe(`files over ${door}`, () => {
    let places;
    let session;
    const updated = [];
    const at = (path) => places.at('roots/work', path);
    before(async () => {
      places = makePlaces();
      session = await open(places, { notifications: { 'notifications/resources/updated': ({ params }) => updated.push(params.uri) } });
    });
    after(async () => {
      await session?.close();
      places.cleanUp();
    });

    const call = (name, args, options) => session.call({ name, arguments: args }, options);
    const value = async (name, args) => {
      const result = await call(name, args);
      assert.ok(!result.isError, `${name}: ${text(result)}`);
      return result.structuredContent;
    };
    const refusal = async (name, args) => {
      const result = await call(name, args);
      assert.equal(result.isError, true, `${name} ${JSON.stringify(args)}: ${text(result)}`);
      return text(result);
    };

    test('PRD_US_003 a file from its creation to its end', async () => {
      const made = await value('file_write', { path: 'notes/day one.md', content: 'alpha\nbeta\n' });
      assert.deepEqual([made.size, made.replaced, made.sha256], [11, false, sha256('alpha\nbeta\n')]);
      assert.equal(readFileSync(at('notes/day one.md'), 'utf8'), 'alpha\nbeta\n');

      const read = await value('file_read', { path: 'notes/day one.md' });
      assert.deepEqual([read.content, read.encoding, read.size, read.sha256], ['alpha\nbeta\n', 'utf-8', 11, made.sha256]);
      assert.equal((await value('file_read', { path: at('notes/day one.md'), startLine: 2 })).content, 'beta\n');

      const edited = await value('file_edit', { path: 'notes/day one.md', edits: [{ oldText: 'beta', newText: 'gamma' }], ifMatch: made.sha256 });
      assert.equal(edited.diff, '@@ -1,2 +1,2 @@\n alpha\n-beta\n+gamma\n');
      assert.equal(readFileSync(at('notes/day one.md'), 'utf8'), 'alpha\ngamma\n');
      assert.match(await refusal('file_write', { path: 'notes/day one.md', content: 'lost', ifMatch: made.sha256 }), /changed|match/i);
      assert.equal(readFileSync(at('notes/day one.md'), 'utf8'), 'alpha\ngamma\n');

      await value('file_write', { path: 'notes/day one.md', content: 'delta\n', append: true });
      const found = await value('file_search', { pattern: '^D.l', regex: true, ignoreCase: true });
      assert.deepEqual(found.matches, [{ path: 'notes/day one.md', line: 3, text: 'delta' }]);

      const listed = await value('file_list', { path: '.', recursive: true });
      assert.deepEqual(listed.entries.map(({ name, type }) => [name, type]), [['notes', 'directory'], ['notes/day one.md', 'file']]);
      assert.equal(listed.total, 2);

      await value('file_move', { source: 'notes/day one.md', destination: 'old/kept.md' });
      assert.deepEqual([existsSync(at('notes/day one.md')), readFileSync(at('old/kept.md'), 'utf8')], [false, 'alpha\ngamma\ndelta\n']);
      const info = await value('file_info', { path: 'old/kept.md', digest: true });
      assert.deepEqual([info.type, info.size, info.sha256], ['file', 18, sha256('alpha\ngamma\ndelta\n')]);

      assert.match(await refusal('file_delete', { path: 'old' }), /recursive/);
      assert.deepEqual((await value('file_delete', { path: 'old', recursive: true, dryRun: true })).wouldDelete, ['old', 'old/kept.md']);
      assert.ok(existsSync(at('old/kept.md')));
      const gone = await value('file_delete', { path: 'old', recursive: true });
      assert.deepEqual([gone.deleted, gone.count], [true, 2]);
      assert.match(await refusal('file_read', { path: 'old/kept.md' }), /does not exist/);
      rmSync(at('notes'), { recursive: true });
    });

    test('PRD_FR_008_2 PRD_FR_009_3 bytes in base64 and hex, both ways', async () => {
      const bytes = Buffer.from([0, 255, 10, 13, 128]);
      for (const encoding of ['base64', 'hex']) {
        await value('file_write', { path: 'bytes', content: bytes.toString(encoding), encoding });
        assert.deepEqual(readFileSync(at('bytes')), bytes);
        assert.equal((await value('file_read', { path: 'bytes', encoding })).content, bytes.toString(encoding));
      }
      assert.match(await refusal('file_read', { path: 'bytes' }), /base64/);
      rmSync(at('bytes'));
    });

    test('a long file is read in parts that make up the whole', async () => {
      const whole = Array.from({ length: 20_000 }, (_, index) => `line ${index} äöü\n`).join('');
      writeFileSync(at('long.txt'), whole);
      const parts = [];
      for (let offset = 0; offset !== undefined;) {
        const part = await value('file_read', { path: 'long.txt', offset });
        parts.push(part.content);
        offset = part.nextOffset;
      }
      assert.ok(parts.length > 1);
      assert.equal(parts.join(''), whole);
      rmSync(at('long.txt'));
    });

    test('pages of a list make up the whole', async () => {
      for (let index = 0; index < 25; index += 1) writeFileSync(at(`page-${String(index).padStart(2, '0')}`), '');
      const names = [];
      let cursor;
      do {
        const page = await value('file_list', { path: '.', limit: 10, ...(cursor && { cursor }) });
        names.push(...page.entries.map(({ name }) => name));
        cursor = page.nextCursor;
      } while (cursor);
      assert.deepEqual(names, readdirSync(at('.')).sort());
      for (const name of names) rmSync(at(name));
    });

    test('PRD_NFR_022 no tool leaves its folders: not by dots, absolute paths, links, /proc or odd bytes', async () => {
      symlinkSync(places.at('outside'), at('door'));
      symlinkSync('../../outside/secret.txt', at('window'));
      writeFileSync(at('bait.txt'), 'bait');
      const outside = [
        '../../outside/secret.txt', 'x/../../../outside/secret.txt', places.at('outside/secret.txt'), 'door/secret.txt', 'window',
        '/etc/passwd', '/proc/self/environ', '/dev/null', `${at('.')}/../../outside/secret.txt`,
      ];
      for (const path of outside) {
        const calls = [
          ['file_read', { path }], ['file_read', { path, encoding: 'base64' }], ['file_edit', { path, edits: [{ oldText: 'secret', newText: 'x' }] }],
          ['file_write', { path, content: 'overwritten' }], ['file_write', { path, content: 'more', append: true }],
        ];
        // The link itself may be described, moved, replaced and deleted.
        if (path !== 'window') {
          calls.push(
            ['file_search', { path, pattern: 'secret' }], ['file_delete', { path }], ['file_info', { path }],
            ['file_move', { source: path, destination: 'stolen' }], ['file_move', { source: 'bait.txt', destination: path, overwrite: true }]);
        }
        for (const [name, args] of calls) {
          const message = await refusal(name, args);
          assert.ok(!message.includes(secret), message);
          if (!path.startsWith('/')) assert.ok(!message.includes(places.at('roots')), message);
        }
      }
      for (const path of ['..', '/', 'door', '../..', '/proc']) {
        assert.ok(!(await refusal('file_list', { path })).includes('secret.txt'));
        if (path !== 'door') await refusal('file_delete', { path, recursive: true });
      }
      for (const path of ['', 'a\0b', 'x'.repeat(5000)]) await refusal('file_read', { path });
      assert.deepEqual((await value('file_search', { pattern: 'secret' })).matches, []);
      const listed = await value('file_list', { path: '.', recursive: true });
      assert.deepEqual(listed.entries.map(({ name, type }) => [name, type]), [['bait.txt', 'file'], ['door', 'symlink'], ['window', 'symlink']]);
      // Deleting removes the link itself.
      await value('file_delete', { path: 'door', recursive: true });
      await value('file_delete', { path: 'window' });
      assert.equal(readFileSync(places.at('outside/secret.txt'), 'utf8'), secret);
      assert.deepEqual(readdirSync(places.at('outside')), ['secret.txt']);
      assert.equal(readFileSync(at('bait.txt'), 'utf8'), 'bait');
      rmSync(at('bait.txt'));
    });

    test('read-only folders, protected names, roots and FIFOs', async () => {
      const book = places.at('roots/library/book.txt');
      assert.equal((await value('file_read', { path: book })).content, 'to be read');
      for (const [name, args] of [
        ['file_write', { path: book, content: 'x' }], ['file_delete', { path: book }], ['file_move', { source: book, destination: 'mine' }],
        ['file_edit', { path: book, edits: [{ oldText: 'to', newText: 'x' }] }],
      ]) assert.match(await refusal(name, args), /may only read/);
      assert.equal(readFileSync(book, 'utf8'), 'to be read');

      for (const path of ['.git/hooks/pre-commit', '.git/config']) assert.match(await refusal('file_write', { path, content: 'x' }), /protected/);
      assert.ok(!existsSync(at('.git/hooks/pre-commit')) && !existsSync(at('.git/config')));
      assert.match(await refusal('file_delete', { path: '.', recursive: true }), /root/);

      execFileSync('mkfifo', [at('pipe')]);
      for (const [name, args] of [['file_read', { path: 'pipe' }], ['file_write', { path: 'pipe', content: 'x', append: true }]]) {
        await within(5_000, `${name} of a FIFO`, refusal(name, args));
      }
      const { roots } = await value('file_info', {});
      assert.deepEqual(roots, [{ path: at('.').replace(/\/\.?$/, ''), readOnly: false }, { path: places.at('roots/library'), readOnly: true }]);
      rmSync(at('pipe'));
      rmSync(at('.git'), { recursive: true, force: true });
    });

    test('what is replaced keeps its mode and is never half there', async () => {
      writeFileSync(at('script.sh'), 'old');
      chmodSync(at('script.sh'), 0o750);
      const contents = ['a'.repeat(100_000), 'b'.repeat(100_000)];
      const writes = Promise.all(Array.from({ length: 40 }, (_, index) => value('file_write', { path: 'script.sh', content: contents[index % 2] })));
      let done = false;
      writes.finally(() => (done = true)).catch(() => {});
      while (!done) {
        const seen = readFileSync(at('script.sh'), 'utf8');
        assert.ok(seen === 'old' || contents.includes(seen), `${seen.length} bytes`);
        await new Promise(setImmediate);
      }
      await writes;
      assert.equal(statSync(at('script.sh')).mode & 0o777, 0o750);
      assert.deepEqual(readdirSync(at('.')), ['script.sh']);
      rmSync(at('script.sh'));
    });

    test('files are resources: read, subscribe, change, replace, unsubscribe', async () => {
      const { resourceTemplates } = await session.client.listResourceTemplates();
      assert.ok(resourceTemplates.some(({ uriTemplate }) => uriTemplate.startsWith('file:///')), JSON.stringify(resourceTemplates));
      writeFileSync(at('watched ä.txt'), 'first');
      const uri = pathToFileURL(at('watched ä.txt')).href;
      assert.equal((await session.client.readResource({ uri })).contents[0].text, 'first');
      await session.client.subscribeResource({ uri });

      const heard = async (what, change) => {
        const before = updated.length;
        await change();
        await eventually(what, () => updated.length > before);
        assert.equal(updated.at(-1), uri);
      };
      await heard('a change from outside', () => writeFileSync(at('watched ä.txt'), 'second'));
      await heard('a change by a tool', () => value('file_write', { path: 'watched ä.txt', content: 'third' }));
      await heard('a file moved in its place', () => {
        writeFileSync(at('other'), 'fourth');
        renameSync(at('other'), at('watched ä.txt'));
      });
      assert.equal((await session.client.readResource({ uri })).contents[0].text, 'fourth');

      await session.client.unsubscribeResource({ uri });
      const other = pathToFileURL(at('second.txt')).href;
      writeFileSync(at('second.txt'), '1');
      await session.client.subscribeResource({ uri: other });
      const before = updated.length;
      writeFileSync(at('watched ä.txt'), 'unheard');
      writeFileSync(at('second.txt'), '2');
      await eventually('the other file', () => updated.slice(before).includes(other));
      assert.ok(!updated.slice(before).includes(uri));
      for (const name of ['watched ä.txt', 'second.txt']) rmSync(at(name));
    });

    test('resources outside are neither read nor watched', async () => {
      mkdirSync(at('exit'));
      symlinkSync(places.at('outside/secret.txt'), at('exit/way out'));
      const refused = [places.at('outside/secret.txt'), '/etc/passwd', '/proc/self/environ'].map((path) => pathToFileURL(path).href);
      const link = pathToFileURL(at('exit/way out')).href;
      for (const uri of [...refused, link]) {
        await assert.rejects(session.client.readResource({ uri }), (error) => !error.message.includes(secret));
      }
      for (const uri of refused) await assert.rejects(session.client.subscribeResource({ uri }));
      // A name inside may be watched, but not what it leads to.
      const inside = pathToFileURL(at('exit/inside.txt')).href;
      for (const uri of [link, inside]) await session.client.subscribeResource({ uri });
      const before = updated.length;
      writeFileSync(places.at('outside/secret.txt'), secret);
      writeFileSync(at('exit/inside.txt'), 'news');
      await eventually('the file inside', () => updated.slice(before).includes(inside));
      assert.ok(!updated.slice(before).includes(link));
      await assert.rejects(session.client.readResource({ uri: `${pathToFileURL(at('.')).href}/%2e%2e/%2e%2e/outside/secret.txt` }));
      rmSync(at('exit'), { recursive: true });
    });

    test('a cancelled search ends and the next call is served', async () => {
      mkdirSync(at('many'));
      const block = `${'no such thing '.repeat(5_000)}\n`.repeat(16);
      for (let index = 0; index < 60; index += 1) writeFileSync(at(`many/${index}`), block);
      const abort = new AbortController();
      let seen = 0;
      const outcome = call('file_search', { pattern: '(n|o)+ (s|u|c|h)+ (t|h|i|n|g)+ x', regex: true }, {
        signal: abort.signal,
        onprogress: () => {
          seen += 1;
          abort.abort('enough');
        },
      });
      const result = await outcome.catch((error) => error);
      // A fast machine may be done before the first progress is due.
      if (seen > 0) assert.ok(result instanceof Error, JSON.stringify(result));
      assert.equal((await value('file_list', { path: 'many' })).total, 60);
      rmSync(at('many'), { recursive: true });
    });

    test('every message fits the schema of its revision', async (t) => {
      await session.close(t);
      session = undefined;
    });
  });
}

test('files: a door or a configuration without the tool has no file resources', async (t) => {
  const places = makePlaces();
  const config = places.at('home/toolpost.toml');
  writeFileSync(config, '');
  const server = await startToolpost({ env: places.env, args: ['--config', config], directory: places.at('home') });
  let changes = 0;
  const open = (path, setup) => openHttp(server.origin + path, setup);
  const whole = await open('/mcp', { notifications: { 'notifications/resources/list_changed': () => (changes += 1) } });
  const system = await open('/mcp/x/system');
  const book = { uri: pathToFileURL(places.at('roots/library/book.txt')).href };
  const templates = async ({ client }) => (await client.listResourceTemplates()).resourceTemplates.map((entry) => entry.uriTemplate);
  const hidden = (session) => assert.rejects(session.client.readResource(book), { code: -32002 });
  try {
    assert.equal((await whole.client.readResource(book)).contents[0].text, 'to be read');
    assert.deepEqual(await templates(system), []);
    assert.deepEqual((await system.client.listResources()).resources, []);
    assert.deepEqual((await system.client.listPrompts()).prompts, []);
    await hidden(system);
    await assert.rejects(system.client.subscribeResource(book), { code: -32002 });

    writeFileSync(config, '[tools]\ntoolsets = ["system"]\n');
    await eventually('news of other resources', () => changes > 0);
    assert.deepEqual(await templates(whole), []);
    await hidden(whole);
    writeFileSync(config, '[tools]\nexclude = ["file/read"]\n');
    await eventually('the other templates', async () => (await templates(whole)).length > 0);
    assert.ok(!(await templates(whole)).some((uri) => uri.startsWith('file:')));
    await hidden(whole);
  } finally {
    await whole.close(t);
    await system.close(t);
    await server.stop();
    places.cleanUp();
  }
});

describe('files with Inspector', () => {
  let places;
  let server;
  const format = ['--format', 'json', '-q'];
  before(async () => {
    places = makePlaces();
    server = await startToolpost({ env: places.env });
  });
  after(async () => {
    await server?.stop();
    places.cleanUp();
  });
  const asks = {
    http: (args) => inspect(places.at('home'), [server.url, '--transport', 'http', ...args, ...format]),
    stdio: (args) => inspect(places.at('home'), [...args, ...format, '--', toolpost(), 'stdio', '--files-roots', places.at('roots/work')]),
  };
  for (const [door, ask] of Object.entries(asks)) {
    test(`inspector ${door}: writes and reads`, async () => {
      const callOf = (name, args) => ask(['--method', 'tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(args)]);
      await callOf('file_write', { path: `${door}.txt`, content: 'by inspector' });
      assert.equal(readFileSync(places.at('roots/work', `${door}.txt`), 'utf8'), 'by inspector');
      const read = await callOf('file_read', { path: `${door}.txt` });
      assert.equal(read.structuredContent.content, 'by inspector');
      const resource = await ask(['--method', 'resources/read', '--uri', pathToFileURL(places.at('roots/work', `${door}.txt`)).href]);
      assert.equal(resource.contents[0].text, 'by inspector');
    });
  }
});
