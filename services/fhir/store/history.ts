import type { Queryable } from '../../../packages/sql/queryable.ts'
import { joined, sql, type Statement } from '../../../packages/sql/sql.ts'
import type { AccessConditions, Right, TypeAccess } from '../scopes/access.ts'
import type { SearchEngine } from '../search/engine.ts'
import { versionCondition } from './access-condition.ts'
import type { Change, Stored } from './change.ts'
import { resourceKey, type Key } from './keys.ts'
import { isCutByBytes, pageBytesMax, withinBytes, type Among } from './within-bytes.ts'

export interface HistoryQuestion {
  /** One type, or all of these. */
  readonly types: readonly string[]
  /** Of one resource. */
  readonly id?: string
  readonly since?: Date
  readonly count: number
  /** Of their contents; fewer are given where they are large. */
  readonly bytesMax?: number
  /** Where the page before ended. */
  readonly after?: HistoryCursor
  readonly access: AccessConditions
}

/** SMART 2.2: `r` reads what is named, with its versions; what is listed, of a type or of all, is found by `s`. */
export const rightToHistory = ({ id }: Pick<HistoryQuestion, 'id'>): Right => (id === undefined ? 's' : 'r')

export interface HistoryCursor {
  readonly lastUpdated: Date
  readonly key: Key
  readonly version: number
}

export interface HistoryEntry extends Stored {
  readonly key: Key
  readonly method: Change['method']
  /** There was no resource before it: it is the first version, or the one before says "deleted". */
  readonly isNew: boolean
}

interface History {
  readonly entries: readonly HistoryEntry[]
  /** Some were left out because of their size. */
  readonly isCut: boolean
}

/** The newest first. */
export async function readHistory(
  question: HistoryQuestion,
  on: Queryable,
  engine: Pick<SearchEngine, 'condition'>,
): Promise<History> {
  const { types, id, access, count, bytesMax = pageBytesMax } = question
  const right = rightToHistory(question)
  const reachable = types.filter((type) => access.of(type, right) !== 'none')
  const [type] = reachable
  if (type === undefined) return { entries: [], isCut: false }
  const newest =
    id !== undefined
      ? ofResource(type, id, question, engine)
      : reachable.length === 1
        ? sql`${ofType(type, question, engine)} order by v.last_updated desc, v.key desc, v.version desc limit ${count}`
        : ofTypes(reachable, question, engine)
  const patients = id === undefined ? reachable.flatMap((one) => patientsOf(access.of(one, right)) ?? []) : []
  const page = withinBytes(newest, sql`p.last_updated desc, p.key desc, p.version desc`, bytesMax)
  const rows = await on.many<Row>(patients.length === 0 ? page : sql`${inCompartmentsOf(patients)} ${page}`)
  const entries = rows.map(({ key, type: of, id: own, version, method, ...row }) => ({
    ...{ key, type: of, id: own, version, method, lastUpdated: row.last_updated, isNew: row.is_new },
    content: row.content ?? undefined,
  }))
  return { entries, isCut: isCutByBytes(rows) }
}

interface Row extends Omit<HistoryEntry, 'content' | 'lastUpdated' | 'isNew'>, Among {
  readonly last_updated: Date
  readonly is_new: boolean
  readonly content: string | null
}

/**
 * Of one resource the newest have the highest numbers, because its time never goes back (decide.ts): the primary key has
 * them in their order, and a page of it is all that is looked at.
 */
function ofResource(
  type: string,
  id: string,
  { access, since, after, count }: HistoryQuestion,
  engine: Pick<SearchEngine, 'condition'>,
): Statement {
  const reach = access.of(type, 'r')
  return sql`
    select ${columns} from (
      select v.* from ${versionsFor(reach)}
      where v.key = ${resourceKey(type, id)}::bigint and ${versionCondition(reach, type, engine)}
        ${after === undefined ? sql`` : sql`and v.version < ${after.version}::integer`}
      order by v.version desc limit ${count}) as v
    where v.type = ${type} and v.id = ${id} ${since === undefined ? sql`` : sql`and v.last_updated >= ${since}::timestamptz`}`
}

function ofType(type: string, question: HistoryQuestion, engine: Pick<SearchEngine, 'condition'>): Statement {
  const reach = question.access.of(type, 's')
  if (patientsOf(reach) !== undefined) return ofPatients(type, question, engine)
  return sql`
    select ${columns} from ${versionsFor(reach)}
    where v.type = ${type} and ${versionCondition(reach, type, engine)} and ${within(question)}`
}

/** With their resources `r`, where it takes those to know what is within reach. */
const versionsFor = (reach: TypeAccess): Statement =>
  typeof reach !== 'string' && reach.some(({ query }) => query !== undefined)
    ? sql`fhir.versions as v join fhir.resources as r on r.key = v.key`
    : sql`fhir.versions as v`

/** The patients whom all of it belongs to; undefined where some of it may belong to others. */
function patientsOf(reach: TypeAccess): readonly Key[] | undefined {
  if (typeof reach === 'string') return undefined
  const patients = reach.flatMap(({ patient }) => (patient === undefined ? [] : [resourceKey('Patient', patient)]))
  return patients.length === reach.length ? patients : undefined
}

/**
 * What is theirs is looked up first. By time alone, whoever has few versions of a type would have all versions of
 * everybody walked through.
 */
const inCompartmentsOf = (patients: readonly Key[]): Statement => sql`
  with theirs as materialized (
    select r.key, r.type from fhir.resources as r
    where r.key in (select c.key from fhir.compartments as c where c.patient = any (${[...new Set(patients)]}::bigint[])))`

/** The newest of all of theirs are among the newest of each. The `limit` keeps the planner from turning it round. */
const ofPatients = (type: string, question: HistoryQuestion, engine: Pick<SearchEngine, 'condition'>): Statement => {
  const reach = question.access.of(type, 's')
  return sql`
    select ${columns} from (select key from theirs where type = ${type}) as own cross join lateral (
      select v.* from ${versionsFor(reach)}
      where v.key = own.key and ${versionCondition(reach, type, engine)} and ${within(question)}
      order by v.version desc limit ${question.count}) as v
    where v.type = ${type}`
}

const columns = sql`
  v.key, v.type, v.id, v.version, v.last_updated, v.method, v.content,
  coalesce(
    (select p.content is null from fhir.versions as p where p.key = v.key and p.version = v.version - 1), true
  ) as is_new`

/**
 * The newest of all types are among the newest of each; so every type's own index gives a few rows, and no further
 * index has to be kept up to date with every write.
 */
function ofTypes(types: readonly string[], question: HistoryQuestion, engine: Pick<SearchEngine, 'condition'>) {
  const { access, count } = question
  const isOpen = (type: string) => access.of(type, rightToHistory(question)) === 'unrestricted'
  const open = types.filter(isOpen)
  const confined = types.filter((type) => !isOpen(type))
  const newestFirst = sql`order by v.last_updated desc, v.key desc, v.version desc limit ${count}`
  const parts = confined.map((type) => sql`(${ofType(type, question, engine)} ${newestFirst})`)
  if (open.length > 0) {
    parts.unshift(sql`(
      select v.* from unnest(${open}::text[]) as t (type) cross join lateral (
        select ${columns} from fhir.versions as v where v.type = t.type and ${within(question)} ${newestFirst}) as v)`)
  }
  return sql`select * from (${parts.reduce((all, part) => sql`${all} union all ${part}`)}) as v ${newestFirst}`
}

function within({ since, after }: HistoryQuestion): Statement {
  return joined(
    [
      sql`true`,
      ...(since === undefined ? [] : [sql`v.last_updated >= ${since}::timestamptz`]),
      ...(after === undefined
        ? []
        : [
            sql`(v.last_updated, v.key, v.version)
                < (${after.lastUpdated}::timestamptz, ${after.key}::bigint, ${after.version}::integer)`,
          ]),
    ],
    'and',
  )
}
