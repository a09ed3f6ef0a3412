import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { systemIds, systemRandom } from '../../../packages/clock/ids.ts'
import { bug, unavailable } from '../../../packages/faults/fault.ts'
import { Metrics } from '../../../packages/metrics/metrics.ts'
import type { Queryable } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { capturedLog } from '../../../packages/testkit/captured-log.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import { consentDatabase, type ConsentDatabase } from '../testing/consent-database.ts'
import type { AuditEvent } from './audit-event.ts'
import { AuditTrail } from './audit-trail.ts'
import { EnumerationWatch } from './enumeration-watch.ts'
import { verifyChains } from './verify-chains.ts'

let world: ConsentDatabase
beforeAll(async () => {
  world = await consentDatabase()
})
afterAll(() => world[Symbol.asyncDispose]())
afterEach(() =>
  world.database.run(sql`
    truncate consent.audit_events, consent.audit_chains, consent.sightings, consent.enumeration_alerts`),
)

/** One running copy of the service, as far as the audit goes. */
function copyWith(options: { database?: Queryable; queueMax?: number; patientsMax?: number } = {}) {
  const { database = world.database, queueMax = 1_000, patientsMax = 100 } = options
  const clock = new SimulatedClock('2026-03-04T05:00:00Z')
  const metrics = new Metrics()
  const captured = capturedLog(clock)
  const watch = new EnumerationWatch(
    { windowMs: 600_000, patientsMax, exemptClients: ['svc-bridge'] },
    { database, clock },
  )
  const trail = new AuditTrail(
    { queueMax },
    { database, clock, ids: systemIds, random: systemRandom, log: captured.log, metrics, watch },
  )
  return { trail, clock, metrics, events: (name: string) => captured.events(name) }
}

function evaluation(given: Partial<AuditEvent> = {}): AuditEvent {
  return {
    at: new Date('2026-03-04T05:00:00.123Z'),
    event: 'evaluation',
    outcome: 'PERMIT',
    subject: 'client:svc-bridge',
    clientId: 'svc-bridge',
    peer: '127.0.0.1',
    requestId: 'r-1',
    decisionId: systemIds.timeUuid(),
    patientId: 'Patient/p1',
    actorReferences: ['Organization/central', 'Device/"quoted", {odd}'],
    resourceType: 'Observation',
    operation: 'READ',
    purposeOfUse: 'TREAT',
    asOf: null,
    recordId: 7,
    patientsSeen: null,
    ...given,
  }
}

const rowCount = async () =>
  Number((await world.database.one<{ count: string }>(sql`select count(*) from consent.audit_events`)).count)

describe('the audit trail', () => {
  it('writes every event in order, and several copies do so side by side', async () => {
    const copies = [copyWith(), copyWith(), copyWith()]
    for (let n = 0; n < 700; n++) for (const { trail } of copies) trail.add(evaluation({ requestId: `r-${n}` }))
    await Promise.all(copies.map(({ trail }) => trail.written()))
    expect(await rowCount()).toBe(2_100)
    expect(await verifyChains(world.database)).toEqual({ events: 2_100, chains: 3, broken: [] })
    const orders = await world.database.many<{ ids: string[] }>(
      sql`select array_agg(request_id order by position) as ids from consent.audit_events group by chain`,
    )
    const expected = Array.from({ length: 700 }, (_, n) => `r-${n}`)
    expect(orders.map(({ ids }) => ids)).toEqual([expected, expected, expected])
  })

  it.each([
    ['edited', sql`update consent.audit_events set patient_id = 'Patient/other' where position = 3`, 3],
    ['edited in a list', sql`update consent.audit_events set actor_references = '{}' where position = 4`, 4],
    ['removed', sql`delete from consent.audit_events where position = 2`, 2],
    ['cut off at the end', sql`delete from consent.audit_events where position >= 5`, 5],
    ['robbed of its head', sql`delete from consent.audit_chains`, 0],
    [
      'given a row that was not asked for',
      sql`insert into consent.audit_events
        select chain, 7, at, event, outcome, subject, client_id, peer, request_id, decision_id, patient_id,
          actor_references, resource_type, operation, purpose_of_use, as_of, record_id, patients_seen, hash
        from consent.audit_events where position = 6`,
      undefined,
    ],
  ])('that is %s is found out', async (_what, tamper, position) => {
    const { trail } = copyWith()
    for (let n = 0; n < 6; n++) trail.add(evaluation())
    await trail.written()
    await world.database.run(tamper)
    // A row put in after the end is found as soon as the chain goes on, which it then cannot.
    if (position === undefined) trail.add(evaluation())
    await trail.written()
    const { broken } = await verifyChains(world.database)
    expect(broken.map((at) => at.position)).toEqual([position ?? 7])
  })

  it('waits out a database that is away, and loses nothing', async () => {
    let isAway = true
    const database: Queryable = {
      ...world.database,
      run: (statement) =>
        isAway ? Promise.reject(unavailable('The database is away.')) : world.database.run(statement),
    }
    const { trail, clock, events } = copyWith({ database })
    trail.add(evaluation())
    trail.add(evaluation())
    await waitFor(() => events('audit could not be written').length > 0, { what: 'the first attempt' })
    trail.add(evaluation())
    isAway = false
    await clock.advance(10_000)
    await trail.written()
    expect(await rowCount()).toBe(3)
    expect((await verifyChains(world.database)).broken).toEqual([])
  })

  it('writes once what it is not sure to have written', async () => {
    let isFirst = true
    const database: Queryable = {
      ...world.database,
      async run(statement) {
        const count = await world.database.run(statement)
        if (!isFirst) return count
        isFirst = false
        throw unavailable('The connection was lost during COMMIT.')
      },
    }
    const { trail, clock, events } = copyWith({ database })
    trail.add(evaluation())
    await waitFor(() => events('audit could not be written').length > 0, { what: 'the first attempt' })
    await clock.advance(10_000)
    await trail.written()
    expect(await rowCount()).toBe(1)
    expect((await verifyChains(world.database)).broken).toEqual([])
  })

  it('tells that an event is written while more and more are added', async () => {
    const { trail } = copyWith()
    const over = new AbortController()
    const adding = (async () => {
      while (!over.signal.aborted) {
        trail.add(evaluation())
        await new Promise((resolve) => setImmediate(resolve))
      }
    })()
    for (let n = 0; n < 20; n++) await trail.written()
    expect(await rowCount()).toBeGreaterThan(0)
    over.abort()
    await adding
    await trail.written()
  })

  it('gathers what follows a batch of several, but lets nobody wait who waits for a row', async () => {
    let statements = 0
    const run: Queryable['run'] = (statement) => {
      if (statement.text.includes('consent.audit_events')) statements++
      return world.database.run(statement)
    }
    const { trail, clock } = copyWith({ database: { ...world.database, run } })
    const addSeveral = (count: number) => {
      for (let n = 0; n < count; n++) trail.add(evaluation())
    }
    addSeveral(2)
    await waitFor(async () => (await rowCount()) === 2, { what: 'the first batch' })
    for (const count of [1, 2, 3]) addSeveral(count)
    expect([statements, await rowCount()]).toEqual([1, 2])
    const isAfterSome = async () => {
      await clock.advance(10)
      return (await rowCount()) === 8
    }
    await waitFor(isAfterSome, { what: 'what was gathered' })
    expect(statements).toBe(2)
    // The clock stands still from here on.
    addSeveral(2)
    await trail.written()
    addSeveral(2)
    await trail.close()
    expect(await rowCount()).toBe(12)
    expect((await verifyChains(world.database)).broken).toEqual([])
  })

  it('gives up one event that the database will never take, and only that one', async () => {
    const { trail, clock, metrics, events } = copyWith()
    trail.add(evaluation({ requestId: 'good' }))
    trail.add(evaluation({ requestId: 'bad \u0000' }))
    trail.add(evaluation({ requestId: 'also good' }))
    const done = trail.written()
    await waitFor(
      async () => {
        await clock.advance(6_000)
        return events('audit events lost').length > 0
      },
      { everyMs: 5, what: 'the bad event to be given up' },
    )
    await clock.advance(6_000)
    await done
    expect(await rowCount()).toBe(2)
    expect(await metrics.text()).toContain('corridor_consent_audit_lost_total 1')
  })

  it('is bounded: past the bound nothing more is decided', async () => {
    const database: Queryable = { ...world.database, run: () => Promise.reject(unavailable('Away.')) }
    const { trail, clock, events } = copyWith({ database, queueMax: 2 })
    trail.add(evaluation())
    trail.assertRoom()
    trail.add(evaluation())
    expect(() => trail.assertRoom()).toThrow('cannot be audited')
    trail.add(evaluation())
    expect(events('audit events lost')).toMatchObject([{ count: 1 }])
    const closed = trail.close(1_000)
    await clock.advance(10_000)
    await closed
    expect(events('audit events lost')).toMatchObject([{ count: 1 }, { count: 2 }])
  })
})

describe('an event that somebody waits for', () => {
  const lost = { kind: 'unavailable', code: 'AUDIT_LOST' }
  const away: Pick<Queryable, 'run'> = { run: () => Promise.reject(unavailable('Away.')) }

  it('is there when the wait is over, whatever becomes of those beside it', async () => {
    const { trail, clock, events } = copyWith()
    const ids = ['good', 'bad \u0000', 'also good']
    const fates = Promise.allSettled(ids.map((requestId) => trail.addDurably(evaluation({ requestId }))))
    await waitFor(
      async () => {
        await clock.advance(6_000)
        return events('audit events lost').length > 0
      },
      { everyMs: 5, what: 'the bad event to be given up' },
    )
    await clock.advance(6_000)
    const [good, bad, alsoGood] = await fates
    expect([good?.status, alsoGood?.status]).toEqual(['fulfilled', 'fulfilled'])
    expect(bad).toMatchObject({ status: 'rejected', reason: lost })
    expect(await rowCount()).toBe(2)
  })

  it('is not said to be there when the service stops without its database', async () => {
    const { trail, clock } = copyWith({ database: { ...world.database, ...away } })
    const asked = [trail.addDurably(evaluation()), trail.addDurably(evaluation())]
    const refused = Promise.all(asked.map((one) => expect(one).rejects.toMatchObject(lost)))
    const settled = trail.written()
    const closed = trail.close(1_000)
    await clock.advance(10_000)
    await Promise.all([closed, refused, settled])
    // Whoever comes even later is told so too, and does not wait for ever.
    await expect(trail.addDurably(evaluation())).rejects.toMatchObject(lost)
  })

  it('is not said to be there when there was no room for it', async () => {
    const { trail, clock, metrics } = copyWith({ database: { ...world.database, ...away }, queueMax: 1 })
    trail.add(evaluation())
    await expect(trail.addDurably(evaluation())).rejects.toMatchObject(lost)
    expect(await metrics.text()).toContain('corridor_consent_audit_lost_total 1')
    const closed = trail.close(1_000)
    await clock.advance(10_000)
    await closed
  })
})

describe('enumeration', () => {
  const alerts = () =>
    world.database.many(sql`
      select subject, patients_seen as "patientsSeen" from consent.audit_events where event = 'enumeration suspected'`)

  const ask = async (trail: AuditTrail, subject: string, from: number, count: number) => {
    for (let n = from; n < from + count; n++) trail.add(evaluation({ subject, patientId: `Patient/p${n}` }))
    await withAlerts(trail)
  }

  /** An alert is added when what raised it has been written, and is then written itself. */
  const withAlerts = async (trail: AuditTrail) => {
    await trail.written()
    await trail.written()
  }

  it('is suspected when a caller asks about more different patients than allowed in a window', async () => {
    const { trail, metrics, events } = copyWith({ patientsMax: 10 })
    await ask(trail, 'client:calm', 0, 10)
    await ask(trail, 'client:calm', 0, 10)
    expect(await alerts()).toEqual([])
    await ask(trail, 'client:curious', 0, 50)
    await ask(trail, 'client:curious', 0, 50)
    expect(await alerts()).toEqual([{ subject: 'client:curious', patientsSeen: 11 }])
    expect(events('enumeration suspected')).toMatchObject([{ level: 'warn', count: 11 }])
    expect(await metrics.text()).toContain('corridor_consent_enumeration_alerts_total 1')
    expect((await verifyChains(world.database)).broken).toEqual([])
  })

  it('is not the work of a bridge, which asks about whoever its messages are about', async () => {
    const { trail } = copyWith({ patientsMax: 3 })
    await ask(trail, 'client:svc-bridge', 0, 5)
    expect(await alerts()).toEqual([])
    // Only the account itself: neither a person of that name nor one whose token the client was given.
    await ask(trail, 'svc-bridge', 0, 5)
    expect(await alerts()).toEqual([{ subject: 'svc-bridge', patientsSeen: 4 }])
  })

  it('is counted over all copies together and told by one', async () => {
    const [one, other] = [copyWith({ patientsMax: 10 }), copyWith({ patientsMax: 10 })]
    await ask(one.trail, 'client:curious', 0, 6)
    await ask(other.trail, 'client:curious', 6, 5)
    await ask(one.trail, 'client:curious', 11, 5)
    expect(await alerts()).toEqual([{ subject: 'client:curious', patientsSeen: 11 }])
  })

  it('also when the calls are refused: nobody known is known by their address', async () => {
    const { trail } = copyWith({ patientsMax: 3 })
    for (let n = 0; n < 5; n++) {
      trail.add(evaluation({ subject: null, clientId: null, outcome: 'UNAUTHENTICATED', patientId: `Patient/${n}` }))
    }
    await withAlerts(trail)
    expect(await alerts()).toEqual([{ subject: 'address 127.0.0.1', patientsSeen: 4 }])
  })

  it('is suspected although the count failed once, and what came with it is not counted twice', async () => {
    let isFirst = true
    const many: Queryable['many'] = (statement) => {
      const fails = isFirst && statement.text.includes('consent.enumeration_alerts')
      if (fails) isFirst = false
      return fails ? Promise.reject(unavailable('Away for a moment.')) : world.database.many(statement)
    }
    const { trail, events } = copyWith({ database: { ...world.database, many }, patientsMax: 10 })
    await ask(trail, 'client:curious', 0, 50)
    expect(events('enumeration could not be watched')).toMatchObject([{ error: 'Away for a moment.' }])
    // Whoever is over the number is not counted any more: what raises the alert is what is still to be told.
    await ask(trail, 'client:curious', 50, 1)
    expect(await alerts()).toEqual([{ subject: 'client:curious', patientsSeen: 11 }])
  })

  it('costs no event when it cannot be watched at all', async () => {
    const run: Queryable['run'] = (statement) =>
      statement.text.includes('consent.sightings')
        ? Promise.reject(bug('no such table'))
        : world.database.run(statement)
    const { trail, metrics, events } = copyWith({ database: { ...world.database, run } })
    for (let n = 0; n < 6; n++) await ask(trail, 'client:calm', n, 1)
    expect(await rowCount()).toBe(6)
    expect(await metrics.text()).toContain('corridor_consent_audit_lost_total 0')
    expect(events('enumeration could not be watched')[0]).toMatchObject({ faultKind: 'bug', error: 'no such table' })
    expect(events('audit could not be written')).toEqual([])
  })

  it('begins anew with each window, and the old one is forgotten', async () => {
    const { trail, clock } = copyWith({ patientsMax: 10 })
    await ask(trail, 'client:steady', 0, 8)
    await clock.advance(600_000)
    await ask(trail, 'client:steady', 8, 8)
    await clock.advance(600_000)
    await ask(trail, 'client:steady', 16, 8)
    expect(await alerts()).toEqual([])
    const { count } = await world.database.one<{ count: string }>(sql`select count(*) from consent.sightings`)
    expect(count).toBe('16')
    await ask(trail, 'client:steady', 24, 8)
    expect(await alerts()).toHaveLength(1)
  })
})
