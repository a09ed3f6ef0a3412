import { describe, expect, it } from 'vitest'
import { bug, incorrect, unavailable } from '../../../packages/faults/fault.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import { sql } from '../../../packages/sql/sql.ts'
import type { Database } from '../../../packages/sql/queryable.ts'
import { auditedPatients } from './store/audited-patients.ts'
import { accessOf } from './testing/accesses.ts'
import { auditWorld, observation } from './testing/audit-world.ts'
import { verifyChains } from './verify-chain.ts'

describe('what is recorded', () => {
  it('is found by the ordinary search, by patient, person and time', async () => {
    await using audited = await auditWorld()
    const { auditor, world } = audited
    auditor.record(accessOf())
    auditor.record(accessOf({ touched: [{ type: 'Observation', id: 'smoking' }], requestId: 'request-2' }))
    await auditor.drain()
    expect(await world.find('AuditEvent?patient=amina')).toHaveLength(1)
    expect(await world.find('AuditEvent?agent=Practitioner/dr-amara&action=R')).toHaveLength(2)
    expect(await world.find('AuditEvent?entity=Observation/smoking&date=2026-03-04')).toHaveLength(1)
    expect(await world.find('AuditEvent?patient=amina&entity=Observation/smoking')).toHaveLength(0)
  })

  it('is told of every patient that had the resource before or after a change', async () => {
    await using audited = await auditWorld()
    const { auditor, world } = audited
    await world.put(observation('glucose', 'kofi'))
    await world.remove('Observation', 'smoking')
    auditor.record(accessOf({ interaction: 'update', touched: [{ type: 'Observation', id: 'glucose', version: 2 }] }))
    auditor.record(accessOf({ interaction: 'delete', touched: [{ type: 'Observation', id: 'smoking', version: 2 }] }))
    auditor.record(accessOf({ interaction: 'vread', touched: [{ type: 'Observation', id: 'glucose', version: 1 }] }))
    await auditor.drain()
    expect(await world.find('AuditEvent?action=U&patient=amina')).toHaveLength(1)
    expect(await world.find('AuditEvent?action=U&patient=kofi')).toHaveLength(1)
    expect(await world.find('AuditEvent?action=D&patient=kofi')).toHaveLength(1)
    expect(await world.find('AuditEvent?action=R&patient=amina')).toHaveLength(1)
    expect(await world.find('AuditEvent?action=R&patient=kofi')).toHaveLength(0)
  })

  it('is written together under load, each access once, in chains that hold', async () => {
    await using audited = await auditWorld({ batchMax: 50, touchedMax: 20 })
    const { auditor, world, deps } = audited
    for (let number = 1; number <= 300; number++) auditor.record(accessOf({ requestId: `request-${number}` }))
    await auditor.drain()
    const { count } = await world.database.one<{ count: number }>(
      sql`select count(distinct id)::integer as count from fhir.resources where type = 'AuditEvent'`,
    )
    expect(count).toBe(300)
    expect(await verifyChains(deps.database)).toMatchObject([{ is: 'whole', length: 300 }])
  })

  it('holds nothing of what was read', async () => {
    await using audited = await auditWorld()
    const { auditor, world } = audited
    await world.put({ resourceType: 'Patient', id: 'noor', name: [{ family: 'Zyxwvut' }], birthDate: '1931-02-03' })
    auditor.record(accessOf({ touched: [{ type: 'Patient', id: 'noor' }] }))
    auditor.record(
      accessOf({
        interaction: 'search-type',
        question: 'Patient?family=Zyxwvut',
        touched: [{ type: 'Patient', id: 'noor' }],
      }),
    )
    await auditor.drain()
    const { entries } = await world.page('AuditEvent?patient=noor')
    expect(entries).toHaveLength(2)
    expect(entries.map(({ content }) => content).join()).not.toMatch(/Zyxwvut|1931/)
  })
})

describe('when the log cannot be written', () => {
  it('everything waits and is written once the database is back', async () => {
    const away = switchable()
    await using audited = await auditWorld({}, ({ database }) => ({ database: away.over(database) }))
    const { auditor, world, log } = audited
    away.isAway = true
    auditor.record(accessOf())
    await waitFor(() => log.events('audit log not written').length > 1, { what: 'a second attempt' })
    away.isAway = false
    await auditor.drain()
    expect(await world.find('AuditEvent?patient=amina')).toHaveLength(1)
  })

  it('requests wait until there is room', async () => {
    const away = switchable()
    await using audited = await auditWorld({ queueMax: 2, admissionMs: 60_000 }, ({ database }) => ({
      database: away.over(database),
    }))
    const { auditor, metrics } = audited
    away.isAway = true
    for (let number = 0; number < 2; number++) {
      await auditor.admit()
      auditor.record(accessOf())
    }
    await expect(auditor.check()).rejects.toMatchObject({ kind: 'unavailable' })
    const admitted = auditor.admit()
    expect(auditor.held).toBe(1)
    away.isAway = false
    await expect(admitted).resolves.toBeUndefined()
    expect(auditor.held).toBe(0)
    await auditor.drain()
    await expect(auditor.check()).resolves.toBeUndefined()
    expect(await metrics.text()).toContain('corridor_audit_refused_requests_total 0')
  })

  it('requests that have waited too long are refused, and forgotten', async () => {
    const away = switchable()
    await using audited = await auditWorld({ queueMax: 1, admissionMs: 1, closeMs: 1 }, ({ database }) => ({
      database: away.over(database),
    }))
    const { auditor, metrics } = audited
    away.isAway = true
    auditor.record(accessOf())
    await expect(auditor.admit()).rejects.toMatchObject({ kind: 'unavailable', code: 'AUDIT_LOG_FULL' })
    expect(await metrics.text()).toContain('corridor_audit_refused_requests_total 1')
    expect(auditor.held).toBe(0)
    await auditor.close()
  })

  it('a batch that was written although its COMMIT was not answered is not written twice', async () => {
    const away = switchable()
    await using audited = await auditWorld({}, ({ database }) => ({ database: away.over(database) }))
    const { auditor, world, deps } = audited
    away.losesNextCommit = true
    auditor.record(accessOf())
    await auditor.drain()
    expect(away.losesNextCommit).toBe(false)
    expect(await world.find('AuditEvent?patient=amina')).toHaveLength(1)
    auditor.record(accessOf())
    await auditor.drain()
    expect(await verifyChains(deps.database)).toMatchObject([{ is: 'whole', length: 2 }])
  })

  it('what cannot be there is nothing to tell of, and keeps nobody waiting', async () => {
    await using audited = await auditWorld()
    const { auditor, world, log } = audited
    auditor.record(accessOf({ touched: [{ type: 'Patient', id: 'a\u0000b' }] }))
    auditor.record(accessOf({ requestId: 'next' }))
    await auditor.drain()
    expect(await world.find('AuditEvent?agent=Practitioner/dr-amara')).toHaveLength(1)
    expect(log.events('audit log not written')).toEqual([])
    const accesses = ['a\u0000b', 'amina', 'kofi'].map((id) => accessOf({ touched: [{ type: 'Patient', id }] }))
    const patientsOf = await auditedPatients(accesses, world.database)
    const found = accesses.flatMap((access) => access.touched.map((resource) => patientsOf(resource, access)))
    expect(found).toEqual([[], ['amina'], ['kofi']])
  })

  it.each([
    ['told', bug('cannot be indexed')],
    ['stored', incorrect('a value has the wrong form')],
  ])('one access that cannot be %s takes no other with it, and is counted', async (_how, fault) => {
    await using audited = await auditWorld({}, ({ indexOf }) => ({
      indexOf: (type, resource) => {
        if (JSON.stringify(resource).includes('poison')) throw fault
        return indexOf(type, resource)
      },
    }))
    const { auditor, world, log, metrics } = audited
    for (const requestId of ['one', 'poison', 'two']) auditor.record(accessOf({ requestId }))
    await auditor.drain()
    expect(await world.find('AuditEvent?patient=amina')).toHaveLength(2)
    expect(log.events('accesses not audited')).toMatchObject([{ level: 'error', count: 1, faultCode: 'NOT_WRITABLE' }])
    expect(await metrics.text()).toContain('corridor_audit_accesses_lost_total 1')
  })

  it('strangers and those who are turned away do not make it worse', async () => {
    await using audited = await auditWorld()
    const { auditor, world } = audited
    auditor.record(accessOf({ caller: undefined, outcome: { kind: 'refused', code: 'invalid_token' } }))
    auditor.record(accessOf({ outcome: { kind: 'failed', code: 'AUDIT_LOG_FULL' } }))
    await auditor.drain()
    expect(await world.find('AuditEvent')).toEqual([])
  })

  it('a queue that is full beyond measure says what it drops', async () => {
    const away = switchable()
    await using audited = await auditWorld({ queueMax: 1, closeMs: 1 }, ({ database }) => ({
      database: away.over(database),
    }))
    const { auditor, log } = audited
    away.isAway = true
    for (let number = 0; number < 3; number++) auditor.record(accessOf())
    expect(log.events('accesses not audited')).toMatchObject([{ faultCode: 'QUEUE_FULL' }])
    await auditor.close()
    expect(log.events('accesses not audited').map(({ faultCode }) => faultCode)).toContain('STOPPED')
  })
})

it('a stop writes what is left and logs where the chain ends', async () => {
  await using audited = await auditWorld({ gatherMs: 60_000 })
  const { auditor, world, log } = audited
  auditor.record(accessOf())
  await auditor.close()
  expect(await world.find('AuditEvent?patient=amina')).toHaveLength(1)
  const [row] = await world.database.many<{ hash: string }>(
    sql`select encode(head, 'hex') as hash from fhir.audit_chains`,
  )
  expect(log.events('audit chain ended')).toMatchObject([{ count: 1, hash: row?.hash }])
})

/** A database that can be away, or break the line while it commits. */
function switchable() {
  const state = {
    isAway: false,
    losesNextCommit: false,
    over: (database: Database): Database => ({
      ...database,
      many: (statement) => (state.isAway ? Promise.reject(gone()) : database.many(statement)),
      async transaction(work, options) {
        if (state.isAway) throw gone()
        const answer = await database.transaction(work, options)
        if (!state.losesNextCommit || !isBatch(answer)) return answer
        state.losesNextCommit = false
        throw gone()
      },
    }),
  }
  return state
}

/** Not the transaction that begins a chain. */
const isBatch = (answer: unknown) => (answer as { length: number }).length > 0

const gone = () => unavailable('The database does not answer.')
