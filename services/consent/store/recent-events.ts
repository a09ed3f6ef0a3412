import type { Queryable } from '../../../packages/sql/database.ts'
import { sql, type Statement } from '../../../packages/sql/sql.ts'
import { idsOfPerson } from '../../../ports/patient-index/merges/merge-table.ts'
import type { AuditEvent } from '../audit/audit-event.ts'
import { mergeTables } from './merged-patients.ts'
import { runMsMax, runRowsMax } from './runs.ts'

/** What the trail holds: questions with their answers, what was done to records, and who was shown some. */
export const logKinds = ['decisions', 'changes', 'looks'] as const
export type LogKind = (typeof logKinds)[number]

export interface WantedEvents {
  /** All where none is wanted. */
  readonly kind?: LogKind | undefined
  readonly subject?: string | undefined
  /** Under whichever of their ids: what happened before a merge happened to the same person. */
  readonly patientId?: string | undefined
  /** Only what comes after this row in the list, or what came before this instant. */
  readonly before?: EventPlace | Pick<EventPlace, 'at'> | undefined
  readonly limit: number
}

/** Where an event stands in the list: many are of one millisecond. */
export interface EventPlace {
  readonly at: Date
  readonly chain: string
  readonly position: number
}

export type LoggedEvent = Omit<AuditEvent, 'peer' | 'requestId' | 'decisionId' | 'asOf'>

const columns = sql`
  e.chain, e.position, e.at, e.event, e.outcome, e.subject, e.client_id as "clientId", e.patient_id as "patientId",
  e.actor_references as "actorReferences", e.resource_type as "resourceType", e.operation,
  e.purpose_of_use as "purposeOfUse", e.record_id as "recordId", e.patients_seen as "patientsSeen"`

const newestFirst = sql`e.at desc, e.chain desc, e.position desc`

/** The newest rows of the audit trail, of one kind, of one caller or about one patient where that is wanted. */
export async function recentEvents(wanted: WantedEvents, on: Queryable): Promise<(LoggedEvent & EventPlace)[]> {
  const { kind, subject, patientId, before, limit } = wanted
  const earlier = before === undefined ? sql`true` : isEarlierThan(before)
  const isOfKind = kind === undefined ? sql`true` : kinds[kind]
  const ids = patientId === undefined ? undefined : await idsOfPerson(patientId, mergeTables, on)
  const whose = whoseAre(subject, ids)
  const isOfFew = kind === 'looks' || kind === 'changes'
  const rows =
    whose !== undefined && !isOfFew
      ? await ofRuns(whose, before, isOfKind, limit, on)
      : await on.many<EventRow>(
          !isOfFew
            ? ofAll(earlier, isOfKind, limit)
            : whose === undefined
              ? ofFew(sql`${isOfKind} and ${earlier}`, limit)
              : ofFew(sql`${whose.are} and ${whose.run} is null and ${isOfKind} and ${earlier}`, limit),
        )
  return rows.map((row) => ({
    ...row,
    position: Number(row.position),
    recordId: row.recordId === null ? null : Number(row.recordId),
  }))
}

/** Written out: looks and changes have indexes for these words. */
const kinds: Readonly<Record<LogKind, Statement>> = {
  decisions: sql`e.event = 'evaluation'`,
  changes: sql`e.outcome in ('CREATED', 'CHANGED', 'REVOKED', 'MOVED')`,
  looks: sql`e.outcome = 'SHOWN'`,
}

type EventRow = Omit<LoggedEvent & EventPlace, 'position' | 'recordId'> & {
  readonly position: string
  readonly recordId: string | null
}

const isEarlierThan = (place: EventPlace | Pick<EventPlace, 'at'>): Statement =>
  'chain' in place
    ? sql`(e.at, e.chain, e.position) < (${place.at}::timestamptz, ${place.chain}::uuid, ${place.position}::bigint)`
    : sql`e.at < ${place.at}`

/**
 * Each running copy writes a chain of its own, in order: the newest rows of all are among the newest of the chains that
 * were written to last, and those are found by their key. A chain that began later has nothing to add; each of the others
 * has a row at least, so as many as there are rows wanted suffice, and those that were being written to at the time.
 */
const ofAll = (earlier: Statement, isOfKind: Statement, limit: number): Statement => sql`
  select ${columns}
  from (
    select chain from consent.audit_chains c
    where exists (
      select from (select * from consent.audit_events e where e.chain = c.chain and ${isOfKind} order by e.position limit 1) e
      where ${earlier}
    )
    order by updated_at desc limit ${limit + copiesMax}
  ) c
  cross join lateral (
    select * from consent.audit_events e
    where e.chain = c.chain and ${earlier} and ${isOfKind} order by e.position desc limit ${limit}
  ) e
  order by ${newestFirst} limit ${limit}`

/** More copies than this at a time are not expected. */
const copiesMax = 50

/** Looks and changes have an index of their own, and each is a run of its own. */
const ofFew = (which: Statement, limit: number): Statement => sql`
  select ${columns} from consent.audit_events e where ${which} order by ${newestFirst} limit ${limit}`

/** On `consent.audit_events e`: whose rows are wanted, and the first row of the run in which one of them follows. */
interface Whose {
  readonly are: Statement
  readonly run: Statement
}

/** The runs about a patient are of one caller each: both are said of their first rows as well. */
function whoseAre(subject: string | undefined, patientIds: readonly string[] | undefined): Whose | undefined {
  const ofCaller = subject === undefined ? sql`true` : sql`e.subject = ${subject}`
  if (patientIds !== undefined) {
    return { are: sql`e.patient_id = any (${patientIds}::text[]) and ${ofCaller}`, run: sql`e.patient_run` }
  }
  return subject === undefined ? undefined : { are: ofCaller, run: sql`e.caller_run` }
}

/**
 * The indexes know the first row of each run (runs.ts). As many of them as there are rows wanted say back to when those
 * reach, whatever stands in the runs; and a run that began more than its time before that has nothing of them. Asked for
 * by itself: of a time that it does not know the planner believes that it reaches through a third of the trail.
 */
async function ofRuns(
  { are, run }: Whose,
  before: WantedEvents['before'],
  isOfKind: Statement,
  limit: number,
  on: Queryable,
): Promise<EventRow[]> {
  const earlier = before === undefined ? sql`true` : isEarlierThan(before)
  const first = sql`${are} and ${run} is null and ${isOfKind}`
  const last = await on.maybe<{ at: Date }>(sql`
    select e.at from consent.audit_events e where ${first} and ${earlier}
    order by e.at desc offset ${limit - 1} limit 1`)
  const since = last && new Date(last.at.getTime() - runMsMax)
  return on.many<EventRow>(sql`
    select ${columns}
    from (
      select e.chain, e.position from consent.audit_events e
      where ${first} and ${since === undefined ? sql`true` : sql`e.at >= ${since}::timestamptz`}
        and ${before === undefined ? sql`true` : sql`e.at <= ${before.at}::timestamptz`}
      offset 0
    ) first
    cross join lateral (
      select * from consent.audit_events e
      where e.chain = first.chain and e.position >= first.position and e.position < first.position + ${runRowsMax}
        and (e.position = first.position or ${run} = first.position) and ${earlier}
      offset 0
    ) e
    order by ${newestFirst} limit ${limit}`)
}
