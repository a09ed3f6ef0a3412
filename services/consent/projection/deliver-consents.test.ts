import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemIds } from '../../../packages/clock/ids.ts'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { unavailable } from '../../../packages/faults/fault.ts'
import type { Resource } from '../../../packages/fhir/r4.ts'
import { silentLog } from '../../../packages/log/log.ts'
import { Outbox } from '../../../packages/sql/tasks/outbox.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { callerWith } from '../../../packages/http/testing/test-server.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import { demoConsents, seedDemoConsents } from '../demo-consents.ts'
import { changeRecord, createRecord, revokeRecord } from '../record/save.ts'
import { recordIds } from '../store/record-ids.ts'
import { consentDatabase, type ConsentDatabase } from '../testing/consent-database.ts'
import { recordWith } from '../testing/record-fixture.ts'
import { deliverConsents } from './deliver-consents.ts'

let world: ConsentDatabase
beforeAll(async () => {
  world = await consentDatabase()
})
afterAll(() => world[Symbol.asyncDispose]())

const settings = {
  fhirUrl: 'http://localhost/fhir',
  timeZone: 'UTC',
  implicitPolicy: 'deny',
  strictOrganisation: false,
  auditBeforeAnswer: false,
  fhirProjection: true,
} as const

function serviceWith(clock = new SimulatedClock('2026-03-04T05:00:00Z')) {
  const { database } = world
  return {
    database,
    clock,
    ids: systemIds,
    outbox: new Outbox({ database, clock, ids: systemIds, log: silentLog }),
    recordIds: recordIds(database),
    settings,
    resourceTypes: new Set(['Observation', 'Condition']),
  }
}

const call = { caller: callerWith(['CLINICIAN']), request: { id: 'r-1', peer: '127.0.0.1' } }

describe('changed records', () => {
  it('reach the FHIR store as they last were, under one id, also when it fails at first', async () => {
    const deps = serviceWith()
    const puts: Resource[] = []
    let failures = 2
    const store = {
      update: async <T extends Resource>(consent: T & { readonly id: string }) => {
        if (failures-- > 0) throw unavailable('The store is away.')
        puts.push(consent)
        return { resource: consent, outcome: 'updated' } as const
      },
    }
    const { id: _id, ...terms } = recordWith({ patientId: 'Patient/told' })
    const record = await createRecord(terms, call, deps)
    const changed = await changeRecord(record, { ...terms, provisionType: 'deny' }, call, deps)
    await revokeRecord(changed ?? record, 'moved', call, deps)
    const worker = deliverConsents(store, deps)
    worker.start()
    await waitFor(
      async () => {
        await deps.clock.advance(2_000)
        return puts.length === 3
      },
      { everyMs: 5, what: 'three deliveries' },
    )
    await worker.stop()
    // Each message brings the record as it is now, so even the first one brings nothing old.
    expect(new Set(puts.map((put) => JSON.stringify(put))).size).toBe(1)
    expect(puts[0]).toMatchObject({ id: record.fhirConsentId, status: 'inactive', provision: { type: 'deny' } })
    const { count } = await world.database.one<{ count: string }>(sql`select count(*) from kit.outbox`)
    expect(count).toBe('0')
  })
})

describe('the demo consents', () => {
  it('are there once, however often and by however many copies they are seeded', async () => {
    await Promise.all([seedDemoConsents(serviceWith()), seedDemoConsents(serviceWith())])
    await seedDemoConsents(serviceWith())
    const rows = await world.database.many<{ id: string }>(sql`
      select fhir_consent_id as id from consent.records where fhir_consent_id like 'demo-%' order by 1`)
    expect(rows.map(({ id }) => id)).toEqual(
      demoConsents()
        .map(({ fhirConsentId }) => fhirConsentId)
        .sort(),
    )
  })
})

describe('record ids', () => {
  it('are handed out once, also by several copies at the same moment', async () => {
    const copies = [recordIds(world.database), recordIds(world.database), recordIds(world.database)]
    const ids = await Promise.all(Array.from({ length: 300 }, (_, n) => copies[n % 3]?.next()))
    expect(new Set(ids).size).toBe(300)
  })
})
