import { constantFrom, assert, nat, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SimulatedClock } from '../clock/simulated-clock.ts'
import { capturedLog } from './captured-log.ts'
import { assertNoCanaries, findCanaries } from './find-canaries.ts'
import { canaryKinds, makeCanaries } from './log-canaries.ts'

const canaries = makeCanaries(7)

describe('canaries', () => {
  it('are at least sixty, all different, of every kind', () => {
    const values = canaries.all.map(({ value }) => value)
    expect(new Set(values).size).toBeGreaterThanOrEqual(60)
    expect(values).toHaveLength(new Set(values).size)
    expect(new Set(canaries.all.map(({ kind }) => kind))).toEqual(new Set(canaryKinds))
  })

  it('are the same for the same seed and others for another', () => {
    expect(makeCanaries(7)).toEqual(canaries)
    expect(makeCanaries(8).all.some(({ value }) => canaries.all.some((other) => other.value === value))).toBe(false)
  })

  it('are handed out by kind', () => {
    expect(canaries.one('name')).toBe(canaries.of('name')[0])
    expect(canaries.one('name', 1)).not.toBe(canaries.one('name'))
  })
})

/** Ways in which a careless program writes a value down. */
const carelessWays: Readonly<Record<string, (value: string) => string | Buffer | string[]>> = {
  'as it is': (value) => `name=${value};`,
  'in bytes': (value) => Buffer.from(`name=${value};`),
  'in bytes of another encoding': (value) => Buffer.from(`\u00ff${value}`, 'latin1'),
  'in one of many lines': (value) => ['first', `second ${value}`, 'third'],
  'in upper case': (value) => value.toUpperCase(),
  'in lower case': (value) => value.toLowerCase(),
  'as JSON': (value) => JSON.stringify({ value }),
  'as JSON inside JSON': (value) => JSON.stringify({ body: JSON.stringify({ value }) }),
  'in an address': (value) => `GET /find?q=${encodeURIComponent(value)}`,
  'in a form': (value) => new URLSearchParams({ user: 'x', value }).toString(),
  'in an address inside an address': (value) =>
    `/login?next=${encodeURIComponent(`/find?q=${encodeURIComponent(value)}`)}`,
  'in a page': (value) =>
    value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  'as hexadecimal': (value) => Buffer.from(value).toString('hex'),
}

describe('looking for canaries', () => {
  it.each(Object.entries(carelessWays))('finds every one written %s', (_, write) => {
    for (const canary of canaries.all) expect(findCanaries(write(canary.value), canaries)).toMatchObject([canary])
  })

  it('finds every one inside base64 of a longer text, at any place', () => {
    const around = string({ unit: 'binary-ascii', maxLength: 12 })
    const encoding = constantFrom('base64' as const, 'base64url' as const)
    const which = nat({ max: canaries.all.length - 1 })
    assert(
      property(around, around, encoding, which, (before, after, how, index) => {
        const canary = canaries.all[index]
        const text = Buffer.from(`${before}${canary?.value}${after}`).toString(how)
        expect(findCanaries(`authorization: Basic ${text}`, canaries)).toMatchObject([{ ...canary, form: 'base64' }])
      }),
      { numRuns: 300 },
    )
  })

  it('finds dates and phones that lost their signs', () => {
    const date = canaries.one('birth date').replaceAll('-', '')
    const phone = canaries.one('phone').replaceAll(' ', '')
    const found = findCanaries(`PID|1||||||${date}||||||${phone}`, canaries)
    expect(found.map(({ kind, form }) => [kind, form])).toEqual([
      ['birth date', 'without dashes'],
      ['phone', 'without spaces'],
    ])
  })

  it('finds nothing in a text without them', () => {
    expect(findCanaries(JSON.stringify(makeCanaries(8)), canaries)).toEqual([])
    expect(() => assertNoCanaries('all is well', canaries)).not.toThrow()
  })

  it('says which one leaked, how it was written and where', () => {
    const password = canaries.one('password')
    expect(() => assertNoCanaries(`login failed for ${password}`, canaries)).toThrow(
      `1 canaries leaked:\n- password ${password} (plain): …login failed for ${password}…`,
    )
  })
})

describe('a captured log', () => {
  it('keeps what was logged, as events', () => {
    const captured = capturedLog(new SimulatedClock('2026-02-03T04:05:06Z'))
    captured.log.debug('started', { port: 1 })
    captured.log.with({ service: 'bridge' }).warn('breaker opened', { dependency: 'fhir' })
    expect(captured.events()).toHaveLength(2)
    expect(captured.events('breaker opened')).toEqual([
      {
        level: 'warn',
        time: '2026-02-03T04:05:06.000Z',
        event: 'breaker opened',
        service: 'bridge',
        dependency: 'fhir',
      },
    ])
  })

  it('passes when it is clean and fails when a canary came through', () => {
    const captured = capturedLog()
    captured.log.info('request finished', { status: 200 })
    expect(() => captured.assertNoCanaries(canaries)).not.toThrow()
    captured.log.error('failed', { error: `no such user ${canaries.one('name')}` })
    expect(() => captured.assertNoCanaries(canaries)).toThrow(`- name ${canaries.one('name')} (plain)`)
  })
})
