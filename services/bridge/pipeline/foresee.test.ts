import { describe, expect, it } from 'vitest'
import { parseMessage, zoneNamed } from '../../../packages/hl7/index.ts'
import type { Facility } from '../../../ports/facility-registry/facility-registry.ts'
import { testChannel } from '../testing/test-channels.ts'
import { enrich, foresee, type EnrichDeps } from './2-enrich.ts'

const facility: Facility = {
  ...{ code: 'CENTRAL', organization: 'Organization/central', name: 'Central' },
  namespaces: new Map(),
}

const asked = {
  channel: testChannel('adt'),
  receivedAt: new Date('2026-03-04T10:00:00Z'),
  message: parseMessage(
    'MSH|^~\\&|HIS|CENTRAL|HUB|CORRIDOR|20260304||ADT^A01|1|P|2.5.1\rPID|1||4711^^^CENTRAL^MR||DOE^Jane||19800101|F\r',
  ),
}

/** Neighbours that note what they are asked, and know this of the sender. */
function noting(remembered: Facility | undefined) {
  const calls: string[] = []
  const noted =
    <Answer>(name: string, answer: Answer) =>
    async () => {
      calls.push(name)
      return answer
    }
  // Sound: nothing else is asked of them.
  const deps = {
    facilities: { find: noted('facility', new Map([['CENTRAL', facility]])), remembered: () => remembered },
    index: { recognise: noted('index', [{ goldenId: 'golden', outcome: 'known' }]) },
    store: { findByIdentifiers: noted('store', [[{ resourceType: 'Patient', id: 'p1' }]]) },
    breakers: { call: (_: string, work: () => Promise<unknown>) => work() },
    ...{ base: 'https://corridor.example', zoneOf: zoneNamed },
  } as unknown as EnrichDeps
  return { calls, deps }
}

describe('ENRICH before its time', () => {
  it('comes to the same as in its time, without asking the registry', async () => {
    const { calls, deps } = noting(facility)
    const early = await foresee(asked, deps)
    expect(calls).toEqual(['index', 'store'])
    expect(early).toMatchObject({ people: [{ id: 'p1', goldenId: 'golden' }] })
    expect(await enrich({ ...asked, signal: new AbortController().signal }, deps)).toEqual(early)
  })

  it('asks nobody about a sender whom the registry might have to register', () => {
    const { calls, deps } = noting(undefined)
    expect(foresee(asked, deps)).toBeUndefined()
    expect(calls).toEqual([])
  })
})
