import { conflict, forbidden } from '../../../packages/faults/fault.ts'
import type { Caller } from '../../../packages/tokens/caller.ts'
import { settledId } from '../../../ports/patient-index/merges/merge-table.ts'
import type { Call } from '../audit/access.ts'
import { auditChange } from '../audit/audit-change.ts'
import type { ConsentDeps } from '../deps.ts'
import { announceRecord } from '../projection/announce.ts'
import { mergeTables } from '../store/merged-patients.ts'
import { deactivateRecord, insertRecord, updateRecord } from '../store/records.ts'
import type { ConsentRecord, ConsentTerms } from './consent-record.ts'

type SaveDeps = Pick<ConsentDeps, 'database' | 'outbox' | 'recordIds' | 'clock' | 'ids' | 'settings' | 'telling'>

/**
 * A new record, of the survivor where its patient was merged, with its row of the audit and what brings it to the FHIR
 * store, in one transaction.
 */
export async function createRecord(terms: ConsentTerms, call: Call, deps: SaveDeps): Promise<ConsentRecord> {
  const { caller } = call
  const id = await deps.recordIds.next()
  const now = deps.clock.now()
  const given: ConsentRecord = {
    ...terms,
    id,
    version: 1,
    fhirConsentId: `consent-${id}`,
    status: 'active',
    isDomainPolicy: terms.patientId === null && caller.roles.has('ADMIN'),
    createdBy: caller.subject,
    createdAt: now,
    updatedAt: now,
    revokedAt: null,
  }
  return deps.database.transaction(async (tx) => {
    const { patientId } = terms
    const record = patientId === null ? given : { ...given, patientId: await settledId(patientId, mergeTables, tx) }
    await insertRecord(record, tx)
    await announceRecord(record, tx, deps)
    await auditChange('CREATED', record, call, tx, deps)
    return record
  })
}

/** The record with its new terms; undefined when it is no longer the version that they were made from. */
export async function changeRecord(
  record: ConsentRecord,
  terms: ConsentTerms,
  call: Call,
  deps: SaveDeps,
): Promise<ConsentRecord | undefined> {
  if (record.status === 'inactive') {
    throw conflict('The consent record is inactive and cannot be changed. Make a new one.', {
      code: 'CONSENT_INACTIVE',
    })
  }
  return deps.database.transaction(async (tx) => {
    const { id, version } = record
    const changed = await updateRecord({ id, version, terms, now: deps.clock.now() }, call.caller, tx)
    if (changed === undefined) return undefined
    await announceRecord(changed, tx, deps)
    await auditChange('CHANGED', changed, call, tx, deps)
    return changed
  })
}

/** The record, inactive. It is kept, and its note says when, by whom and why. Undefined when it was changed meanwhile. */
export async function revokeRecord(
  record: ConsentRecord,
  reason: string | undefined,
  call: Call,
  deps: SaveDeps,
): Promise<ConsentRecord | undefined> {
  if (record.status === 'inactive') return record
  const now = deps.clock.now()
  const because = reason === undefined || reason === '' ? '' : `: ${reason}`
  const noteLine = `Revoked ${now.toISOString()} by ${call.caller.subject}${because}`
  return deps.database.transaction(async (tx) => {
    const { id, version } = record
    const revoked = await deactivateRecord({ id, version, noteLine, now }, call.caller, tx)
    if (revoked === undefined) return undefined
    await announceRecord(revoked, tx, deps)
    await auditChange('REVOKED', revoked, call, tx, deps)
    return revoked
  })
}

/** A policy decides for everybody, so nobody but an administrator may open or close it. */
export function checkMayChange(record: ConsentRecord, caller: Caller): void {
  if (record.isDomainPolicy && !caller.roles.has('ADMIN')) {
    throw forbidden('A domain policy can be changed by an administrator only.')
  }
}
