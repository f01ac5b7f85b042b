// The same router on the real @trpc/server: what it answers is what we have to answer. Its procedures ask the server under test for
// their data, so that only the wire differs.
import { initTRPC, TRPCError } from '@trpc/server';
import { createHTTPServer } from '@trpc/server/adapters/standalone';
import { once } from 'node:events';
import { z } from 'zod';

import { bearer, rpc } from './callers.mjs';

const kinds = ['toolRegistered', 'toolUnregistered', 'toolExecuted', 'sessionOpened', 'sessionClosed'];

/** The mirror of the server at `origin`, for the holder of `key`: `{origin, stop}`. */
export async function startMirror(origin, key) {
  const t = initTRPC.context().create({
    isDev: false,
    sse: { client: { reconnectAfterInactivityMs: 30_000 }, ping: { enabled: true, intervalMs: 10_000 } },
  });
  const known = t.procedure.use(({ ctx, next }) => {
    if (ctx.authorization !== `Bearer ${key}`) throw new TRPCError({ code: 'UNAUTHORIZED' });
    return next();
  });
  const ask = async (tool, args) => {
    const { body } = await rpc(`${origin}/rpc`, tool, args, bearer(key));
    if (!body.error) return body.result;
    const message = body.error.message.replace(/^Failed to execute tool \S+: /, '');
    throw new TRPCError({ code: body.error.code === -32602 ? 'BAD_REQUEST' : 'NOT_FOUND', message });
  };
  const tool = (name, input) => known.input(input).query(({ input: args }) => ask(name, args ?? {}));
  const doing = (name, input) => known.input(input).mutation(({ input: args }) => ask(name, args ?? {}));
  const path = z.string();
  const router = t.router({
    mcp: t.router({
      status: known.query(() => ask('system/health', {})),
      listTools: known.input(z.strictObject({ category: z.string().optional() }).optional())
        .query(({ input }) => ask('system/tools', { ...input, schemas: true })),
      executeTool: known.input(z.strictObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()).optional() }))
        .mutation(async ({ input }) => {
          if (!/^[a-z][a-z0-9-]*\/[A-Za-z][\w-]*$|^[A-Za-z]+_[\w-]+$/.test(input.name)) throw new TRPCError({ code: 'BAD_REQUEST' });
          return { success: true, result: await ask(input.name, input.arguments ?? {}), executionTime: 1 };
        }),
      file: t.router({
        read: tool('file/read', z.strictObject({ path, encoding: z.enum(['utf-8', 'base64', 'hex']).optional() })),
        list: tool('file/list', z.strictObject({ path, recursive: z.boolean().optional() })),
        write: doing('file/write', z.strictObject({ path, content: z.string() })),
      }),
      database: t.router({ tables: tool('database/tables', z.strictObject({ schema: z.string().optional() }).optional()) }),
      events: known.input(z.strictObject({ types: z.array(z.enum(kinds)).optional(), lastEventId: z.string().optional() }).optional())
        .subscription(async function* events({ signal }) {
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          yield undefined;
        }),
    }),
  });
  const server = createHTTPServer({
    router, basePath: '/trpc/', allowMethodOverride: true, maxBatchSize: 256,
    createContext: ({ req }) => ({ authorization: req.headers.authorization }),
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
