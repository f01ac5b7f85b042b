// A real authorization server on loopback (oidc-provider) that gives JWT access tokens to clients with a secret.
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';

import Provider from 'oidc-provider';

const kinds = {
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  EdDSA: () => generateKeyPairSync('ed25519'),
};

/** A private key as JWK, with an id of its own. */
export function makeKey(alg) {
  return { ...kinds[alg]().privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg, use: 'sig' };
}

export const clientSecret = 'issuer-client-secret-7c1f5d1e';

function makeProvider(issuer, keys, scopes) {
  // A client is named after the algorithm of its tokens; those of "ES256-short" live one second.
  const clients = [...Object.keys(kinds), 'ES256-short'].map((client_id) => ({
    client_id,
    client_secret: clientSecret,
    grant_types: ['client_credentials'],
    redirect_uris: [],
    response_types: [],
    token_endpoint_auth_method: 'client_secret_basic',
  }));
  const resourceServer = (resource, { clientId }) => ({
    scope: scopes,
    audience: resource,
    accessTokenFormat: 'jwt',
    accessTokenTTL: clientId.endsWith('-short') ? 1 : 600,
    jwt: { sign: { alg: clientId.replace('-short', '') } },
  });
  return new Provider(issuer, {
    clients,
    jwks: { keys },
    scopes: scopes.split(' '),
    cookies: { keys: [randomUUID()] },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: { enabled: true, getResourceServerInfo: (_, resource, client) => resourceServer(resource, client) },
    },
  });
}

/** Starts it on a free port: `{issuer, jwksUrl, keys, token, rotate, stop}`. */
export async function startIssuer({ scopes = 'read write shell connections admin other' } = {}) {
  let handle;
  const server = http.createServer((request, response) => handle(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const self = {
    issuer,
    jwksUrl: `${issuer}/jwks`,
    keys: [],
    /** New keys replace all old ones. */
    rotate: () => {
      self.keys = Object.keys(kinds).map(makeKey);
      handle = makeProvider(issuer, self.keys, scopes).callback();
    },
    /** An access token for `resource`. */
    token: async (resource, { client = 'RS256', scope = 'read' } = {}) => {
      const basic = Buffer.from(`${client}:${clientSecret}`).toString('base64');
      const response = await fetch(`${issuer}/token`, {
        method: 'POST',
        headers: { Authorization: `Basic ${basic}` },
        body: new URLSearchParams({ grant_type: 'client_credentials', resource, scope }),
      });
      const { access_token: token, ...rest } = await response.json();
      if (!token) throw new Error(`the issuer gave no token: ${JSON.stringify(rest)}`);
      return token;
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  self.rotate();
  return self;
}
