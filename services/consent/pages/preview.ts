import { hash } from 'node:crypto'
import { areOpposed } from '../conflicts.ts'
import type { ConsentRecord, ConsentTerms } from '../record/consent-record.ts'
import { recordsWithASay, type RecordWithASay } from '../store/records-with-a-say.ts'
import { recordsOfPatient } from '../store/records.ts'
import { dayIn } from '../../../packages/clock/day-in.ts'
import { stateOn } from './consent-state.ts'
import type { PageDeps } from './deps.ts'
import { whatChanges, type Change } from './what-changes.ts'

/** What a step would change, and on which state of the records that was worked out. */
export interface Preview {
  readonly changes: readonly Change[]
  /** The day whose answers are compared: today, or the first day of what begins later. */
  readonly day: string
  /** Records that say the opposite for some of the same. */
  readonly opposed: readonly ConsentRecord[]
  /** Changes with every record that has a say; a step taken on another state than was shown is shown again. */
  readonly basis: string
}

type PreviewDeps = Pick<PageDeps, 'database' | 'settings' | 'clock'>

export async function previewOfNew(terms: ConsentTerms, patientId: string, deps: PreviewDeps): Promise<Preview> {
  const now = deps.clock.now()
  const day = firstDayOf(terms, dayIn(deps.settings.timeZone, now))
  const [before, own] = await Promise.all([
    recordsWithASay(patientId, deps.database),
    recordsOfPatient(patientId, day, deps.database),
  ])
  const proposed = { ...terms, id: 0, status: 'active', isDomainPolicy: false, updatedAt: now } as const
  const proposal = { patientId, before, after: [...before, proposed], changed: [terms] }
  return {
    changes: whatChanges(proposal, day, deps.settings.implicitPolicy),
    day,
    opposed: own.filter((record) => areOpposed(terms, record)),
    basis: basisOf(before),
  }
}

/** What it gives and what it takes, on the day on which the old or the new terms begin to count. */
export async function previewOfChange(record: ConsentRecord, terms: ConsentTerms, deps: PreviewDeps): Promise<Preview> {
  const today = dayIn(deps.settings.timeZone, deps.clock.now())
  const day = stateOn(today, record) === 'active' ? today : firstDayOf(terms, today)
  const [before, own] = await Promise.all([
    recordsWithASay(record.patientId, deps.database),
    record.patientId === null ? [] : recordsOfPatient(record.patientId, day, deps.database),
  ])
  const after = before.map((one) => (one.id === record.id ? { ...one, ...terms } : one))
  const proposal = { patientId: record.patientId ?? '', before, after, changed: [record, terms] }
  return {
    changes: whatChanges(proposal, day, deps.settings.implicitPolicy),
    day,
    opposed: own.filter((other) => other.id !== record.id && areOpposed(terms, other)),
    basis: basisOf(before),
  }
}

/** A policy has no patient: what is shown then holds for everybody who has no consents of their own. */
export async function previewOfRevoking(record: ConsentRecord, deps: PreviewDeps): Promise<Preview> {
  const day = firstDayOf(record, dayIn(deps.settings.timeZone, deps.clock.now()))
  const before = await recordsWithASay(record.patientId, deps.database)
  const after = before.filter(({ id }) => id !== record.id)
  const proposal = { patientId: record.patientId ?? '', before, after, changed: [record] }
  const changes = whatChanges(proposal, day, deps.settings.implicitPolicy)
  return { changes, day, opposed: [], basis: basisOf(before) }
}

const firstDayOf = ({ periodStart }: Pick<ConsentTerms, 'periodStart'>, today: string): string =>
  periodStart !== null && periodStart > today ? periodStart : today

const basisOf = (records: readonly Pick<RecordWithASay, 'id' | 'version'>[]): string =>
  hash('sha256', records.map(({ id, version }) => `${id}:${version}`).join(' '), 'base64url')
