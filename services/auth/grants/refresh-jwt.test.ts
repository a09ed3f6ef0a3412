import { createPrivateKey, KeyObject, sign } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import { openKeyStore } from '../../../packages/keys/key-store.ts'
import { silentLog } from '../../../packages/log/log.ts'
import { makeTestKey } from '../../../packages/testkit/test-key.ts'
import { makeSigner } from '../../../packages/tokens/signer.ts'
import { refreshTokenReader } from './refresh-jwt.ts'

const directory = await mkdtemp(join(tmpdir(), 'corridor-refresh-jwt-'))
afterAll(() => rm(directory, { recursive: true }))
const keys = await openKeyStore({ directory, clock: systemClock, log: silentLog })
const issuer = 'https://auth.example'
const claims = { iss: issuer, aud: issuer, jti: 'secret', client_id: 'app' }
const read = refreshTokenReader(keys, issuer)
const signer = makeSigner(() => keys.current())
const stranger = makeSigner(await makeTestKey())
const ours = await signer.sign({ typ: 'rt+jwt', claims })
const [header, payload, signature] = ours.split('.')

describe('a refresh token', () => {
  it('is read where it is ours', () => {
    expect(read(ours)).toEqual({ tokenId: 'secret', clientId: 'app' })
  })

  it('is read as long as its key is published', async () => {
    await keys.rotate({ immediately: true })
    const next = await signer.sign({ typ: 'rt+jwt', claims })
    expect(next.split('.')[0]).not.toBe(header)
    expect([read(ours), read(next)]).toEqual([
      { tokenId: 'secret', clientId: 'app' },
      { tokenId: 'secret', clientId: 'app' },
    ])
  })

  it.each<[string, string | Promise<string>]>([
    ['nothing', ''],
    ['words', 'not a token'],
    ['an access token of ours', signer.sign({ typ: 'at+jwt', claims })],
    ['one of another issuer with our key', signer.sign({ typ: 'rt+jwt', claims: { ...claims, iss: 'https://b' } })],
    ['one for another audience', signer.sign({ typ: 'rt+jwt', claims: { ...claims, aud: 'https://b' } })],
    ['one without an id', signer.sign({ typ: 'rt+jwt', claims: { ...claims, jti: undefined } })],
    ['one without a client', signer.sign({ typ: 'rt+jwt', claims: { ...claims, client_id: undefined } })],
    ['one without a signature', `${header}.${payload}`],
    ['one of another key', stranger.sign({ typ: 'rt+jwt', claims })],
    ['our header over the claims of somebody else', `${header}.${encoded({ ...claims, jti: 'mine' })}.${signature}`],
    ['a fourth part', `${ours}.${signature}`],
    ['a missing signature', `${header}.${payload}.`],
    ['padding behind the signature', `${ours}==`],
    ['a letter that decoders pass over', `${ours}!`],
    [
      'our key under a header that we do not write',
      signedUnder({ typ: 'rt+jwt', alg: 'RS256', kid: keys.current().kid }),
    ],
    [
      'a header without an algorithm',
      `${encoded({ alg: 'none', typ: 'rt+jwt', kid: keys.current().kid })}.${payload}.`,
    ],
  ])('is none: %s', async (_what, token) => {
    expect(read(await token)).toBeUndefined()
  })

  // The last one: what is refused above must be so for its own reason.
  it('is none once its key was withdrawn', async () => {
    expect(read(ours)).toBeDefined()
    for (const { kid } of keys.list()) if (kid !== keys.current().kid) await keys.remove(kid)
    expect(read(ours)).toBeUndefined()
    expect(read(await signer.sign({ typ: 'rt+jwt', claims }))).toBeDefined()
  })
})

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

function signedUnder(given: object): string {
  const key = createPrivateKey({
    key: KeyObject.from(keys.current().privateKey).export({ format: 'jwk' }),
    format: 'jwk',
  })
  const input = `${encoded(given)}.${payload}`
  return `${input}.${sign('RSA-SHA256', Buffer.from(input), key).toString('base64url')}`
}
