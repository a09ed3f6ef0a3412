import { expect, it } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { forbidden, unprocessable } from '../../../packages/faults/fault.ts'
import { silentLog } from '../../../packages/log/log.ts'
import { openDatabase } from '../../../packages/sql/database.ts'
import { Outbox } from '../../../packages/sql/tasks/outbox.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import type { FhirStore } from '../../../ports/fhir-store/fhir-store.ts'
import type { AuditEvent } from '../../../ports/fhir-store/resources.ts'
import { unavailableFhirStore } from '../../../ports/fhir-store/unavailable-fhir-store.ts'
import { storeWorld } from '../outbound/testing/dispatch-world.ts'
import type { Failed } from '../pipeline/outcome.ts'
import { publishBoundaries } from '../pipeline/boundaries.ts'
import { tellingPart } from '../pipeline/telling.ts'
import { bridgeDatabase } from '../testing/bridge-database.ts'
import { auditTelling } from './audit-telling.ts'
import { sendToFhirStore } from './send-audit.ts'
import { finishedMessage, known, succeeded } from './testing/finished-messages.ts'

it('every message, also one that was refused, is one AuditEvent, also when it is sent twice', async () => {
  await using store = await storeWorld()
  await using server = await bridgeDatabase()
  const database = await openDatabase({ url: server.url, poolMax: 4, log: silentLog })
  const outbox = new Outbox({ database, clock: systemClock, log: silentLog })
  const part = tellingPart([auditTelling(['fhir'], outbox, '4711')], outbox)
  const said = { code: 'AR', errorCode: 'CONSENT_DENIED', errorMessage: '', issues: [] } as const
  const refused: Failed = { ...known, ...said, status: 'ERROR' }
  const messages = [
    ...Array.from({ length: 120 }, (_, n) => finishedMessage({ transactionId: `t-${n}` })),
    finishedMessage({ transactionId: 't-refused', outcome: refused }),
    finishedMessage({ transactionId: 't-again', outcome: { status: 'DUPLICATE', of: 't-1', hasOtherContent: false } }),
    finishedMessage({
      ...{ transactionId: 't-query', messageType: 'QBP^Q22', query: 'QPD|Q22|T1|@PID.5.1^Okonkwo' },
      outcome: { ...succeeded, resources: [], otherPatients: [{ patient: 'Patient/p2', goldenPatientId: 'g2' }] },
    }),
    finishedMessage({ transactionId: 't-unreadable', messageType: '', controlId: '', peer: '' }),
  ]
  const worker = sendToFhirStore(store.fhirStore, source, { outbox, passBoundary: publishBoundaries() })
  worker.start()
  for (let time = 0; time < 2; time++) {
    const statement = part.statement(messages)
    if (statement !== undefined) await database.run(statement)
    await worker.drain()
  }
  await worker.stop()
  expect(await database.many(sql`select 1 from kit.outbox`)).toEqual([])
  await database.close()
  const parameters = { _tag: 'urn:corridor:audit-id|', _count: '500' }
  const events = await store.fhirStore.search<AuditEvent>('AuditEvent', parameters)
  expect(events).toHaveLength(messages.length)
  const transactions = events.flatMap(({ entity }) => entity?.at(-1)?.what?.identifier?.value ?? [])
  expect(new Set(transactions)).toEqual(new Set(messages.map(({ transactionId }) => transactionId)))
  const about = await store.fhirStore.search<AuditEvent>('AuditEvent', { ...parameters, patient: 'p1', outcome: '4' })
  expect(about).toMatchObject([{ outcomeDesc: 'CONSENT_DENIED' }])
  const asked = await store.fhirStore.search<AuditEvent>('AuditEvent', { ...parameters, patient: 'p2' })
  expect(asked).toMatchObject([{ action: 'E', entity: [{}, { what: { reference: 'Patient/p2' } }, {}, {}] }])
})

const source = { sourceId: 'corridor-bridge', site: undefined, patientAuthority: 'CORRIDOR' }

it.each([
  ['waits until the store lets us in', forbidden('Not you.'), 30, []],
  ['is kept as dead where the store will not have it', unprocessable('Not this.'), Number.POSITIVE_INFINITY, [10]],
])('an AuditEvent %s', async (_, fault, refusals, expected) => {
  await using server = await bridgeDatabase()
  const database = await openDatabase({ url: server.url, poolMax: 4, log: silentLog })
  const clock = new SimulatedClock()
  const outbox = new Outbox({ database, clock, log: silentLog })
  let asked = 0
  const store: FhirStore = {
    ...unavailableFhirStore,
    capabilities: async () => ({ transaction: true, batch: true, conditionalUpdate: () => true }),
    transaction: async ({ entry = [] }) => {
      if (asked++ < refusals) throw fault
      const response = { status: '201' }
      return { resourceType: 'Bundle', type: 'transaction-response', entry: entry.map(() => ({ response })) }
    },
  }
  const statement = tellingPart([auditTelling(['fhir'], outbox, '4711')], outbox).statement([finishedMessage()])
  if (statement !== undefined) await database.run(statement)
  const worker = sendToFhirStore(store, source, { outbox, passBoundary: publishBoundaries() })
  worker.start()
  const open = sql`select 1 from kit.outbox where dead_at is null`
  const isOver = async () => clock.advance(30_000).then(async () => (await database.many(open)).length === 0)
  await waitFor(isOver, { what: 'the record is taken or dead', deadlineMs: 60_000 })
  await worker.stop()
  expect((await outbox.dead('bridge.audit.fhir')).map(({ attempts }) => attempts)).toEqual(expected)
  await database.close()
})
