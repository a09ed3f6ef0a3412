import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { SimulatedClock } from '../clock/simulated-clock.ts'
import { localKeySet } from './key-set.ts'
import { remoteKeySet, type FetchJson } from './remote-key-set.ts'
import { capturedLog } from '../testkit/captured-log.ts'
import { makeRsaKey } from '../testkit/simulated-issuer.ts'

let good: object

beforeAll(async () => {
  good = createPublicKey(await makeRsaKey()).export({ format: 'jwk' })
})

describe('a key of a set', () => {
  it('is found by its kid, and no other', async () => {
    const keys = localKeySet({
      keys: [
        { ...good, kid: 'a', use: 'sig', alg: 'RS256' },
        { ...good, kid: 'b' },
      ],
    })
    expect(await keys.find('a')).toMatchObject({ type: 'public', asymmetricKeyType: 'rsa' })
    expect(await keys.find('b')).toBeDefined()
    expect(await keys.find('c')).toBeUndefined()
    expect(await keys.find('toString')).toBeUndefined()
  })

  it.each<[string, () => object]>([
    ['is for encryption', () => ({ ...good, use: 'enc' })],
    ['is for another algorithm', () => ({ ...good, alg: 'PS256' })],
    ['is not for verifying', () => ({ ...good, key_ops: ['encrypt'] })],
    ['is too short', () => generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' })],
    ['is absurdly long', () => ({ ...good, n: Buffer.alloc(2_000, 0xff).toString('base64url') })],
    [
      'is padded with zeros to look long',
      () => ({ ...good, n: Buffer.concat([Buffer.alloc(200), Buffer.alloc(128, 1)]).toString('base64url') }),
    ],
    ['is no RSA key', () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })],
    ['is a secret', () => ({ kty: 'oct', k: 'c2VjcmV0' })],
    ['has broken numbers', () => ({ ...good, e: 7 })],
  ])('is left out when it %s', async (_why, jwk) => {
    const keys = localKeySet({
      keys: [
        { ...jwk(), kid: 'a' },
        { ...good, kid: 'b' },
      ],
    })
    expect(await keys.find('a')).toBeUndefined()
    expect(await keys.find('b')).toBeDefined()
  })

  it('is left out when another has its kid', async () => {
    expect(
      await localKeySet({
        keys: [
          { ...good, kid: 'a' },
          { ...good, kid: 'a' },
        ],
      }).find('a'),
    ).toBeUndefined()
  })
})

describe('a remote set', () => {
  it('is fetched once for many who ask at once, and kept', async () => {
    const { keys, fetched } = remote()
    const found = await Promise.all(Array.from({ length: 50 }, () => keys.find('a')))
    expect(found.filter((key) => key === undefined)).toEqual([])
    expect(await keys.find('a')).toBeDefined()
    expect(fetched()).toBe(1)
  })

  it('is fetched again for an unknown kid, but not for every one', async () => {
    const { keys, clock, fetched, publish } = remote()
    await keys.find('a')
    await clock.advance(10_000)
    const before = keys.version
    publish({
      keys: [
        { ...good, kid: 'a' },
        { ...good, kid: 'b' },
      ],
    })
    expect(await keys.find('b')).toBeDefined()
    expect(keys.version).toBe(before + 1)
    for (let i = 0; i < 1_000; i++) expect(await keys.find(`made up ${i}`)).toBeUndefined()
    expect(fetched()).toBe(2)
    await clock.advance(10_000)
    for (let i = 0; i < 1_000; i++) await keys.find(`made up ${i}`)
    expect(fetched()).toBe(3)
  })

  it('drops a key that the issuer has removed, when it has grown old', async () => {
    const { keys, clock, publish } = remote()
    await keys.find('a')
    publish({ keys: [{ ...good, kid: 'b' }] })
    expect(await keys.find('a')).toBeDefined()
    await clock.advance(300_000)
    expect(await keys.find('a')).toBeUndefined()
  })

  it('keeps its version when it was fetched again and nothing had changed', async () => {
    const { keys, clock, fetched } = remote()
    await keys.find('a')
    const before = keys.version
    await clock.advance(300_000)
    await keys.find('a')
    expect(fetched()).toBe(2)
    expect(keys.version).toBe(before)
  })

  it('serves while the issuer is down, for a day, and asks it only now and then', async () => {
    const { keys, clock, fetched, publish } = remote()
    await keys.find('a')
    publish(new Error('down'))
    await clock.advance(300_000)
    for (let i = 0; i < 100; i++) expect(await keys.find('a')).toBeDefined()
    expect(fetched()).toBe(2)
    await clock.advance(86_400_000)
    await expect(keys.find('a')).rejects.toMatchObject({ kind: 'unavailable', code: 'KEYS_UNAVAILABLE' })
    await clock.advance(10_000)
    publish({ keys: [{ ...good, kid: 'a' }] })
    expect(await keys.find('a')).toBeDefined()
  })

  it.each<[string, unknown]>([
    ['cannot be reached', new Error('ECONNREFUSED')],
    ['answers something else', { error: 'oops' }],
    ['answers no JSON object', 'oops'],
    ['answers endlessly many keys', { keys: Array.from({ length: 129 }, () => ({})) }],
  ])('that was never fetched is unavailable, not an invalid token, when the issuer %s', async (_why, answer) => {
    const { keys, publish } = remote()
    publish(answer)
    await expect(keys.find('a')).rejects.toMatchObject({ kind: 'unavailable', retryAfterSeconds: 10 })
  })

  it('gives up on an issuer that hangs, and lets nobody else wait for it', async () => {
    const { keys, clock, publish } = remote()
    await keys.find('a')
    publish('hang')
    await clock.advance(300_000)
    const waiting = keys.find('a')
    await clock.advance(5_000)
    expect(await waiting).toBeDefined()
    await clock.advance(10_000)
    expect(await keys.find('a')).toBeDefined()
    expect(clock.waiting).toBe(1)
    await clock.advance(5_000)
  })

  it('is fetched again when it is five minutes old, and not a moment before', async () => {
    const { keys, clock, fetched } = remote()
    await keys.find('a')
    await clock.advance(299_999)
    await keys.find('a')
    expect(fetched()).toBe(1)
    await clock.advance(1)
    await keys.find('a')
    expect(fetched()).toBe(2)
  })

  it('is asked for an unknown kid ten seconds after the last one, and not a moment before', async () => {
    const { keys, clock, fetched } = remote()
    await keys.find('a')
    await keys.find('b')
    expect(fetched()).toBe(2)
    await clock.advance(9_999)
    await keys.find('b')
    expect(fetched()).toBe(2)
    await clock.advance(1)
    await keys.find('b')
    expect(fetched()).toBe(3)
  })

  it('is asked at once for a key that took over after it had been fetched because of its age', async () => {
    const { keys, clock, publish } = remote()
    await keys.find('a')
    await clock.advance(300_000)
    await keys.find('a')
    publish({ keys: [{ ...good, kid: 'b' }] })
    expect(await keys.find('b')).toBeDefined()
  })

  it('is asked once more, for all who wait, when a key took over while it was being fetched', async () => {
    const { keys, clock, fetched, publish } = remote()
    await keys.find('a')
    await clock.advance(300_000)
    const waiting = [keys.find('a'), keys.find('b'), keys.find('b')]
    publish({ keys: [{ ...good, kid: 'b' }] })
    const [, ...found] = await Promise.all(waiting)
    expect(found.filter((key) => key === undefined)).toEqual([])
    expect(fetched()).toBe(3)
  })

  it('serves for a day without its issuer, and not a moment longer', async () => {
    const { keys, clock, publish } = remote()
    await keys.find('a')
    publish(new Error('down'))
    await clock.advance(86_399_999)
    expect(await keys.find('a')).toBeDefined()
    await clock.advance(1)
    await expect(keys.find('a')).rejects.toMatchObject({ kind: 'unavailable' })
  })

  it('that answers nothing is given up after five seconds, and not a moment before', async () => {
    const { keys, clock, publish } = remote()
    publish('hang')
    let refused: unknown
    const waiting = keys.find('a').catch((thrown: unknown) => (refused = thrown))
    await clock.advance(4_999)
    expect(refused).toBeUndefined()
    await clock.advance(1)
    await waiting
    expect(refused).toMatchObject({ kind: 'unavailable', code: 'KEYS_UNAVAILABLE' })
  })

  it('that was down and is back makes an unknown kid a bad token again', async () => {
    const { keys, clock, publish } = remote()
    publish(new Error('down'))
    await expect(keys.find('a')).rejects.toMatchObject({ kind: 'unavailable' })
    publish({ keys: [{ ...good, kid: 'a' }] })
    await clock.advance(10_000)
    expect(await keys.find('b')).toBeUndefined()
    expect(await keys.find('a')).toBeDefined()
  })

  it('tells the log why it could not be fetched', async () => {
    const { keys, logged, publish } = remote()
    publish(new Error('ECONNREFUSED'))
    await keys.find('a').catch(() => {})
    expect(logged.events('the key set could not be fetched')).toMatchObject([
      { level: 'warn', dependency: 'jwks', error: 'ECONNREFUSED' },
    ])
  })
})

describe('a set in the same process', () => {
  it('follows its source and grows its version only when that has changed', async () => {
    let published = { keys: [{ ...good, kid: 'a' }] }
    const keys = localKeySet(() => published)
    const before = keys.version
    await keys.find('a')
    expect(keys.version).toBe(before)
    published = { keys: [{ ...good, kid: 'b' }] }
    expect(keys.version).toBe(before + 1)
    expect(await keys.find('a')).toBeUndefined()
    expect(await keys.find('b')).toBeDefined()
  })

  it('shows the change to whoever looks for a key first', async () => {
    let published = { keys: [{ ...good, kid: 'a' }] }
    const keys = localKeySet(() => published)
    await keys.find('a')
    published = { keys: [] }
    expect(await keys.find('a')).toBeUndefined()
  })
})

/** A set at an address that answers with what was published last. */
function remote() {
  const clock = new SimulatedClock()
  let answer: unknown = { keys: [{ ...good, kid: 'a' }] }
  let count = 0
  const fetchJson: FetchJson = async (url) => {
    expect(url).toBe('https://auth.example/oauth2/jwks')
    count++
    if (answer === 'hang') return new Promise(() => {})
    if (answer instanceof Error) throw answer
    return answer
  }
  const logged = capturedLog(clock)
  const keys = remoteKeySet({ url: 'https://auth.example/oauth2/jwks', fetchJson, clock, log: logged.log })
  return { keys, clock, logged, fetched: () => count, publish: (next: unknown) => (answer = next) }
}
