import { describe, expect, it } from 'vitest'
import { SimulatedClock } from '../clock/simulated-clock.ts'
import { unavailable } from '../faults/fault.ts'
import { capturedLog } from '../testkit/captured-log.ts'
import { revocationList, type Revocations } from './revocation-list.ts'

const token = (tokenId: string, grantId?: string) => ({ tokenId, grantId })

function listOver(source: { current: unknown }) {
  const clock = new SimulatedClock()
  let loads = 0
  const load = async () => {
    loads++
    if (source.current === 'down') throw unavailable('The issuer is down.')
    if (source.current === 'hang') return new Promise<never>(() => {})
    return source.current
  }
  const logged = capturedLog(clock)
  return { clock, logged, ...revocationList({ load, clock, log: logged.log }), loads: () => loads }
}

describe('the list of revocations', () => {
  it('knows revoked tokens and every token of a revoked grant', async () => {
    const { isRevoked } = listOver({ current: { grants: ['g1'], tokens: ['t1'] } })
    expect(await isRevoked(token('t1', 'g9'))).toBe(true)
    expect(await isRevoked(token('t2', 'g1'))).toBe(true)
    expect(await isRevoked(token('t2', 'g9'))).toBe(false)
    expect(await isRevoked(token('g1'))).toBe(false)
  })

  it('is fetched once for many tokens, and again when it is five seconds old', async () => {
    const source = { current: { grants: [], tokens: [] } as Revocations }
    const { isRevoked, clock, loads } = listOver(source)
    await Promise.all(Array.from({ length: 50 }, async () => isRevoked(token('t1'))))
    expect(loads()).toBe(1)
    source.current = { grants: [], tokens: ['t1'] }
    await clock.advance(4_999)
    expect(await isRevoked(token('t1'))).toBe(false)
    await clock.advance(1)
    expect(await isRevoked(token('t1'))).toBe(true)
    expect(loads()).toBe(2)
  })

  it('knows at once what it is told of, also of what is missing in a list that had begun to load', async () => {
    const loading = Promise.withResolvers<Revocations>()
    const source: { current: unknown } = { current: { grants: [], tokens: [] } }
    const { isRevoked, tellRevoked, clock, loads } = listOver(source)
    expect(await isRevoked(token('t1', 'g1'))).toBe(false)
    tellRevoked({ grants: ['g1'], tokens: [] })
    expect([await isRevoked(token('t1', 'g1')), loads()]).toEqual([true, 1])
    source.current = loading.promise
    await clock.advance(5_000)
    const asked = isRevoked(token('t2'))
    tellRevoked({ grants: ['g2'], tokens: ['t2'] })
    loading.resolve({ grants: ['g1'], tokens: [] })
    expect([await asked, await isRevoked(token('t1', 'g1')), loads()]).toEqual([true, true, 2])
    expect(await isRevoked(token('t3', 'g2'))).toBe(true)
    // What the issuer has forgotten is forgotten here, too.
    source.current = { grants: [], tokens: [] }
    await clock.advance(5_000)
    expect([await isRevoked(token('t2')), await isRevoked(token('t1', 'g1'))]).toEqual([false, false])
  })

  it('knows what it was told of while it was too old, also when no other can be fetched', async () => {
    const source: { current: Revocations | 'down' } = { current: { grants: [], tokens: [] } }
    const { isRevoked, tellRevoked, clock, loads } = listOver(source)
    expect(await isRevoked(token('t1', 'g1'))).toBe(false)
    source.current = 'down'
    await clock.advance(60_000)
    tellRevoked({ grants: ['g1'], tokens: ['t2'] })
    expect([await isRevoked(token('t1', 'g1')), await isRevoked(token('t2'))]).toEqual([true, true])
    expect([await isRevoked(token('t1', 'g2')), loads()]).toEqual([false, 2])
  })

  it('that nobody asks for gathers no more than a hundred thousand, and then is none', async () => {
    const source: { current: Revocations | 'down' } = { current: { grants: [], tokens: [] } }
    const { isRevoked, tellRevoked, clock } = listOver(source)
    const many = Array.from({ length: 50_000 }, (_, number) => `t${number}`)
    const tellTwice = () => {
      for (let time = 0; time < 2; time++) tellRevoked({ grants: [], tokens: many })
    }
    // Nothing is known before the first list, nor counted while a list is new.
    tellTwice()
    expect(await isRevoked(token('t1'))).toBe(false)
    tellTwice()
    source.current = 'down'
    await clock.advance(5_000)
    tellTwice()
    expect(await isRevoked(token('x'))).toBe(false)
    // With the next list it begins again.
    source.current = { grants: [], tokens: [] }
    await clock.advance(5_000)
    expect(await isRevoked(token('x'))).toBe(false)
    source.current = 'down'
    await clock.advance(5_000)
    tellTwice()
    expect(await isRevoked(token('x'))).toBe(false)
    await clock.advance(5_000)
    tellRevoked({ grants: ['g1'], tokens: [] })
    await expect(isRevoked(token('x'))).rejects.toMatchObject({ code: 'REVOCATIONS_UNAVAILABLE' })
    source.current = { grants: ['g1'], tokens: [] }
    await clock.advance(5_000)
    expect([await isRevoked(token('x')), await isRevoked(token('x', 'g1'))]).toEqual([false, true])
  })

  it('keeps the last list while the issuer is down, and does not ask at each token', async () => {
    const source: { current: Revocations | 'down' } = { current: { grants: [], tokens: ['t1'] } }
    const { isRevoked, clock, loads } = listOver(source)
    expect(await isRevoked(token('t1'))).toBe(true)
    source.current = 'down'
    await clock.advance(5_000)
    expect(await isRevoked(token('t1'))).toBe(true)
    expect(await isRevoked(token('t2'))).toBe(false)
    expect(loads()).toBe(2)
  })

  it('waits two seconds for an issuer that hangs, and not a moment longer', async () => {
    const source: { current: Revocations | 'hang' } = { current: { grants: [], tokens: ['t1'] } }
    const { isRevoked, clock, loads } = listOver(source)
    await isRevoked(token('t1'))
    source.current = 'hang'
    await clock.advance(5_000)
    let answer: boolean | undefined
    const waiting = Promise.resolve(isRevoked(token('t1'))).then((is) => (answer = is))
    await clock.advance(1_999)
    expect(answer).toBeUndefined()
    await clock.advance(1)
    expect(await waiting).toBe(true)
    expect(clock.waiting).toBe(0)
    await clock.advance(2_999)
    expect(await isRevoked(token('t1'))).toBe(true)
    expect(loads()).toBe(2)
  })

  it.each(['down', 'hang', {}])(
    'was never there while the issuer is %j: no token passes for one that is good',
    async (away) => {
      const source: { current: unknown } = { current: away }
      const { isRevoked, clock, loads } = listOver(source)
      const refused = { kind: 'unavailable', code: 'REVOCATIONS_UNAVAILABLE', retryAfterSeconds: 5 }
      const asked = Promise.resolve(isRevoked(token('t1'))).catch((thrown: unknown) => thrown)
      await clock.advance(2_000)
      expect(await asked).toMatchObject(refused)
      await expect(isRevoked(token('t2'))).rejects.toMatchObject(refused)
      expect(loads()).toBe(1)
      source.current = { grants: [], tokens: ['t1'] }
      await clock.advance(3_000)
      expect([await isRevoked(token('t1')), await isRevoked(token('t2'))]).toEqual([true, false])
    },
  )

  it.each([
    ['nothing', null],
    ['a text', 'Sign in to the network'],
    ['an empty object', {}],
    ['no answer', undefined],
    ['half of it', { grants: [] }],
    ['the other half', { tokens: ['t1'] }],
    ['something else in its place', { grants: [], tokens: 't1' }],
    ['ids that are no texts', { grants: [], tokens: [1] }],
  ])('stays as it was when what comes in its place is %s', async (_what, other) => {
    const source: { current: unknown } = { current: { grants: ['g1'], tokens: ['t1'] } }
    const { isRevoked, clock, logged } = listOver(source)
    expect(await isRevoked(token('t1'))).toBe(true)
    source.current = other
    await clock.advance(5_000)
    expect([await isRevoked(token('t1')), await isRevoked(token('t2', 'g1'))]).toEqual([true, true])
    expect(logged.events('the list of revoked tokens could not be fetched')).toMatchObject([
      { level: 'warn', error: 'The list of revoked tokens is not readable.' },
    ])
  })

  it('counts its age from when it began to load, since later revocations may be missing in it', async () => {
    const source: { current: Revocations | 'hang' } = { current: { grants: [], tokens: [] } }
    const { isRevoked, clock, loads } = listOver(source)
    await isRevoked(token('t1'))
    source.current = 'hang'
    await clock.advance(5_000)
    const second = isRevoked(token('t1'))
    await clock.advance(2_000)
    expect(await second).toBe(false)
    source.current = { grants: [], tokens: ['t1'] }
    await clock.advance(3_000)
    expect(await isRevoked(token('t1'))).toBe(true)
    expect(loads()).toBe(3)
  })

  it('tells the log why it could not be fetched', async () => {
    const { isRevoked, logged } = listOver({ current: 'down' })
    await expect(isRevoked(token('t1'))).rejects.toThrow('cannot be found out at the moment')
    expect(logged.events('the list of revoked tokens could not be fetched')).toMatchObject([
      { level: 'warn', dependency: 'revocations', error: 'The issuer is down.' },
    ])
  })
})
