import type { Database } from '../../../packages/sql/database.ts'
import { sql, type Statement } from '../../../packages/sql/sql.ts'

/** The database, with a count of the rows that the statements which read through it have looked at. */
export function countingRows(database: Database): { readonly on: Database; readonly examined: () => number } {
  let examined = 0
  const count = async (statement: Statement) => {
    const [row] = await database.many<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      sql`explain (analyze, format json) ${statement}`,
    )
    if (row === undefined) throw new Error('there is no plan')
    examined += examinedIn(row['QUERY PLAN'][0].Plan)
  }
  const many: Database['many'] = async (statement) => {
    await count(statement)
    return database.many(statement)
  }
  const maybe: Database['maybe'] = async (statement) => {
    await count(statement)
    return database.maybe(statement)
  }
  // Sound: everything else is the database's own.
  return { on: Object.assign(Object.create(database), { many, maybe }) as Database, examined: () => examined }
}

interface Plan {
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

/** By all its parts together, those that a filter has thrown away among them. */
function examinedIn(plan: Plan): number {
  const own = (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
  return (plan.Plans ?? []).map(examinedIn).reduce((sum, one) => sum + one, own)
}
