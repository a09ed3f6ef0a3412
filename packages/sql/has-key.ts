import { sql, type Statement } from './sql.ts'

/**
 * That a row has this key, said as a range: for rows of queues that are joined to a list. PostgreSQL thinks of a table that
 * was empty when it last looked as of one row, which is read fastest as a whole, and a plan that begins so is kept while
 * fifty thousand wait. What is only equal could also be merged, so reading all of it in the order of its key would be an
 * answer; of a range the index is the only one.
 */
export const hasKey = (columns: Statement, key: Statement): Statement => sql`(${columns}) between (${key}) and (${key})`
