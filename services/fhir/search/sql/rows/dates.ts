import { unreachable } from '../../../../../packages/faults/fault.ts'
import { sql, type Statement } from '../../../../../packages/sql/sql.ts'
import type { SoughtDate } from '../../ast.ts'

/**
 * R4 section 3.1.1.4.7, with the range of the resource from `low` up to `high`. Where a comparison implies a bound on
 * the column that comes first in the index, the bound is said too.
 */
export function isDate(sought: SoughtDate, low: Statement, high: Statement): Statement {
  const { prefix, low: from, high: to } = sought
  switch (prefix) {
    case 'eq':
      return sql`(${high} > ${from} and ${high} <= ${to} and ${low} >= ${from})`
    case 'ne':
      return sql`(${high} > ${to} or ${low} < ${from})`
    case 'gt':
      return sql`${high} > ${to}`
    case 'lt':
      return sql`${low} < ${from}`
    case 'ge':
      return sql`(${high} > ${from} and (${low} >= ${from} or ${high} > ${to}))`
    case 'le':
      return sql`(${low} < ${to} and (${high} <= ${to} or ${low} < ${from}))`
    case 'sa':
      return sql`(${high} > ${to} and ${low} >= ${to})`
    case 'eb':
      return sql`${high} <= ${from}`
    case 'ap':
      return sql`(${high} > ${from} and ${low} < ${to})`
    default:
      return unreachable(prefix)
  }
}

/** An instant of the server's own clock, `r.last_updated`. */
export function isUpdated({ prefix, low, high }: SoughtDate): Statement {
  const from = instant(low)
  const to = instant(high)
  switch (prefix) {
    case 'eq':
    case 'ap':
      return sql`(r.last_updated >= ${from} and r.last_updated < ${to})`
    case 'ne':
      return sql`(r.last_updated < ${from} or r.last_updated >= ${to})`
    case 'gt':
    case 'sa':
      return sql`r.last_updated >= ${to}`
    case 'lt':
    case 'eb':
      return sql`r.last_updated < ${from}`
    case 'ge':
      return sql`r.last_updated >= ${from}`
    case 'le':
      return sql`r.last_updated < ${to}`
    default:
      return unreachable(prefix)
  }
}

const firstMs = new Date(0).setUTCFullYear(1, 0, 1)
export const lastMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** PostgreSQL and JavaScript agree on how to write the years 1 to 9999. */
export const instant = (ms: number): Date => new Date(Math.min(Math.max(ms, firstMs), lastMs))
