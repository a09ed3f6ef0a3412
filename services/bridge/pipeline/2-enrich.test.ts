import { describe, expect, it } from 'vitest'
import { parseMessage, zoneNamed } from '../../../packages/hl7/index.ts'
import type { Facility } from '../../../ports/facility-registry/facility-registry.ts'
import type { Resolution } from '../../../ports/patient-index/patient-index.ts'
import { testChannel } from '../testing/test-channels.ts'
import { enrich, type EnrichDeps } from './2-enrich.ts'

describe('the golden record of somebody whom a message is about', () => {
  const known = (goldenId: string, ...rivals: readonly string[]): Resolution => ({
    ...{ goldenId, outcome: 'known' },
    ...(rivals.length === 0 ? {} : { rivals }),
  })

  it.each<[string, Resolution | undefined, string | undefined, string | undefined]>([
    ['is what the index says', known('x'), 'g', 'x'],
    ['is the stored one where the index recognises nobody', undefined, 'g', 'g'],
    ['is nobody yet where the record has none either', undefined, undefined, undefined],
    ['is the stored one where that is one of several', known('x', 'g'), 'g', 'g'],
    // The index says who is in its place.
    ['is the stored one where that was one of several until it was replaced', known('x', 'h'), 'g', 'g'],
    ['is what the index says first where the record has none', known('x', 'h'), undefined, 'x'],
  ])('%s', async (_what, resolution, linked, goldenId) => {
    const link = linked === undefined ? [] : [{ type: 'refer', other: { reference: `Patient/${linked}` } }]
    const enriched = await enrich(asked, neighbours(resolution, { resourceType: 'Patient', id: 'r', link }))
    const doubt = resolution?.rivals === undefined ? {} : { isDoubtful: true }
    const golden = goldenId === undefined ? {} : { goldenId }
    expect('people' in enriched ? enriched.people : enriched).toEqual([
      { fullUrl: expect.any(String) as string, id: 'r', ...golden, ...doubt },
    ])
  })
})

it('a sender whose time zone in the registry is none is told so, and no time is guessed', async () => {
  const deps = neighbours(undefined, {}, { timeZone: 'Africa/Nairobbery' })
  const text = 'The facility registry has "Africa/Nairobbery" for the time zone of CENTRAL'
  expect(await enrich(asked, deps)).toMatchObject({
    ...{ code: 'AE', errorCode: 'FACILITY_ZONE_UNKNOWN', errorMessage: expect.stringContaining(text) as string },
  })
})

const asked = {
  channel: testChannel('adt'),
  receivedAt: new Date('2026-03-04T10:00:00Z'),
  signal: new AbortController().signal,
  message: parseMessage(
    'MSH|^~\\&|HIS|CENTRAL|HUB|CORRIDOR|20260304||ADT^A01|1|P|2.5.1\rPID|1||4711^^^CENTRAL^MR||DOE^Jane||19800101|F\r',
  ),
}

it('records that were golden before are those of the golden record that the index names, and of no other', async () => {
  const people = async (linked: string, ...rivals: readonly string[]) => {
    const link = [{ type: 'refer', other: { reference: `Patient/${linked}` } }]
    const found = { goldenId: 'x', outcome: 'known', goldenBefore: ['before'] } as const
    const resolution = { ...found, ...(rivals.length === 0 ? {} : { rivals }) }
    const enriched = await enrich(asked, neighbours(resolution, { resourceType: 'Patient', id: 'r', link }))
    return 'people' in enriched ? enriched.people.map(({ goldenId, goldenBefore }) => [goldenId, goldenBefore]) : []
  }
  expect(await people('g')).toEqual([['x', ['before']]])
  expect(await people('x', 'g')).toEqual([['x', ['before']]])
  expect(await people('g', 'x')).toEqual([['g', undefined]])
})

function neighbours(resolution: Resolution | undefined, stored: object, more: Partial<Facility> = {}): EnrichDeps {
  const own = { code: 'CENTRAL', organization: 'Organization/central', name: 'Central', namespaces: new Map() }
  const facility = { ...own, ...more }
  // Sound: nothing else is asked of them.
  return {
    facilities: { find: async () => new Map([['CENTRAL', facility]]) },
    index: { recognise: async () => [resolution] },
    store: { findByIdentifiers: async () => [[stored]] },
    breakers: { call: (_: string, work: () => Promise<unknown>) => work() },
    ...{ base: 'https://corridor.example', zoneOf: zoneNamed },
  } as unknown as EnrichDeps
}
