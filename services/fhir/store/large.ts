import type { Change } from './change.ts'
import { rowCountOf } from './index-rows.ts'

/** A tenth of a second of the database, which all wait for that share a commit with it. */
const rowsMax = 5_000

/** So much is written alone. */
export const isLarge = (changes: readonly Change[]): boolean =>
  changes.reduce((sum, { body }) => sum + (body === undefined ? 0 : rowCountOf(body.index)), 0) > rowsMax
