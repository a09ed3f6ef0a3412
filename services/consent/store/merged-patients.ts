import { sql } from '../../../packages/sql/sql.ts'
import type { MergeTables } from '../../../ports/patient-index/merges/merge-table.ts'

/** What the consent service knows of merges. */
export const mergeTables: MergeTables = { merged: sql`consent.merged_patients`, looks: sql`consent.merge_looks` }
