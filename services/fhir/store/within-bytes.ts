import { sql, type Statement } from '../../../packages/sql/sql.ts'

/**
 * Of rows `p` that have a content, in this order, as many as fit into so many bytes, and the first in any case; `among` says of
 * how many. How long a content is PostgreSQL knows without reading it.
 */
export const withinBytes = (rows: Statement, order: Statement, bytesMax: number): Statement => sql`
  select p.* from (
    select p.*, (count(*) over ())::int as among,
      sum(coalesce(octet_length(p.content), 0)) over (order by ${order} rows unbounded preceding)
        - coalesce(octet_length(p.content), 0) as before
    from (${rows}) p) p
  where p.before < ${bytesMax} order by ${order}`

export interface Among {
  /** How many there are without a bound of bytes. */
  readonly among: number
}

/** Some were left out because of their size. */
export const isCutByBytes = (rows: readonly Among[]): boolean => rows.length < (rows[0]?.among ?? 0)

/** What one page of a search or a history may hold, as text. */
export const pageBytesMax = 16_777_216
