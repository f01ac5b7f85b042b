// Makes jwt.json: fresh keys, and tokens signed by Node's own cryptography, which shares no code with ours.
// Usage: node make_jwt.mjs > jwt.json (needs openssl for the certificate). Private keys are thrown away.
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const issuedAt = 1_800_000_000;
const payload = {
  iss: 'https://issuer.example', aud: ['https://other.example', 'https://mcp.example/mcp'], sub: 'user-1',
  iat: issuedAt, nbf: issuedAt, exp: issuedAt + 3600, scope: 'read write',
};
const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

function certificateFor(privateKey) {
  const folder = mkdtempSync(join(tmpdir(), 'vectors-'));
  try {
    const file = join(folder, 'key.pem');
    writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
    return execFileSync('openssl', ['req', '-x509', '-new', '-key', file, '-subj', '/CN=vector', '-days', '1'], { encoding: 'utf8' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function vector(alg, type, options, signOptions = {}) {
  const { publicKey, privateKey } = generateKeyPairSync(type, options);
  const signedPart = `${encode({ alg, typ: 'at+jwt', kid: `${alg}-1` })}.${encode(payload)}`;
  const signature = sign(alg === 'EdDSA' ? null : 'sha256', Buffer.from(signedPart), { key: privateKey, ...signOptions });
  return {
    jwk: publicKey.export({ format: 'jwk' }),
    pem: publicKey.export({ type: 'spki', format: 'pem' }),
    certificate: certificateFor(privateKey),
    token: `${signedPart}.${signature.toString('base64url')}`,
  };
}

function key(type, options) {
  const { publicKey } = generateKeyPairSync(type, options);
  const pem = publicKey.export({ type: 'spki', format: 'pem' });
  return type === 'rsa-pss' ? { pem } : { pem, jwk: publicKey.export({ format: 'jwk' }) };
}

console.log(JSON.stringify({
  issuedAt, payload,
  accepted: {
    RS256: vector('RS256', 'rsa', { modulusLength: 2048 }),
    ES256: vector('ES256', 'ec', { namedCurve: 'P-256' }, { dsaEncoding: 'ieee-p1363' }),
    EdDSA: vector('EdDSA', 'ed25519'),
  },
  refused: {
    'RSA of 1024 bits': key('rsa', { modulusLength: 1024 }),
    'RSA-PSS': key('rsa-pss', { modulusLength: 2048, hashAlgorithm: 'sha256', mgf1HashAlgorithm: 'sha256', saltLength: 32 }),
    'P-384': key('ec', { namedCurve: 'P-384' }),
    'secp256k1': key('ec', { namedCurve: 'secp256k1' }),
    'Ed448': key('ed448'),
    'X25519': key('x25519'),
  },
}, null, 1));
