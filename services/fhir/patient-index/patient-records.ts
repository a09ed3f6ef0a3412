import type { Patient } from '../../../packages/fhir/r4.ts'
import type { Queryable, Transaction } from '../../../packages/sql/queryable.ts'
import type { Statement } from '../../../packages/sql/sql.ts'
import type { StoredPatient } from './index-patients.ts'

/** What the index needs of the store of resources. */
export interface PatientRecords {
  /** The current Patients of these ids; those that are not there are left out. No access condition is applied. */
  read(ids: readonly string[], on: Queryable): Promise<ReadonlyMap<string, StoredPatient>>
  /** The same for whoever writes them back: until the transaction ends nobody else changes them. */
  readLocked(ids: readonly string[], tx: Transaction): Promise<ReadonlyMap<string, StoredPatient>>
  /** Creates or replaces each under its id, with a new version; the index is told in the same transaction. */
  write(
    patients: readonly (Patient & { readonly id: string })[],
    tx: Transaction,
    options?: WriteOptions,
  ): Promise<void>
}

interface WriteOptions {
  /** Sent with what is written, and COMMIT behind it: it is the last that the transaction does. May be sent twice. */
  readonly commitWith?: readonly Statement[]
  /** Their ids are taken to be free, which saves two round trips; one that is not undoes all with ALREADY_EXISTS. */
  readonly areNew?: boolean
}
