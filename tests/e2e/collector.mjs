// An OpenTelemetry collector of one test: takes OTLP/HTTP in JSON and keeps what it got.
import { once } from 'node:events';
import { createServer } from 'node:http';

/** Starts it: `{url, spans, metrics, headers, stop}`; `port` 0 takes a free one. `status` answers that instead of 200. */
export async function startCollector({ port = 0 } = {}) {
  const collector = { spans: [], metrics: new Map(), resource: {}, headers: {}, status: 200 };
  const attributesOf = (list) => Object.fromEntries(list.map(({ key, value }) => [key, value.stringValue]));
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    response.writeHead(collector.status, { 'Content-Type': 'application/json' }).end('{}');
    if (collector.status !== 200) return;
    const body = JSON.parse(text);
    collector.headers = request.headers;
    for (const { resource, scopeSpans } of body.resourceSpans ?? []) {
      collector.resource = attributesOf(resource.attributes);
      for (const span of scopeSpans.flatMap(({ spans }) => spans)) collector.spans.push({ ...span, attributes: attributesOf(span.attributes) });
    }
    for (const { scopeMetrics } of body.resourceMetrics ?? []) {
      for (const metric of scopeMetrics.flatMap(({ metrics }) => metrics)) collector.metrics.set(metric.name, metric);
    }
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  collector.port = server.address().port;
  collector.url = `http://127.0.0.1:${collector.port}`;
  collector.stop = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return collector;
}
