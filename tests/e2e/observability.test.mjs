// Health, metrics and traces as monitors see them: promtool, a real Prometheus, an OpenTelemetry collector.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';

import { apiKey, bearer, callTool, openSession, post, rpc } from './callers.mjs';
import { startCollector } from './collector.mjs';
import { promtool, startPrometheus } from './prometheus.mjs';
import { eventually, startToolpost } from './servers.mjs';

const master = 'mk-4f9c1e77-a2d8-43b6-9d15';
const packaged = (name) => new URL(`../../packaging/${name}`, import.meta.url).pathname;
const client = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const traceparent = ({ traceId, spanId }, flags = '01') => `00-${traceId}-${spanId}-${flags}`;

let collector;
let server;
before(async () => {
  collector = await startCollector();
  server = await startToolpost({
    env: {
      MSSQL_MCP_API_KEY: master,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=blue',
      OTEL_SERVICE_NAME: 'tools',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test',
      TOOLPOST_TELEMETRY_INTERVAL: '1s',
      TOOLPOST_METRICS_LISTEN: '127.0.0.1:0',
      TOOLPOST_LOG_FORMAT: 'json',
    },
  });
});
after(async () => {
  await server?.stop();
  await collector?.stop();
});

const at = (path) => `${server.origin}${path}`;
const metricsOrigin = () => `http://127.0.0.1:${/Metrics are at port (\d+)/.exec(server.log())[1]}`;
const scrape = async () => (await fetch(at('/metrics'), { headers: bearer(master) })).text();
const valueOf = (text, series) => Number(text.split('\n').find((line) => line.startsWith(`${series} `))?.split(' ').at(-1) ?? 0);

test('health: monitors without a credential learn whether the server lives and is ready', async () => {
  for (const [path, body] of [['/healthz', { status: 'ok' }], ['/readyz', { status: 'ready' }], ['/version', { name: 'toolpost' }]]) {
    const response = await fetch(at(path));
    assert.equal(response.status, 200);
    assert.deepEqual(await response.json(), body);
  }
  const detailed = await (await fetch(at('/readyz'), { headers: apiKey(master) })).json();
  assert.equal(detailed.state, 'healthy', JSON.stringify(detailed));
  assert.deepEqual(detailed.checks.map(({ name }) => name), ['database sample', 'store', 'audit', 'collector']);
  assert.equal((await fetch(at('/metrics'))).status, 401);
});

test('health: administrators learn what runs', async () => {
  const version = await (await fetch(at('/version'), { headers: bearer(master) })).json();
  const checkout = existsSync(new URL('../../.git', import.meta.url));
  if (checkout) assert.match(version.commit, /^[0-9a-f]{12}(-dirty)?$/);
  else assert.equal(version.commit, undefined);
  const commit = checkout ? `,commit="${version.commit}"` : '';
  assert.equal(valueOf(await scrape(), `toolpost_build_info{version="${version.version}"${commit}}`), 1);
});

test('metrics: promtool finds nothing to say against them', async () => {
  await callTool(at('/rpc'), 'system_info', {}, bearer(master));
  await callTool(at('/rpc'), 'file_read', { path: '/no/such "file"\n' }, bearer(master));
  await rpc(at('/rpc'), 'no/such/method', {}, bearer(master));
  const { code, text } = promtool(['check', 'metrics'], await scrape());
  assert.equal(text, '');
  assert.equal(code, 0);
});

test('metrics: the counts are those of the calls', async () => {
  const before = await scrape();
  const { request } = await openSession(at('/mcp'), bearer(master));
  const calls = Array.from({ length: 200 }, (_, index) => (index % 2
    ? request('tools/call', { name: 'system_info', arguments: {} })
    : callTool(at('/rpc'), 'system/info', { unknown: 1 }, bearer(master))));
  await Promise.all(calls);
  const after = await scrape();
  const grown = (series) => valueOf(after, series) - valueOf(before, series);
  assert.equal(grown('toolpost_tool_calls_total{tool="system/info",outcome="OK"}'), 100);
  assert.equal(grown('toolpost_tool_calls_total{tool="system/info",outcome="INVALID_ARGUMENT"}'), 100);
  const duration = (type) => `mcp_server_operation_duration_seconds_count{mcp_method_name="tools/call",gen_ai_tool_name="system/info"${type}}`;
  assert.equal(grown(duration('')), 100);
  assert.equal(grown(duration(',error_type="tool_error"')), 100);
  assert.equal(grown('toolpost_requests_total{outcome="failed"}'), 100);
  assert.equal(grown('toolpost_requests_total{outcome="ok"}'), 101);
  assert.equal(grown('toolpost_http_requests_total{route="/rpc",status="200"}'), 100);
  assert.equal(grown('toolpost_sessions_active'), 1);
});

test('metrics: administrators set them to zero, others do not', async () => {
  const { key } = (await rpc(at('/'), 'CreateApiKey', { name: 'e2e', userId: 'ada' }, bearer(master))).body.result;
  assert.match((await callTool(at('/rpc'), 'system_reset_metrics', {}, bearer(key))).text, /Permission denied/);
  assert.equal((await fetch(at('/metrics'), { headers: bearer(key) })).status, 403);
  await callTool(at('/rpc'), 'system_info', {}, bearer(master));
  const { since } = (await callTool(at('/rpc'), 'system_reset_metrics', {}, bearer(master))).body.result.structuredContent;
  const health = (await callTool(at('/rpc'), 'system_health', {}, bearer(master))).body.result.structuredContent;
  assert.equal(health.since, since);
  assert.deepEqual(health.tools.map(({ name }) => name), ['system/reset_metrics']);
  assert.equal(health.requests.total, 1);
});

test('metrics: a Prometheus scrapes both listeners, and every packaged query works', async () => {
  const rules = packaged('prometheus/toolpost.rules.yml');
  const prometheus = await startPrometheus(server.origin, { token: master, rules: [rules] });
  const open = await startPrometheus(metricsOrigin());
  try {
    await callTool(at('/rpc'), 'system_info', {}, bearer(master));
    for (const each of [prometheus, open]) {
      await eventually('a scrape', async () => (await each.query('toolpost_tool_calls_total{tool="system/info",outcome="OK"}')).length === 1, 30_000);
      assert.equal((await each.query('up'))[0].value[1], '1');
    }
    const dashboard = JSON.parse(readFileSync(packaged('grafana/toolpost.json'), 'utf8'));
    const known = new Set((await prometheus.get('label/__name__/values')).data);
    const seldom = new Set(['toolpost_rate_limited_total']);
    const expressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    assert.ok(expressions.length >= 12);
    const names = (expression) => expression.match(/\b(?:toolpost|mcp_server|process)_\w+/g);
    for (const expression of expressions) {
      await prometheus.query(expression.replaceAll('$__rate_interval', '1m').replaceAll('$job', '.*').replaceAll('$tool', '.*'));
      for (const name of names(expression)) assert.ok(known.has(name) || seldom.has(name), `${name} is not a metric`);
    }
    const groups = (await prometheus.get('rules')).data.groups.flatMap((group) => group.rules);
    assert.ok(groups.length >= 8);
    for (const { name, query, lastError } of groups) {
      assert.ok(!lastError, `${name}: ${lastError}`);
      for (const metric of names(query) ?? []) assert.ok(known.has(metric) || seldom.has(metric), `${name}: ${metric} is not a metric`);
    }
  } finally {
    await prometheus.stop();
    await open.stop();
  }
});

test('alerts: promtool accepts the rules, and their tests pass', () => {
  for (const args of [['check', 'rules', packaged('prometheus/toolpost.rules.yml')], ['test', 'rules', packaged('prometheus/toolpost.rules.test.yml')]]) {
    const { code, text } = promtool(args);
    assert.equal(code, 0, text);
  }
});

const spanOf = (predicate) => eventually('the span', () => collector.spans.find(predicate), 20_000);

test('traces: a call is a span below that of the client, linked to that of its HTTP request', async () => {
  const http = { traceId: '1'.repeat(32), spanId: '2'.repeat(16) };
  const params = { name: 'system_info', arguments: {}, _meta: { traceparent: traceparent(client), tracestate: 'a=b' } };
  const session = await openSession(at('/mcp'), bearer(master));
  const started = BigInt(Date.now()) * 1_000_000n;
  await session.request('tools/call', params);
  await post(at('/rpc'), { jsonrpc: '2.0', id: 'seven', method: 'tools/call', params }, { ...bearer(master), traceparent: traceparent(http) });
  const span = await spanOf(({ attributes }) => attributes['jsonrpc.request.id'] === '"seven"');
  assert.equal(span.name, 'tools/call system/info');
  assert.equal(span.kind, 2);
  assert.deepEqual([span.traceId, span.parentSpanId, span.traceState], [client.traceId, client.spanId, 'a=b']);
  assert.deepEqual(span.links, [http]);
  assert.ok(BigInt(span.startTimeUnixNano) >= started - 60_000_000_000n);
  assert.ok(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano));
  const inSession = await spanOf(({ traceId, attributes }) => traceId === client.traceId && attributes['mcp.protocol.version'] === '2025-06-18');
  assert.deepEqual(
    { ...inSession.attributes, 'mcp.session.id': undefined, 'toolpost.request.id': undefined },
    {
      'mcp.method.name': 'tools/call', 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'system/info', 'jsonrpc.request.id': '1',
      'mcp.protocol.version': '2025-06-18', 'mcp.session.id': undefined, 'network.transport': 'tcp', 'network.protocol.name': 'http',
      'client.address': '127.0.0.1', 'toolpost.request.id': undefined,
    });
  assert.ok(inSession.attributes['mcp.session.id'].length < session.hello.headers.get('mcp-session-id').length, 'the id itself is a secret');
  assert.ok(collector.spans.some(({ name }) => name === 'initialize'));
  assert.deepEqual([collector.resource['service.name'], collector.resource['deployment.environment'], collector.headers['x-tenant']], ['tools', 'test', 'blue']);
});

test('traces: the header is the parent where the message names none, and its decision not to sample is followed', async () => {
  const http = { traceId: '3'.repeat(32), spanId: '4'.repeat(16) };
  const ask = (id, flags) => post(at('/rpc'), { jsonrpc: '2.0', id, method: 'ping' }, { ...bearer(master), traceparent: traceparent(http, flags) });
  await ask('quiet', '00');
  await ask('loud', '01');
  const span = await spanOf(({ attributes }) => attributes['jsonrpc.request.id'] === '"loud"');
  assert.deepEqual([span.name, span.traceId, span.parentSpanId], ['ping', http.traceId, http.spanId]);
  assert.ok(!collector.spans.some(({ attributes }) => attributes['jsonrpc.request.id'] === '"quiet"'));
});

test('traces: failures carry their type, and only those of the server are errors', async () => {
  await post(at('/rpc'), { jsonrpc: '2.0', id: 'tool', method: 'tools/call', params: { name: 'file_read', arguments: { path: 'none' } } }, bearer(master));
  await post(at('/rpc'), { jsonrpc: '2.0', id: 'method', method: 'none/such', params: {} }, bearer(master));
  const tool = await spanOf(({ attributes }) => attributes['jsonrpc.request.id'] === '"tool"');
  assert.deepEqual([tool.attributes['error.type'], tool.status], ['tool_error', undefined]);
  const method = await spanOf(({ attributes }) => attributes['jsonrpc.request.id'] === '"method"');
  assert.deepEqual([method.name, method.attributes['error.type'], method.attributes['rpc.response.status_code'], method.status], ['_other', '-32601', '-32601', undefined]);
});

test('PRD_NFR_023 traces: log lines carry the ids', async () => {
  const span = await spanOf(({ attributes }) => attributes['jsonrpc.request.id'] === '"seven"');
  const line = await eventually('the log line', () => server.log().split('\n').find((each) => each.includes(span.spanId)));
  const { trace_id, span_id, request_id } = JSON.parse(line);
  assert.deepEqual([trace_id, span_id, request_id], [span.traceId, span.spanId, span.attributes['toolpost.request.id']]);
});

test('traces: metrics are exported too', async () => {
  await callTool(at('/rpc'), 'system_info', {}, bearer(master));
  const metric = await eventually('the metrics', () => collector.metrics.get('mcp.server.operation.duration'), 20_000);
  assert.equal(metric.unit, 's');
  assert.equal(metric.histogram.aggregationTemporality, 2);
  assert.ok(metric.histogram.dataPoints.every(({ bucketCounts, explicitBounds }) => bucketCounts.length === explicitBounds.length + 1));
  assert.ok(collector.metrics.get('toolpost.tool.calls').sum.isMonotonic);
});
