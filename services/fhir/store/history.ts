import type { Queryable } from '../../../packages/sql/queryable.ts'
import { joined, sql, type Statement } from '../../../packages/sql/sql.ts'
import type { AccessConditions, Right } from '../scopes/access.ts'
import type { SearchEngine } from '../search/engine.ts'
import { versionCondition } from './access-condition.ts'
import type { Change, Stored } from './change.ts'
import { resourceKey, type Key } from './keys.ts'

interface HistoryQuestion {
  /** One type, or all of these. */
  readonly types: readonly string[]
  /** Of one resource. */
  readonly id?: string
  readonly since?: Date
  readonly count: number
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

/** The newest first. */
export async function readHistory(
  question: HistoryQuestion,
  on: Queryable,
  engine: Pick<SearchEngine, 'condition'>,
): Promise<HistoryEntry[]> {
  const { types, id, access, count } = question
  const right = rightToHistory(question)
  const reachable = types.filter((type) => access.of(type, right) !== 'none')
  const [type] = reachable
  if (type === undefined) return []
  const rows = await on.many<Row>(
    id !== undefined || reachable.length === 1
      ? sql`${ofType(type, question, engine)} order by v.last_updated desc, v.key desc, v.version desc limit ${count}`
      : ofTypes(reachable, question, engine),
  )
  return rows.map(({ last_updated: lastUpdated, is_new: isNew, content, ...row }) => ({
    ...row,
    lastUpdated,
    isNew,
    content: content ?? undefined,
  }))
}

interface Row extends Omit<HistoryEntry, 'content' | 'lastUpdated' | 'isNew'> {
  readonly last_updated: Date
  readonly is_new: boolean
  readonly content: string | null
}

function ofType(type: string, question: HistoryQuestion, engine: Pick<SearchEngine, 'condition'>): Statement {
  const { id, access } = question
  return sql`
    select ${columns} from fhir.versions as v join fhir.resources as r on r.key = v.key
    where v.type = ${type} and ${versionCondition(access.of(type, rightToHistory(question)), type, engine)}
      ${id === undefined ? sql`` : sql`and v.key = ${resourceKey(type, id)}::bigint and v.id = ${id}`}
      and ${within(question)}`
}

const columns = sql`
  v.key, v.type, v.id, v.version, v.last_updated, v.method, v.content,
  not exists (
    select from fhir.versions as p where p.key = v.key and p.version = v.version - 1 and p.content is not null
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
