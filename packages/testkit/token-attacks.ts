import { createHmac, createPublicKey, sign, X509Certificate, type JsonWebKey, type KeyObject } from 'node:crypto'
import { CompactEncrypt } from 'jose'
import { makeCertificate } from './certificate.ts'

/** A token that no service may accept, and the sentence it is refused with. */
export interface TokenAttack {
  readonly name: string
  readonly token: string
  readonly refusal: string
}

interface AttackedIssuer {
  /** The issuer's own key: many attacks are honest tokens used wrongly. */
  readonly privateKey: KeyObject
  readonly kid: string
  /** The claims of a token that the attacked service accepts. */
  readonly claims: Readonly<Record<string, unknown>>
  /** A key of the attacker's. */
  readonly foreignKey: KeyObject
  /** An address under which the attacker offers that key. */
  readonly foreignUrl: string
  readonly now: Date
}

/**
 * Every way to forge, damage or misuse an access token that one token can show, made with real keys. Those that need a
 * revocation, a rotation or a second header have tests of their own (`test/attacks/vectors.ts` names the test of each).
 */
export async function tokenAttacks(issuer: AttackedIssuer): Promise<readonly TokenAttack[]> {
  return [
    ...unsigned(issuer),
    ...signedWithThePublicKey(issuer),
    ...(await withKeysOfTheirOwn(issuer)),
    ...underOtherKeyNames(issuer),
    ...withOtherSignatures(issuer),
    ...flippedBits(issuer),
    ...withOtherClaims(issuer),
    ...ofOtherKinds(issuer),
    ...(await otherwiseMalformed(issuer)),
  ]
}

type Header = Readonly<Record<string, unknown>>

const badSignature = 'The signature of the access token is not valid.'
const notSigned = 'The access token is not a signed JWT.'
const notRs256 = 'The access token is not signed with RS256.'

function unsigned(issuer: AttackedIssuer): readonly TokenAttack[] {
  return ['none', 'None', 'NONE', 'nOnE'].flatMap((alg) => [
    { name: `alg ${alg}`, token: `${unsignedPart(issuer, { alg })}.`, refusal: notSigned },
    { name: `alg ${alg} with a signature`, token: honest(issuer, { alg }), refusal: notRs256 },
  ])
}

/** Algorithm confusion: a verifier that lets the token choose HS256 takes the public key for a shared secret. */
function signedWithThePublicKey(issuer: AttackedIssuer): readonly TokenAttack[] {
  const key = createPublicKey(issuer.privateKey)
  const jwk = key.export({ format: 'jwk' })
  const secrets: Record<string, string | Buffer> = {
    'PEM text': key.export({ type: 'spki', format: 'pem' }).toString(),
    DER: key.export({ type: 'spki', format: 'der' }),
    'JWK text': JSON.stringify(jwk),
    modulus: Buffer.from(jwk.n ?? '', 'base64url'),
  }
  return Object.entries(secrets).map(([form, secret]) => {
    const input = unsignedPart(issuer, { alg: 'HS256' })
    const mac = createHmac('sha256', secret).update(input).digest('base64url')
    return { name: `HS256 with the public key as ${form}`, token: `${input}.${mac}`, refusal: notRs256 }
  })
}

async function withKeysOfTheirOwn(issuer: AttackedIssuer): Promise<readonly TokenAttack[]> {
  const jwk: JsonWebKey = createPublicKey(issuer.foreignKey).export({ format: 'jwk' })
  const day = 86_400_000
  const { cert: certificate } = await makeCertificate({
    name: 'localhost',
    valid: { from: issuer.now, to: new Date(issuer.now.getTime() + day) },
  })
  const x5c = [new X509Certificate(certificate).raw.toString('base64')]
  const headers: Record<string, Header> = {
    jwk: { jwk: { ...jwk, kid: issuer.kid } },
    jku: { jku: issuer.foreignUrl },
    x5u: { x5u: issuer.foreignUrl },
    x5c: { x5c },
  }
  return Object.entries(headers).map(([name, header]) => ({
    name: `the attacker's key in ${name}`,
    token: honest({ ...issuer, privateKey: issuer.foreignKey }, header),
    refusal: badSignature,
  }))
}

function underOtherKeyNames(issuer: AttackedIssuer): readonly TokenAttack[] {
  const unnamed = 'The access token does not name its key.'
  const unknown = 'The access token is signed with an unknown key.'
  const kids: readonly (readonly [string, unknown, string])[] = [
    ['no kid', undefined, unnamed],
    ['an empty kid', '', unnamed],
    ['a kid that is a number', 1, unnamed],
    ['an unknown kid', 'unknown', unknown],
    ['a path as kid', '../../../../dev/null', unknown],
    ['SQL as kid', "' union select 'key' --", unknown],
    ['an inherited property as kid', '__proto__', unknown],
    ['a very long kid', 'k'.repeat(5_000), unnamed],
  ]
  return kids.map(([name, kid, refusal]) => ({ name, token: honest(issuer, { kid }), refusal }))
}

function withOtherSignatures(issuer: AttackedIssuer): readonly TokenAttack[] {
  const [header = '', payload = '', signature = ''] = honest(issuer).split('.')
  const other = honest({ ...issuer, claims: { ...issuer.claims, sub: 'another' } }).split('.')[2]
  return [
    { name: 'the signature stripped', token: `${header}.${payload}`, refusal: notSigned },
    { name: 'an empty signature', token: `${header}.${payload}.`, refusal: notSigned },
    { name: 'a truncated signature', token: `${header}.${payload}.${signature.slice(0, 340)}`, refusal: badSignature },
    { name: 'the signature of another token', token: `${header}.${payload}.${other}`, refusal: badSignature },
    { name: 'a padded signature', token: `${header}.${payload}.${signature}=`, refusal: notSigned },
    {
      name: 'the signature of another key',
      token: honest({ ...issuer, privateKey: issuer.foreignKey }),
      refusal: badSignature,
    },
  ]
}

function flippedBits(issuer: AttackedIssuer): readonly TokenAttack[] {
  const [header = '', payload = '', signature = ''] = honest(issuer).split('.')
  // In the header the flip hits the last letter of the kid.
  return [
    {
      name: 'a bit flipped in the header',
      token: `${flip(header, -3)}.${payload}.${signature}`,
      refusal: 'The access token is signed with an unknown key.',
    },
    {
      name: 'a bit flipped in the payload',
      token: `${header}.${flip(payload, -2)}.${signature}`,
      refusal: badSignature,
    },
    {
      name: 'a bit flipped in the signature',
      token: `${header}.${payload}.${flip(signature, 100)}`,
      refusal: badSignature,
    },
  ]
}

function flip(part: string, at: number): string {
  const bytes = Buffer.from(part, 'base64url')
  const index = at < 0 ? bytes.length + at : at
  bytes[index] = (bytes[index] ?? 0) ^ 1
  return bytes.toString('base64url')
}

function withOtherClaims(issuer: AttackedIssuer): readonly TokenAttack[] {
  const now = issuer.now.getTime() / 1000
  const unusable = (claim: string) => `The access token has no usable "${claim}".`
  const foreignService = 'The access token is for another service.'
  const changes: readonly (readonly [string, Header, string])[] = [
    ['expired', { exp: now - 61 }, 'The access token has expired.'],
    ['not valid yet', { nbf: now + 61 }, 'The access token is not valid yet.'],
    ['issued in the future', { iat: now + 61 }, 'The access token was issued in the future.'],
    ['another issuer', { iss: 'https://evil.example' }, 'The access token is from another issuer.'],
    [
      'an issuer that begins like ours',
      { iss: `${String(issuer.claims['iss'])}/` },
      'The access token is from another issuer.',
    ],
    ['no issuer', { iss: undefined }, 'The access token is from another issuer.'],
    ['the audience of another service', { aud: 'https://other.example' }, foreignService],
    ['an audience hidden in an array', { aud: [[issuer.claims['aud']]] }, foreignService],
    ['no aud', { aud: undefined }, foreignService],
    ['no exp', { exp: undefined }, unusable('exp')],
    ['exp as text', { exp: String(now + 60) }, unusable('exp')],
    ['exp beyond all time', { exp: 1e300 }, unusable('exp')],
    ['no iat', { iat: undefined }, unusable('iat')],
    ['nbf as text', { nbf: '0' }, unusable('nbf')],
    ['no sub', { sub: undefined }, unusable('sub')],
    ['an empty sub', { sub: '' }, unusable('sub')],
    ['a sub that is an object', { sub: { id: 'dr-amara' } }, unusable('sub')],
    ['an endless sub', { sub: 's'.repeat(256) }, unusable('sub')],
    ['a sub with a line break', { sub: 'dr-amara\nadmin' }, unusable('sub')],
    ['no jti', { jti: undefined }, unusable('jti')],
    ['no client_id', { client_id: undefined }, unusable('client_id')],
    ['roles as an object', { roles: { CLINICIAN: true } }, unusable('roles')],
    ['roles with an object inside', { roles: ['CLINICIAN', {}] }, unusable('roles')],
    ['scope as an array', { scope: ['system/*.read'] }, unusable('scope')],
    ['patient as an array', { patient: ['amina-diallo'] }, unusable('patient')],
  ]
  return changes.map(([name, claims, refusal]) => ({
    name,
    token: honest({ ...issuer, claims: { ...issuer.claims, ...claims } }),
    refusal,
  }))
}

function ofOtherKinds(issuer: AttackedIssuer): readonly TokenAttack[] {
  const refusal = 'The token is not an access token.'
  return [
    { name: 'a refresh token', token: honest(issuer, { typ: 'rt+jwt' }), refusal },
    { name: 'an identity token', token: honest(issuer, { typ: 'JWT' }), refusal },
    { name: 'a token without a type', token: honest(issuer, { typ: undefined }), refusal },
  ]
}

async function otherwiseMalformed(issuer: AttackedIssuer): Promise<readonly TokenAttack[]> {
  const extension = 'The access token needs a header extension that is not supported.'
  const twice = 'The access token has a name twice.'
  const text = JSON.stringify(issuer.claims)
  const encrypted = await new CompactEncrypt(Buffer.from(honest(issuer)))
    .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', typ: 'at+jwt', kid: issuer.kid })
    .encrypt(createPublicKey(issuer.privateKey))
  return [
    { name: 'an unknown crit', token: honest(issuer, { crit: ['exp2'], exp2: 1 }), refusal: extension },
    { name: 'b64 false', token: honest(issuer, { b64: false, crit: ['b64'] }), refusal: extension },
    { name: 'b64 false without crit', token: honest(issuer, { b64: false }), refusal: extension },
    { name: 'a JWE', token: encrypted, refusal: notSigned },
    { name: 'a claim twice', token: signed(issuer, {}, text.replace('{', '{"sub":"admin",')), refusal: twice },
    {
      name: 'a claim twice, escaped',
      token: signed(issuer, {}, text.replace('{', '{"s\\u0075b":"x",')),
      refusal: twice,
    },
    { name: 'claims that are an array', token: signed(issuer, {}, '[]'), refusal: notSigned },
    { name: 'claims that are no JSON', token: signed(issuer, {}, '{'), refusal: notSigned },
    {
      name: 'a token of 1 MB',
      token: honest({ ...issuer, claims: { ...issuer.claims, fill: 'x'.repeat(1e6) } }),
      refusal: 'The access token is too long.',
    },
    { name: 'nothing', token: '', refusal: notSigned },
    { name: 'three dots', token: '...', refusal: notSigned },
  ]
}

/** Signed as the issuer signs; a header member that is undefined is left out. */
function honest(issuer: AttackedIssuer, header: Header = {}): string {
  return signed(issuer, header, JSON.stringify(issuer.claims))
}

function signed(issuer: AttackedIssuer, header: Header, payload: string): string {
  const input = unsignedPart(issuer, header, payload)
  return `${input}.${sign('sha256', Buffer.from(input), issuer.privateKey).toString('base64url')}`
}

function unsignedPart(issuer: AttackedIssuer, header: Header, payload = JSON.stringify(issuer.claims)): string {
  const whole = { alg: 'RS256', typ: 'at+jwt', kid: issuer.kid, ...header }
  return `${Buffer.from(JSON.stringify(whole)).toString('base64url')}.${Buffer.from(payload).toString('base64url')}`
}
