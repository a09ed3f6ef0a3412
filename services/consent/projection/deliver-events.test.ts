import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { systemIds, systemRandom } from '../../../packages/clock/ids.ts'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { incorrect, unavailable } from '../../../packages/faults/fault.ts'
import type { Bundle } from '../../../packages/fhir/r4.ts'
import { Metrics } from '../../../packages/metrics/metrics.ts'
import { Outbox } from '../../../packages/sql/tasks/outbox.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { capturedLog } from '../../../packages/testkit/captured-log.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import type { AuditEvent } from '../audit/audit-event.ts'
import { AuditTrail } from '../audit/audit-trail.ts'
import { EnumerationWatch } from '../audit/enumeration-watch.ts'
import { EventTelling } from '../audit/told-events.ts'
import { consentDatabase, type ConsentDatabase } from '../testing/consent-database.ts'
import { deliverEvents } from './deliver-events.ts'

let world: ConsentDatabase
beforeAll(async () => {
  world = await consentDatabase()
})
afterAll(() => world[Symbol.asyncDispose]())
afterEach(() => world.database.run(sql`truncate consent.audit_events, consent.audit_chains, kit.outbox`))

function serviceWith() {
  const { database } = world
  const clock = new SimulatedClock('2026-03-04T05:00:00Z')
  const { log, lines } = capturedLog(clock)
  const outbox = new Outbox({ database, clock, ids: systemIds, log })
  const watch = new EnumerationWatch({ windowMs: 600_000, patientsMax: 5_000, exemptClients: [] }, { database, clock })
  const telling = new EventTelling({ database, outbox })
  const trailDeps = { database, clock, ids: systemIds, random: systemRandom, log, metrics: new Metrics() }
  return { clock, outbox, lines, trail: new AuditTrail({ queueMax: 10_000 }, { ...trailDeps, watch, telling }) }
}

function decisionOf(given: Partial<AuditEvent> = {}): AuditEvent {
  return {
    ...{ at: new Date('2026-03-04T05:00:00.123Z'), event: 'evaluation', outcome: 'PERMIT', patientsSeen: null },
    ...{ subject: 'client:lakeside', clientId: 'lakeside', peer: '192.0.2.7', requestId: 'r-1', asOf: null },
    ...{ patientId: 'Patient/p1', actorReferences: ['Organization/lakeside'], resourceType: 'Observation' },
    ...{ operation: 'READ', purposeOfUse: 'TREAT', recordId: 7, decisionId: systemIds.timeUuid() },
    ...given,
  }
}

/** A store that takes everything, unless the test says otherwise; `taken` has the ids of what it has. */
function storeWith(refusal: (ids: readonly string[]) => unknown = () => undefined) {
  const taken: string[] = []
  const sizes: number[] = []
  return {
    taken,
    sizes,
    capabilities: async () => ({ transaction: true, batch: true, conditionalUpdate: () => true }),
    transaction: async ({ entry = [] }: Bundle): Promise<Bundle> => {
      const ids = entry.map(({ request }) => request?.ifNoneExist?.split('|')[1] ?? '')
      const fault = refusal(ids)
      if (fault !== undefined) throw fault
      sizes.push(ids.length)
      taken.push(...ids.filter((id) => !taken.includes(id)))
      const response = { status: '201' }
      return { resourceType: 'Bundle', type: 'transaction-response', entry: entry.map(() => ({ response })) }
    },
  }
}

const waiting = async () =>
  Number((await world.database.one<{ count: string }>(sql`select count(*) from kit.outbox`)).count)

describe('decisions', () => {
  it('that are asked for over the network are told, once each, and no others', async () => {
    const { trail, outbox } = serviceWith()
    const asked = [decisionOf(), decisionOf({ outcome: 'DENY' }), decisionOf({ outcome: 'NO_CONSENT', recordId: null })]
    const notTold = [
      decisionOf({ peer: null }),
      decisionOf({ outcome: 'MALFORMED', decisionId: null }),
      decisionOf({ outcome: 'FORBIDDEN', decisionId: null }),
    ]
    for (const event of [...asked, ...notTold]) trail.add(event)
    await trail.written()
    expect(await waiting()).toBe(1)
    const store = storeWith()
    const worker = deliverEvents(store, { outbox })
    worker.start()
    await worker.drain()
    await worker.stop()
    expect(store.taken).toEqual(asked.map(({ decisionId }) => decisionId))
    expect(await waiting()).toBe(0)
  })

  it('of services of this process leave nothing in the outbox', async () => {
    const { trail } = serviceWith()
    for (let n = 0; n < 20; n++) trail.add(decisionOf({ peer: null }))
    await trail.written()
    expect(await waiting()).toBe(0)
  })

  it('are told many together, and never more than a store takes at once', async () => {
    const { trail, outbox } = serviceWith()
    for (let n = 0; n < 1_050; n++) trail.add(decisionOf())
    await trail.written()
    expect(await waiting()).toBeLessThan(20)
    const store = storeWith()
    const worker = deliverEvents(store, { outbox })
    worker.start()
    await worker.drain()
    await worker.stop()
    expect(store.taken).toHaveLength(1_050)
    expect(Math.max(...store.sizes)).toBeLessThanOrEqual(100)
    expect(store.sizes.length).toBeLessThan(20)
  })

  it('wait while the store is away', async () => {
    const { trail, outbox, clock, lines } = serviceWith()
    trail.add(decisionOf())
    await trail.written()
    let isAway = true
    const store = storeWith(() => (isAway ? unavailable('The store is away.') : undefined))
    const worker = deliverEvents(store, { outbox })
    worker.start()
    await waitFor(() => lines.some((line) => line.includes('tasks wait')), { what: 'the first attempt' })
    expect(await waiting()).toBe(1)
    isAway = false
    await waitFor(
      async () => {
        await clock.advance(1_000)
        return store.taken.length === 1
      },
      { everyMs: 5, what: 'the decision to be told' },
    )
    await worker.stop()
  })

  it('one that the store refuses keeps no other back, and its patient is in no log', async () => {
    const { trail, outbox, lines } = serviceWith()
    const bad = decisionOf({ patientId: 'Patient/canary-of-this-test' })
    const all = [decisionOf(), bad, decisionOf()]
    for (const event of all) trail.add(event)
    await trail.written()
    const store = storeWith((ids) => (ids.includes(bad.decisionId ?? '') ? incorrect('Not valid.') : undefined))
    const worker = deliverEvents(store, { outbox })
    worker.start()
    await waitFor(() => lines.some((line) => line.includes('task failed')), { what: 'the refusal' })
    await worker.stop()
    expect(new Set(store.taken)).toEqual(new Set([all[0]?.decisionId, all[2]?.decisionId]))
    expect(lines.join('\n')).not.toContain('canary')
  })
})
