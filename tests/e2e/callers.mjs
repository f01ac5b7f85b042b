// Requests of callers with credentials, and what the answers look like.
import { createHmac } from 'node:crypto';
import { once } from 'node:events';

import WebSocket from 'ws';

import { within } from './servers.mjs';

/** What the scope `read` offers, sorted. */
export const readTools = [
  'ExecuteQuery', 'GetAzureDevOpsInfo', 'GetDatabaseObjectsByType', 'GetDatabaseObjectsMetadata', 'GetSqlServerAgentJobDetails',
  'GetSqlServerAgentJobs', 'GetSsisCatalogInfo', 'GetTableMetadata', 'Initialize', 'ListConnections',
  'database_explain', 'database_health', 'database_query', 'database_schema', 'database_tables', 'database_top_queries',
  'file_info', 'file_list', 'file_read', 'file_search', 'get_my_user_info', 'list_tasks', 'mssql-query', 'search_tasks',
  'system_health', 'system_info', 'system_tools',
];

export const bearer = (token) => ({ Authorization: `Bearer ${token}` });
export const apiKey = (key) => ({ 'X-API-Key': key });

/** A JSON Web Token signed with HS256, good for ten minutes. */
export function signedToken(secret, claims) {
  const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${encode({ alg: 'HS256' })}.${encode({ exp: Math.floor(Date.now() / 1000) + 600, ...claims })}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

/** Posts `message` (an object, or text as it is): `{status, headers, text, body}`. */
export async function post(url, message, headers = {}) {
  const body = typeof message === 'string' ? message : JSON.stringify(message);
  const response = await fetch(url, {
    method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body,
  });
  const text = await response.text();
  let parsed;
  try {
    parsed = JSON.parse(text);
  } catch {
    parsed = undefined;
  }
  return { status: response.status, headers: response.headers, text, body: parsed };
}

/** A request to the JSON-RPC controller: `method` is a tool or `tools/call` and the like. */
export const rpc = (url, method, params, headers) => post(url, { jsonrpc: '2.0', id: 1, method, params }, headers);

/** A call through `tools/call` of the controller. */
export const callTool = (url, name, args, headers) => rpc(url, 'tools/call', { name, arguments: args }, headers);

/** A handshake session: its `request` posts inside it, `headers` go with every request. */
export async function openSession(url, headers, protocolVersion = '2025-06-18') {
  const accept = { Accept: 'application/json, text/event-stream' };
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'e2e', version: '1' } };
  const hello = await post(url, { jsonrpc: '2.0', id: 0, method: 'initialize', params }, { ...accept, ...headers });
  const session = { ...accept, ...headers, 'Mcp-Session-Id': hello.headers.get('mcp-session-id') };
  await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, session);
  return { hello, headers: session, request: (method, params) => post(url, { jsonrpc: '2.0', id: 1, method, params }, session) };
}

/** A WebSocket on /ws that has shaken hands: its `request` gives the answer. */
export async function openSocket(origin, options) {
  const socket = new WebSocket(`${origin.replace(/^http/, 'ws')}/ws`, options);
  const waiting = new Map();
  socket.on('message', (data) => {
    const message = JSON.parse(data);
    waiting.get(message.id)?.resolve(message);
    waiting.delete(message.id);
  });
  socket.on('close', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`closed with ${code}`));
  });
  await within(10_000, 'opening', once(socket, 'open'));
  let last = 0;
  const request = (method, params) => {
    const id = ++last;
    const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }), (error) => error && waiting.get(id)?.reject(error));
    return within(10_000, `answer to ${method}`, answer);
  };
  await request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'e2e', version: '1' } });
  socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  return { socket, request };
}
