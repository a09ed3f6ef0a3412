import { describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { unavailable } from '../../../packages/faults/fault.ts'
import type { CodeableConcept } from '../../../packages/fhir/r4.ts'
import { makeZone, parseMessage } from '../../../packages/hl7/index.ts'
import { Metrics } from '../../../packages/metrics/metrics.ts'
import type { Terminology } from '../../../ports/terminology/terminology.ts'
import { Breakers } from '../breakers/breakers.ts'
import { mapMessage } from '../mapping/map-message.ts'
import { loinc } from '../mapping/terms.ts'
import { neighboursFor } from '../neighbours.ts'
import { testChannel } from '../testing/test-channels.ts'
import { transform, type TransformDeps } from './3-transform.ts'
import type { Received } from './received.ts'
import { isStop } from './stop.ts'

describe('a message while the terminology service is away', () => {
  it('has the codes translated that were asked for before, and says which were not looked up', async () => {
    const { deps, goAway } = world()
    expect(await codesAfter('K', deps)).toEqual({ codes: ['K loinc'], warnings: {} })
    goAway()
    const half = { codes: ['K loinc', 'NA'], warnings: { 'not-looked-up': 1 } }
    expect(await codesAfter('K NA', deps)).toEqual(half)
  })

  it('has them translated, too, when it is known to be away, and when they were asked for long ago', async () => {
    const { deps, clock, asked, goAway } = world()
    await codesAfter('K', deps)
    goAway()
    for (let tries = 0; tries < 5; tries++) await codesAfter('K NA', deps)
    const askedThen = asked.length
    expect(await codesAfter('K', { ...deps, terminologyRequired: true })).toEqual({ codes: ['K loinc'], warnings: {} })
    expect(await codesAfter('K NA', deps)).toMatchObject({ codes: ['K loinc', 'NA'] })
    expect(asked).toHaveLength(askedThen)
    await clock.advance(24 * 3_600_000)
    expect(await codesAfter('K', deps)).toMatchObject({ codes: ['K loinc'] })
  })

  it('is to come later where the terminology is required and one of its codes is not known', async () => {
    const { deps, goAway } = world()
    await codesAfter('K', deps)
    goAway()
    const required = { ...deps, terminologyRequired: true }
    expect(await codesAfter('K NA', required)).toMatchObject({ code: 'AE', errorCode: 'TERMINOLOGY_UNAVAILABLE' })
  })
})

/** The bridge's terminology, behind its breaker and remembered, as the pipeline has it. */
function world() {
  const clock = new SimulatedClock()
  const asked: string[] = []
  let isAway = false
  const service: Terminology = {
    async codingsIn(needs) {
      asked.push(needs.map(({ code }) => code).join(' '))
      if (isAway) throw unavailable('away')
      return needs.map(({ code }) => [{ system: loinc, code: `${code} loinc` }])
    },
    lookup: async () => undefined,
  }
  const breakers = new Breakers({ clock, metrics: new Metrics() })
  const kit = { clock, breakers, neighbours: { terminology: service }, addresses: {}, outbound: {} }
  const section = { clientId: 'bridge', audit: {}, registry: {}, consent: {} }
  // Sound: nobody else is asked.
  const { terminology } = neighboursFor(...([section, kit] as unknown as Parameters<typeof neighboursFor>))
  // Sound: what is translated here is sought by the code that was sent.
  const deps = { terminology, terminologyRequired: false } as unknown as TransformDeps
  return { deps, clock, asked, goAway: () => void (isAway = true) }
}

/** What the results of these codes are called, and what was warned of. */
async function codesAfter(codes: string, deps: TransformDeps) {
  const message = parseMessage(
    [
      'MSH|^~\\&|LAB|CENTRAL|HUB|HIE|20260304101500||ORU^R01|77|P|2.5.1',
      ...['PID|1||M1^^^CENTRAL^MR||DOE^JANE||19800101|F', 'OBR|1|P1|F1|58410-2^CBC^LN|||20260304100000'],
      ...codes.split(' ').map((code, at) => `OBX|${at + 1}|ST|${code}^Result^L||high||||||F`),
      '',
    ].join('\r'),
  )
  const receivedAt = new Date('2026-03-04T10:15:00Z')
  const context = {
    ...{ base: 'https://corridor.example', zone: makeZone('UTC'), settings: {}, terms: new Map(), receivedAt },
    facility: { code: 'CENTRAL', organization: 'Organization/1', namespaces: new Map() },
  }
  const sketch = mapMessage(message, context)
  if (sketch.refused !== undefined) throw new Error('the message is refused')
  const received: Received = {
    ...{ transactionId: 't', channel: testChannel('oru'), message, receivedAt, attempt: 1, run: 1 },
    ...{ wasRefused: false, wasEnded: false, checkHeld: () => {}, signal: new AbortController().signal },
  }
  const ended = await transform({ received, context, sketch, people: [], stored: new Map() }, deps)
  if (isStop(ended)) return ended
  const { writes, warnings } = ended.mapped
  const results = writes.flatMap(({ resource }) => (resource.resourceType === 'Observation' ? [resource.code] : []))
  return {
    codes: results.map(({ coding }: CodeableConcept) => coding?.[0]?.code),
    warnings: Object.fromEntries(
      Object.entries(Object.groupBy(warnings, ({ kind }) => kind)).map(([kind, all]) => [kind, all.length]),
    ),
  }
}
