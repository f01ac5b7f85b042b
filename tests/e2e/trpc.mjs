// tRPC clients of a server under test.
import {
  createTRPCClient, httpBatchLink, httpBatchStreamLink, httpLink, httpSubscriptionLink, splitLink, TRPCClientError,
} from '@trpc/client';
import { EventSource } from 'eventsource';
import assert from 'node:assert/strict';

/** An EventSource that sends `headers`, as the one of Node and browsers cannot. */
const eventSourceWith = (headers) => class extends EventSource {
  constructor(url, init) {
    super(url, { ...init, fetch: (input, options) => fetch(input, { ...options, headers: { ...options.headers, ...headers } }) });
  }
};

export const subscriptionLink = (url, headers, options = {}) =>
  httpSubscriptionLink({ url, EventSource: eventSourceWith(headers), ...options });

/** The terminating links by name: functions of `{url, headers}`. */
export const links = {
  httpLink,
  httpBatchLink,
  httpBatchStreamLink,
  'httpLink, all by POST': (options) => httpLink({ ...options, methodOverride: 'POST' }),
  'httpBatchLink, all by POST': (options) => httpBatchLink({ ...options, methodOverride: 'POST' }),
  'httpBatchStreamLink, all by POST': (options) => httpBatchStreamLink({ ...options, methodOverride: 'POST' }),
  splitLink: (options) => splitLink({
    condition: ({ type }) => type === 'subscription',
    true: subscriptionLink(options.url, options.headers),
    false: splitLink({ condition: ({ type }) => type === 'query', true: httpBatchLink(options), false: httpLink(options) }),
  }),
};

export const clientOf = (link) => createTRPCClient({ links: [link] });

/** The error a call ends with. */
export async function failure(promise) {
  const error = await promise.then((value) => assert.fail(`no error but ${JSON.stringify(value)}`), (reason) => reason);
  assert.ok(error instanceof TRPCClientError, String(error?.stack ?? error));
  return error;
}
