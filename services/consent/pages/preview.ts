import { hash } from 'node:crypto'
import { opposedTo } from '../conflicts.ts'
import type { ConsentRecord, ConsentTerms } from '../record/consent-record.ts'
import { recordsWithASay, type RecordWithASay } from '../store/records-with-a-say.ts'
import { dayIn } from '../../../packages/clock/day-in.ts'
import type { PageDeps } from './deps.ts'
import { questionsOf, whatChanges, type Change, type Proposal } from './what-changes.ts'

/** What a step would change, and on which state of the records that was worked out. */
export interface Preview {
  /** In their order; none where no answer turns round on any day. */
  readonly days: readonly TurningDay[]
  /** The records differ in more ways than are compared: other answers may turn round, too. */
  readonly isPartial: boolean
  /** Records that say the opposite for some of the same. */
  readonly opposed: readonly RecordWithASay[]
  /** Changes with every record that has a say; a step taken on another state than was shown is shown again. */
  readonly basis: string
}

/** A day on which answers turn round: today, or a later one on which old or new terms begin or have ended. */
export interface TurningDay {
  readonly day: string
  readonly changes: readonly ToldChange[]
}

/** With as many actors as anybody reads. */
export interface ToldChange extends Change {
  /** How many are named beyond them. */
  readonly more: number
}

type PreviewDeps = Pick<PageDeps, 'database' | 'settings' | 'clock'>

export async function previewOfNew(terms: ConsentTerms, patientId: string, deps: PreviewDeps): Promise<Preview> {
  const now = deps.clock.now()
  const today = dayIn(deps.settings.timeZone, now)
  const before = await recordsWithASay(patientId, deps.database)
  const proposed = { ...terms, id: 0, status: 'active', isDomainPolicy: false, updatedAt: now } as const
  const proposal = { patientId, before, after: [...before, proposed], changed: [terms] }
  return {
    ...(await turningDays(proposal, daysThatCount(today, [terms], before), deps)),
    opposed: opposedTo(terms, before, today),
    basis: basisOf(before),
  }
}

/** What it gives and what it takes, whenever the old or the new terms begin or cease to count. */
export async function previewOfChange(record: ConsentRecord, terms: ConsentTerms, deps: PreviewDeps): Promise<Preview> {
  const today = dayIn(deps.settings.timeZone, deps.clock.now())
  const before = await recordsWithASay(record.patientId, deps.database)
  const after = before.map((one) => (one.id === record.id ? { ...one, ...terms } : one))
  const others = before.filter(({ id }) => id !== record.id)
  const proposal = { patientId: record.patientId ?? '', before, after, changed: [record, terms] }
  return {
    ...(await turningDays(proposal, daysThatCount(today, [record, terms], others), deps)),
    opposed: opposedTo(terms, others, today),
    basis: basisOf(before),
  }
}

/** A policy has no patient: what is shown then holds for everybody who has no consents of their own. */
export async function previewOfRevoking(record: ConsentRecord, deps: PreviewDeps): Promise<Preview> {
  const today = dayIn(deps.settings.timeZone, deps.clock.now())
  const before = await recordsWithASay(record.patientId, deps.database)
  const after = before.filter(({ id }) => id !== record.id)
  const proposal = { patientId: record.patientId ?? '', before, after, changed: [record] }
  const turning = await turningDays(proposal, daysThatCount(today, [record], after), deps)
  return { ...turning, opposed: [], basis: basisOf(before) }
}

/** For whoever takes the step: whether the records are still those that the preview was made from needs no preview. */
export async function isSeenBasis(
  basis: string | undefined,
  patientId: string | null,
  { database }: Pick<PreviewDeps, 'database'>,
): Promise<boolean> {
  return basis === basisOf(await recordsWithASay(patientId, database))
}

type Period = Pick<ConsentTerms, 'periodStart' | 'periodEnd'>

/**
 * Between two of these days nothing turns round. Beside the terms themselves the patient's other records count: a permit has
 * its effect from the day on which a refusal ends, and is missed from the day on which another permit does. Policies are
 * left out: a thousand of them would be as many days.
 */
function daysThatCount(today: string, terms: readonly Period[], others: readonly RecordWithASay[]): string[] {
  const concerns = (day: string) =>
    terms.some(({ periodStart, periodEnd }) => (periodStart ?? '') <= day && (periodEnd === null || day <= periodEnd))
  const ofOthers = turnsOf(others.filter(({ patientId }) => patientId !== null))
    .filter((day) => day > today && concerns(day))
    .toSorted()
  const own = turnsOf(terms).filter((day) => day > today)
  return [...new Set([today, ...own, ...ofOthers.slice(0, daysOfOthersMax)])].toSorted()
}

/** Nobody reads on. */
const daysOfOthersMax = 20

const turnsOf = (periods: readonly Period[]) =>
  periods.flatMap(({ periodStart, periodEnd }) => [
    ...(periodStart === null ? [] : [periodStart]),
    ...(periodEnd === null ? [] : [dayAfter(periodEnd)]),
  ])

/** After the year 9999 comes none that anybody waits for: it begins with a plus, which sorts before every day. */
const dayAfter = (day: string): string => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)

/** Of all days together: about a second of work, in between that of others. A common step asks some hundreds. */
const questionsMax = 20_000

/** What has turned round and stays so is told of its first day only. */
async function turningDays(
  proposal: Proposal,
  days: readonly string[],
  { settings }: PreviewDeps,
): Promise<Pick<Preview, 'days' | 'isPartial'>> {
  const questions = questionsOf(proposal, Math.floor(questionsMax / days.length))
  const turning: TurningDay[] = []
  let told = new Set<string>()
  for (const day of days) {
    const all = await whatChanges(questions, day, settings.implicitPolicy)
    const changes = all.filter((change) => !told.has(JSON.stringify(change)))
    told = new Set(all.map((change) => JSON.stringify(change)))
    if (changes.length > 0) turning.push({ day, changes: changes.map(toldChange) })
  }
  return { days: turning, isPartial: questions.isCut }
}

const actorsMax = 40

function toldChange(change: Change): ToldChange {
  const named = change.actors.filter((actor) => actor !== null)
  const others = change.actors.includes(null) ? [null] : []
  return { ...change, actors: [...named.slice(0, actorsMax), ...others], more: Math.max(0, named.length - actorsMax) }
}

const basisOf = (records: readonly Pick<RecordWithASay, 'id' | 'version'>[]): string =>
  hash('sha256', records.map(({ id, version }) => `${id}:${version}`).join(' '), 'base64url')
