import { afterAll, beforeAll, expect, it } from 'vitest'
import { appendToChain, emptyChain, type AuditEvent } from '../audit/audit-event.ts'
import { consentDatabase, type ConsentDatabase } from '../testing/consent-database.ts'
import { writeEvents } from './audit-events.ts'
import { noteMerge } from '../../../ports/patient-index/merges/merge-table.ts'
import { mergeTables } from './merged-patients.ts'
import { countAlerts, latestAlerts } from './enumeration-alerts.ts'
import { recentEvents, type EventPlace, type LogKind } from './recent-events.ts'
import { addSightings, raiseAlerts } from './sightings.ts'

let made: ConsentDatabase
const at = (minute: number) => new Date(Date.UTC(2026, 2, 4, 5, minute))

beforeAll(async () => {
  made = await consentDatabase()
  // Two copies that write at the same time.
  for (const [chain, minutes] of [
    ['01900000-0000-7000-8000-000000000001', [1, 3, 5]],
    ['01900000-0000-7000-8000-000000000002', [2, 4, 6]],
  ] as const) {
    const { rows, head } = appendToChain(
      emptyChain,
      minutes.map((minute) => eventAt(minute)),
    )
    await writeEvents(chain, rows, head, at(10), made.database)
  }
})
afterAll(() => made[Symbol.asyncDispose]())

const eventAt = (minute: number): AuditEvent => ({
  ...{ at: at(minute), event: 'evaluation', outcome: 'PERMIT', subject: minute > 3 ? 'late' : 'early' },
  ...{ clientId: null, peer: null, requestId: null, decisionId: null, patientId: `Patient/p${minute}` },
  ...{ actorReferences: ['Organization/central'], resourceType: 'Observation', operation: 'READ' },
  ...{ purposeOfUse: 'TREAT', asOf: null, recordId: minute, patientsSeen: null },
})

it.each([
  ['the newest of all copies', {}, [6, 5, 4, 3]],
  ['what came before an instant', { before: { at: at(4) } }, [3, 2, 1]],
  ['those of one caller', { subject: 'early' }, [3, 2, 1]],
  ['those of one caller before an instant', { subject: 'late', before: { at: at(6) } }, [5, 4]],
  ['those about one patient', { patientId: 'Patient/p2' }, [2]],
  ['none of a caller who never asked', { subject: 'nobody' }, []],
])('reads %s, newest first', async (_which, wanted, ids) => {
  const events = await recentEvents({ ...wanted, limit: 4 }, made.database)
  expect(events.map(({ recordId }) => recordId)).toEqual(ids)
})

it.each([
  ['of all', {}],
  ['of one caller', { subject: 'at once' }],
])(
  'shows each row %s on one page, however many are of one millisecond and however many copies there were',
  async (_whose, whose) => {
    await using many = await consentDatabase()
    // A copy that wrote nine at once, and more that came and went than are looked at for one page.
    const copies = [9, ...Array.from({ length: 70 }, () => 1)]
    for (const [copy, count] of copies.entries()) {
      const events = Array.from({ length: count }, () => ({ ...eventAt(copy), subject: 'at once' }))
      const { rows, head } = appendToChain(emptyChain, events)
      const chain = `01900000-0000-7000-8000-${String(copies.length - copy).padStart(12, '0')}`
      await writeEvents(chain, rows, head, at(copy), many.database)
    }
    const seen: string[] = []
    const ids: (number | null)[] = []
    for (let before: EventPlace | undefined; ;) {
      const page = await recentEvents({ ...whose, before, limit: 4 }, many.database)
      for (const { chain, position, recordId } of page) {
        seen.push(`${chain} ${position}`)
        ids.push(recordId)
      }
      before = page.at(-1)
      if (page.length < 4) break
    }
    expect([seen.length, new Set(seen).size]).toEqual([79, 79])
    expect(ids).toEqual(ids.toSorted((a, b) => (b ?? 0) - (a ?? 0)))
  },
)

it('reads those of one kind, in pages, however few they are among the others', async () => {
  await using mixed = await consentDatabase()
  const kindsIn = (minute: number, ...outcomes: readonly AuditEvent['outcome'][]) =>
    outcomes.map((outcome): AuditEvent => {
      const event = outcome === 'PERMIT' || outcome === 'MALFORMED' ? 'evaluation' : 'access'
      return { ...eventAt(minute), event: outcome === 'ALERT' ? 'enumeration suspected' : event, outcome }
    })
  // The last copy has answered nothing, and so have more before it than are looked at for one page.
  const copies = [
    kindsIn(1, 'PERMIT', 'SHOWN', 'MALFORMED', 'CREATED'),
    kindsIn(2, 'PERMIT', 'CHANGED', 'ALERT', 'REVOKED', 'MOVED'),
    ...Array.from({ length: 60 }, (_, copy) => kindsIn(3 + copy, 'SHOWN')),
  ]
  for (const [copy, events] of copies.entries()) {
    const { rows, head } = appendToChain(emptyChain, events)
    const chain = `01900000-0000-7000-8000-${String(copy).padStart(12, '0')}`
    await writeEvents(chain, rows, head, at(copy), mixed.database)
  }
  const outcomesOf = async (kind: LogKind, whose = {}) => {
    const found: string[] = []
    for (let before: EventPlace | undefined; ;) {
      const page = await recentEvents({ ...whose, kind, before, limit: 2 }, mixed.database)
      found.push(...page.map(({ outcome }) => outcome))
      before = page.at(-1)
      if (page.length < 2) return found
    }
  }
  expect(await outcomesOf('decisions')).toEqual(['PERMIT', 'MALFORMED', 'PERMIT'])
  expect(await outcomesOf('changes')).toEqual(['MOVED', 'REVOKED', 'CHANGED', 'CREATED'])
  expect(await outcomesOf('looks')).toHaveLength(61)
  expect(await outcomesOf('changes', { patientId: 'Patient/p1' })).toEqual(['CREATED'])
  expect(await outcomesOf('decisions', { subject: 'early' })).toEqual(['PERMIT', 'MALFORMED', 'PERMIT'])
})

it('reads what was asked about a person under every id that they had, whichever is named', async () => {
  await using merged = await consentDatabase()
  const { rows, head } = appendToChain(emptyChain, [1, 2, 3, 4].map(eventAt))
  await writeEvents('01900000-0000-7000-8000-000000000001', rows, head, at(10), merged.database)
  await merged.database.transaction(async (tx) => {
    await noteMerge({ from: 'Patient/p1', to: 'Patient/p2' }, at(5), mergeTables, tx)
    await noteMerge({ from: 'Patient/p2', to: 'Patient/p3' }, at(6), mergeTables, tx)
  })
  for (const patientId of ['Patient/p1', 'Patient/p2', 'Patient/p3']) {
    const about = async (wanted = {}) =>
      (await recentEvents({ patientId, limit: 4, ...wanted }, merged.database)).map(({ recordId }) => recordId)
    expect(await about()).toEqual([3, 2, 1])
    expect(await about({ before: { at: at(3) }, limit: 1 })).toEqual([2])
    expect(await about({ kind: 'looks' })).toEqual([])
  }
})

it('lists the alerts, newest first, and counts them all', async () => {
  for (const [caller, minute] of [
    ['first', 1],
    ['second', 2],
  ] as const) {
    const windowStart = at(0)
    await addSightings([{ caller, windowStart, patientId: 'Patient/p1' }], made.database)
    await raiseAlerts([{ caller, windowStart }], { patientsMax: 0, now: at(minute) }, made.database)
  }
  const alerts = await latestAlerts(1, made.database)
  expect(alerts).toEqual([{ caller: 'second', windowStart: at(0), patients: 1, raisedAt: at(2) }])
  expect(await countAlerts(made.database)).toBe(2)
})
