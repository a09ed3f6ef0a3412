import { sql } from '../../../packages/sql/sql.ts'
import type { MergeTables } from '../../../ports/patient-index/merges/merge-table.ts'

/** What the referral service knows of merges. */
export const mergeTables: MergeTables = { merged: sql`referral.merged_patients`, looks: sql`referral.merge_looks` }
