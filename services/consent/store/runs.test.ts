import { expect, it } from 'vitest'
import { appendToChain, emptyChain, type AuditEvent } from '../audit/audit-event.ts'
import { consentDatabase } from '../testing/consent-database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { writeEvents } from './audit-events.ts'
import { recentEvents, type EventPlace, type LogKind } from './recent-events.ts'
import { runRowsMax, withRuns } from './runs.ts'

const start = Date.UTC(2026, 2, 4, 5)

const eventAt = (ms: number, subject: string | null, changed: Partial<AuditEvent> = {}): AuditEvent => ({
  ...{ at: new Date(start + ms), event: 'evaluation', outcome: 'PERMIT', subject, clientId: null, peer: null },
  ...{ requestId: null, decisionId: null, patientId: 'Patient/p1', actorReferences: [], resourceType: null },
  ...{ operation: null, purposeOfUse: null, asOf: null, recordId: null, patientsSeen: null },
  ...changed,
})
const runsAfter = (events: readonly AuditEvent[]) =>
  withRuns(appendToChain(emptyChain, events).rows).map(({ callerRun }) => callerRun)

const isSubset = (part: Partial<AuditEvent>, whole: Partial<AuditEvent>) =>
  Object.entries(part).every(([name, value]) => Object.entries(whole).some(([n, v]) => n === name && v === value))

it('makes a run of the decisions of one caller, also where others stand between them', () => {
  expect(runsAfter([eventAt(0, 'a'), eventAt(0, 'b'), eventAt(1, 'a'), eventAt(1, 'b'), eventAt(2, 'a')])).toEqual([
    null,
    null,
    1,
    2,
    1,
  ])
})

it('makes a run of those about one patient, for each caller', () => {
  const about = (subject: string, patientId: string | null) => eventAt(0, subject, { patientId })
  const asked = [about('a', 'p'), about('a', 'q'), about('b', 'p'), about('a', 'p'), about('a', null), about('a', null)]
  const { rows } = appendToChain(emptyChain, asked)
  expect(withRuns(rows).map(({ patientRun }) => patientRun)).toEqual([null, null, null, 1, null, null])
})

it.each([
  ['more than a second later', [eventAt(0, 'a'), eventAt(1_000, 'a'), eventAt(1_001, 'a')], [null, 1, null]],
  ['earlier than its first row', [eventAt(5, 'a'), eventAt(4, 'a')], [null, null]],
  ['of nobody', [eventAt(0, null), eventAt(0, null)], [null, null]],
  ['a look', [eventAt(0, 'a'), eventAt(0, 'a', { event: 'access', outcome: 'SHOWN' })], [null, null]],
])('begins anew with what is %s', (_what, events, runs) => expect(runsAfter(events)).toEqual(runs))

it('makes no run longer than whoever looks for its rows goes', () => {
  const runs = runsAfter(Array.from({ length: runRowsMax + 2 }, () => eventAt(0, 'a')))
  expect(runs.slice(runRowsMax - 1)).toEqual([1, null, runRowsMax + 1])
})

it('finds each event of a caller and about a patient once and in order, whatever the runs that they stand in', async () => {
  await using made = await consentDatabase()
  let chance = 7
  const next = (below: number) => (chance = (chance * 16_807) % 2_147_483_647) % below
  const all: (EventPlace & AuditEvent)[] = []
  // Three copies that write beside each other, in batches of which some waited for seconds.
  for (const copy of [1, 2, 3]) {
    const chain = `01900000-0000-7000-8000-00000000000${copy}`
    let head = emptyChain
    for (let batch = 0; batch < 12; batch++) {
      let ms = batch * 900
      const events = Array.from({ length: 1 + next(60) }, () => {
        ms += next(4) === 0 ? next(300) : 0
        const look = { event: 'access', outcome: 'SHOWN' } as const
        return eventAt(ms, next(3) === 0 ? 'often' : `rare ${next(5)}`, {
          ...(next(9) === 0 && look),
          patientId: `Patient/p${next(4)}`,
        })
      })
      const { rows, head: after } = appendToChain(head, events)
      await writeEvents(chain, rows, after, new Date(start + ms), made.database)
      head = after
      all.push(...rows.map((row) => ({ ...row, chain })))
    }
  }
  const { callers, patients } = await made.database.one<{ callers: number; patients: number }>(sql`
    select count(*) filter (where caller_run is null)::int as callers,
      count(*) filter (where patient_run is null)::int as patients
    from consent.audit_events`)
  expect(callers).toBeLessThan(all.length / 2)
  expect(patients).toBeLessThan((all.length * 3) / 4)

  const placeOf = ({ at, chain, position }: EventPlace) =>
    `${at.toISOString()} ${chain} ${String(position).padStart(9, '0')}`
  for (const kind of [undefined, 'decisions', 'looks'] satisfies (LogKind | undefined)[]) {
    for (const whose of [
      { subject: 'often' },
      { subject: 'rare 3' },
      { subject: 'nobody' },
      { patientId: 'Patient/p1' },
      { patientId: 'Patient/p2', subject: 'often' },
      { patientId: 'Patient/p3', subject: 'rare 1' },
    ]) {
      const expected = all
        .filter(({ subject, patientId }) => isSubset(whose, { subject, patientId }))
        .filter(({ event }) => kind === undefined || (event === 'access') === (kind === 'looks'))
        .map(placeOf)
        .toSorted()
        .toReversed()
      for (const limit of [3, 50]) {
        const found: string[] = []
        for (let before: EventPlace | undefined; ;) {
          const page = await recentEvents({ kind, ...whose, before, limit }, made.database)
          found.push(...page.map(placeOf))
          before = page.at(-1)
          if (page.length < limit) break
        }
        expect(found).toEqual(expected)
      }
    }
  }
})
