import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Recurring } from '../../../packages/clock/every.ts'
import { systemIds } from '../../../packages/clock/ids.ts'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { callerWith } from '../../../packages/http/testing/test-server.ts'
import { Outbox } from '../../../packages/sql/tasks/outbox.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { capturedLog } from '../../../packages/testkit/captured-log.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import { patientStore } from '../../../ports/patient-index/merges/testing/patient-store.ts'
import { watchMerges } from '../../../ports/patient-index/merges/watch-merges.ts'
import { verifyChains } from '../audit/verify-chains.ts'
import type { ConsentSettings } from '../deps.ts'
import { readCandidates, readCandidatesAsOf } from '../store/candidates.ts'
import { mergeTables } from '../store/merged-patients.ts'
import { recordIds } from '../store/record-ids.ts'
import { recordsWithASay } from '../store/records-with-a-say.ts'
import { recordsOfPatient } from '../store/records.ts'
import { consentDatabase, type ConsentDatabase } from '../testing/consent-database.ts'
import { recordWith } from '../testing/record-fixture.ts'
import { moveMerged } from './move-merged.ts'
import { createRecord } from './save.ts'

let world: ConsentDatabase
beforeAll(async () => {
  world = await consentDatabase()
})
afterAll(() => world[Symbol.asyncDispose]())

const settings: ConsentSettings = {
  ...{ fhirUrl: 'http://localhost/fhir', timeZone: 'UTC', implicitPolicy: 'deny', strictOrganisation: false },
  ...{ auditBeforeAnswer: false, fhirProjection: true },
}

/** A store of patients, and copies of the service that look at it. */
function setting() {
  const clock = new SimulatedClock('2026-03-04T05:00:00Z')
  const { database } = world
  const log = capturedLog(clock)
  const kit = { database, clock, ids: systemIds, log: log.log }
  const deps = { ...kit, outbox: new Outbox(kit), recordIds: recordIds(database), settings }
  const patients = patientStore(clock)
  const copies: Recurring[] = []
  const start = (news?: typeof patients.news) => {
    const copy = watchMerges({
      ...{ ...kit, store: patients.store, tables: mergeTables, news },
      move: (merge, tx) => moveMerged(merge, tx, deps),
    })
    copies.push(copy)
    return copy
  }
  const refuse = (id: string) => {
    const { id: _id, ...terms } = recordWith({ patientId: `Patient/${id}`, provisionType: 'deny' })
    const call = { caller: callerWith(['CLINICIAN']), request: { id: 'r-1', peer: '127.0.0.1' } }
    return createRecord(terms, call, deps)
  }
  /** Whose records count for a patient, by the ids of the records. */
  const counting = async (id: string) => {
    const wanted = { patientId: `Patient/${id}`, actorReferences: ['Organization/x'] }
    const [found = []] = await readCandidates([wanted], database)
    expect(found.every(({ patientId }) => patientId === wanted.patientId)).toBe(true)
    return found.map((record) => record.id).sort((some, other) => some - other)
  }
  /** The next look is now. */
  const until = (holds: () => Promise<boolean>) =>
    waitFor(
      async () => {
        if (await holds()) return true
        await clock.advance(15_000)
        return false
      },
      { everyMs: 5, what: 'merges to be followed' },
    )
  return { clock, database, log, patients, copies, start, refuse, counting, until }
}

let at: ReturnType<typeof setting>
beforeEach(async () => {
  at = setting()
  await at.database.run(sql`delete from consent.merged_patients`)
  await at.database.run(sql`update consent.merge_looks set seen_until = null, looked_at = 'epoch', holder = null,
    held_until = 'epoch', checked_at = ${at.clock.now()}`)
})
afterEach(async () => {
  await Promise.all(at.copies.map((copy) => copy.end()))
})

describe('consents of somebody who was merged', () => {
  it('count for the survivor, whichever id is asked about', async () => {
    const { patients, refuse, counting, until, start, database } = at
    patients.put('a1')
    patients.put('a2')
    const { id } = await refuse('a1')
    start()
    patients.put('a1', 'a2')
    await until(async () => (await counting('a2')).length > 0)
    expect(await counting('a2')).toEqual([id])
    expect(await counting('a1')).toEqual([id])
    const today = { day: '2026-12-31', timeZone: 'UTC' }
    for (const patientId of ['Patient/a1', 'Patient/a2']) {
      const asOf = await readCandidatesAsOf({ patientId, actorReferences: [] }, today, database)
      expect(asOf).toMatchObject([{ id, patientId }])
      expect(await recordsOfPatient(patientId, undefined, database)).toMatchObject([{ id, patientId: 'Patient/a2' }])
      expect(await recordsWithASay(patientId, database)).toMatchObject([{ id, version: 2 }])
    }
  })

  it('say on themselves and on the audit trail that they moved, once, and wait to be told to the FHIR store', async () => {
    const { patients, refuse, counting, until, start, database } = at
    patients.put('b1')
    patients.put('b2')
    const { id } = await refuse('b1')
    const waiting = sql`select count(*)::int as count from kit.outbox where key = ${String(id)}`
    expect(await database.one(waiting)).toEqual({ count: 1 })
    start()
    patients.put('b1', 'b2')
    await until(async () => (await counting('b2')).length > 0)
    patients.put('b1', 'b2')
    await at.clock.advance(60_000)
    const [record] = await recordsOfPatient('Patient/b2', undefined, database)
    expect(record?.note).toMatch(/^Moved \S+ from Patient\/b1, who was merged into Patient\/b2$/)
    expect(await database.one(waiting)).toEqual({ count: 2 })
    const told = await database.many(sql`
      select event, outcome, subject, patient_id, actor_references, record_id from consent.audit_events
      where patient_id = 'Patient/b1' and event = 'record moved'`)
    expect(told).toEqual([
      {
        ...{ event: 'record moved', outcome: 'MOVED', subject: 'system', patient_id: 'Patient/b1' },
        ...{ actor_references: ['Patient/b2'], record_id: String(id) },
      },
    ])
    expect(await verifyChains(database)).toMatchObject({ chains: 2, broken: [] })
  })

  it('follow through every merge, also one that comes later', async () => {
    const { patients, refuse, counting, until, start } = at
    for (const id of ['c1', 'c2', 'c3', 'c4']) patients.put(id)
    const { id } = await refuse('c1')
    start()
    patients.put('c2', 'c3')
    patients.put('c1', 'c2')
    await until(async () => (await counting('c3')).length > 0)
    patients.put('c3', 'c4')
    await until(async () => (await counting('c4')).length > 0)
    for (const asked of ['c1', 'c2', 'c3', 'c4']) expect(await counting(asked)).toEqual([id])
  })

  it('stay where merges go in a circle, and with a record whose survivor is not there', async () => {
    const { patients, refuse, counting, log, start } = at
    patients.put('d1', 'd2')
    patients.put('d2', 'd1')
    patients.put('d3', 'nobody')
    const refused = [await refuse('d1'), await refuse('d2'), await refuse('d3')]
    start()
    await waitFor(async () => log.events('merges lead to no record that stands').length > 0, { what: 'the log' })
    expect(await Promise.all(['d1', 'd2', 'd3'].map(counting))).toEqual(refused.map(({ id }) => [id]))
  })

  it('follow once where several copies look, and while one of them is gone', async () => {
    const { patients, refuse, counting, until, start, database } = at
    patients.put('e1')
    patients.put('e2')
    const { id } = await refuse('e1')
    const [first] = [start(patients.news), start(patients.news), start()]
    await first.end()
    patients.put('e1', 'e2')
    await until(async () => (await counting('e2')).length > 0)
    expect(await recordsOfPatient('Patient/e2', undefined, database)).toMatchObject([{ id, version: 2 }])
  })

  it('follow after a restart, whoever was merged meanwhile', async () => {
    const { patients, refuse, counting, until, start } = at
    for (const id of ['f1', 'f2', 'f3', 'f4']) patients.put(id)
    const before = await refuse('f1')
    const meanwhile = await refuse('f3')
    const copy = start()
    patients.put('f1', 'f2')
    await until(async () => (await counting('f2')).length > 0)
    await copy.end()
    patients.put('f3', 'f4')
    start()
    await waitFor(async () => (await counting('f4')).length > 0, { what: 'the first look' })
    expect(await counting('f2')).toEqual([before.id])
    expect(await counting('f4')).toEqual([meanwhile.id])
  })

  it('follow at once where somebody tells of the merge, also of one that is still in use', async () => {
    const { patients, refuse, counting, start } = at
    patients.put('g1')
    patients.put('g2')
    const { id } = await refuse('g1')
    start(patients.news)
    await waitFor(async () => patients.looks() > 0, { what: 'the first look' })
    patients.put('g1', 'g2', { active: true })
    await waitFor(async () => (await counting('g2')).length > 0, { what: 'the merge to be heard of' })
    expect(await counting('g1')).toEqual([id])
  })

  it('are recorded for the survivor, whoever still knows the old id', async () => {
    const { patients, refuse, counting, until, start, database } = at
    patients.put('h1')
    patients.put('h2')
    const first = await refuse('h1')
    start()
    patients.put('h1', 'h2')
    await until(async () => (await counting('h2')).length > 0)
    const { id, patientId } = await refuse('h1')
    expect(patientId).toBe('Patient/h2')
    expect(await counting('h2')).toEqual([first.id, id])
    expect(await recordsOfPatient('Patient/h1', undefined, database)).toHaveLength(2)
  })

  it('are none of the old id, also where they are recorded while it is merged', async () => {
    const { patients, refuse, counting, start } = at
    patients.put('j1')
    patients.put('j2')
    start(patients.news)
    await waitFor(async () => patients.looks() > 0, { what: 'the first look' })
    const recording = Array.from({ length: 40 }, async (_, n) => {
      if (n === 15) patients.put('j1', 'j2')
      return refuse('j1')
    })
    const refused = (await Promise.all(recording)).map(({ id }) => id)
    await waitFor(async () => (await counting('j2')).length === 40, { what: 'all of them at the survivor' })
    expect(await counting('j2')).toEqual(refused.sort((some, other) => some - other))
  })

  it('stay with the survivor when a merge is undone, and the other is again who they are', async () => {
    const { patients, refuse, counting, until, start, log } = at
    patients.put('i1')
    patients.put('i2')
    const { id } = await refuse('i1')
    start()
    patients.put('i1', 'i2')
    await until(async () => (await counting('i2')).length > 0)
    patients.put('i1')
    await until(async () => (await counting('i1')).length === 0)
    expect(await counting('i2')).toEqual([id])
    expect(log.events('a merge was undone: what followed the patient stays with the other')).toHaveLength(1)
    const own = await refuse('i1')
    expect(await counting('i1')).toEqual([own.id])
  })

  it('follow to each survivor, though the store shows fewer at once than were asked for', async () => {
    const { patients, refuse, counting, until, start } = at
    const numbers = Array.from({ length: 60 }, (_, n) => n)
    for (const n of numbers) patients.put(`into-${n}`)
    for (const n of numbers) patients.put(`from-${n}`, `into-${n}`)
    const { id } = await refuse('from-59')
    start()
    await until(async () => (await counting('into-59')).length > 0)
    expect(await counting('into-59')).toEqual([id])
  })

  it('follow though the store has many who are out of use, of one moment or of many', async () => {
    const { patients, refuse, counting, until, start, clock } = at
    patients.put('last')
    for (let n = 0; n < 450; n++) patients.put(`many-${n}`, 'last')
    await clock.advance(1_000)
    for (let n = 0; n < 250; n++) {
      patients.put(`more-${n}`, 'last')
      await clock.advance(10)
    }
    const refused = [await refuse('many-449'), await refuse('more-249')]
    start()
    await until(async () => (await counting('last')).length === 2)
    expect(await counting('many-3')).toEqual(refused.map(({ id }) => id))
  })
})
