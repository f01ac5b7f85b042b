// A user of the todo tools with a client of its own.
import assert from 'node:assert/strict';

import { openHttp } from './sdk_v1.mjs';

/** `{status, message, data}` of a result; checks that text and structure are the same and that `isError` agrees. */
export function envelopeOf(result) {
  assert.ok(result.structuredContent, JSON.stringify(result));
  assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
  assert.deepEqual(Object.keys(result.structuredContent), ['status', 'message', 'data']);
  assert.equal(result.isError ?? false, result.structuredContent.status === 'error');
  return result.structuredContent;
}

/** What `answer` gives for a failure. */
export const failure = (code, httpStatus, message) => ({ status: 'error', message, data: null, code, httpStatus });

/**
 * A connected user: `call` gives the envelope, `answer` the same with the category of a failure, `data` what a success carries; `failures`
 * are the messages of all that failed. `notifications` as in sdk_v1.mjs.
 */
export async function connectUser(server, headers, notifications) {
  const session = await openHttp(server.url, { headers, notifications });
  const failures = [];
  const answer = async (name, args = {}) => {
    const result = await session.call({ name, arguments: args });
    const envelope = envelopeOf(result);
    if (envelope.status === 'error') failures.push(envelope.message);
    const { code, httpStatus } = result._meta ?? {};
    return code ? { ...envelope, code, httpStatus } : envelope;
  };
  const data = async (name, args) => {
    const envelope = await answer(name, args);
    assert.equal(envelope.status, 'success', `${name}: ${envelope.message}`);
    return envelope.data;
  };
  return { ...session, answer, call: answer, data, failures };
}
