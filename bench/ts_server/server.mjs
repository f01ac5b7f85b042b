// The peer: an echo tool on the official TypeScript SDK, its fastest set-up for each era.
//   node server.mjs legacy PORT   SDK 1.x, Streamable HTTP with sessions, SSE replies (the default)
//   node server.mjs modern PORT   SDK 2.x, 2026-07-28, stateless
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import * as z from 'zod';

const [mode, port] = process.argv.slice(2);
const info = { name: 'typescript-echo', version: '1.0.0' };
const tool = {
  description: 'Returns the message it was given.',
  inputSchema: z.object({ message: z.string().max(1000) }),
};
const echo = async ({ message }) => ({ content: [{ type: 'text', text: message }] });

async function legacyHandler() {
  const { McpServer } = await import('@modelcontextprotocol/sdk/server/mcp.js');
  const { StreamableHTTPServerTransport } = await import(
    '@modelcontextprotocol/sdk/server/streamableHttp.js'
  );
  const sessions = new Map();
  return async (request, response) => {
    let transport = sessions.get(request.headers['mcp-session-id']);
    if (!transport) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (id) => sessions.set(id, transport),
      });
      const server = new McpServer(info);
      server.registerTool('bench_echo', { ...tool, inputSchema: tool.inputSchema.shape }, echo);
      await server.connect(transport);
    }
    await transport.handleRequest(request, response);
  };
}

async function modernHandler() {
  const { McpServer, createMcpHandler } = await import('@modelcontextprotocol/server');
  const { toNodeHandler } = await import('@modelcontextprotocol/node');
  return toNodeHandler(
    createMcpHandler(() => {
      const server = new McpServer(info);
      server.registerTool('bench_echo', tool, echo);
      return server;
    }),
  );
}

const handler = await (mode === 'modern' ? modernHandler() : legacyHandler());
createServer(handler).listen(Number(port), '127.0.0.1');
