import { forbidden, incorrect, unavailable } from '../../packages/faults/fault.ts'
import { asFarAsPossible, eachInTurn } from '../../packages/sql/tasks/as-far-as-possible.ts'
import type { FhirStore } from './fhir-store.ts'
import type { CallOptions } from '../call-options.ts'
import { broken } from './read-resource.ts'
import type { AuditEvent, Bundle } from './resources.ts'

/** The tag by which an audit event that comes a second time is known: servers keep them from being changed. */
export const auditIds = 'urn:corridor:audit-id'

/** Under which people, by the `sub` of their tokens, and clients are named in the audit events of all services. */
export const subjectIds = 'urn:corridor:subject'
export const clientIds = 'urn:corridor:client-id'

/** Writes an AuditEvent for each record unless one with its id is there. One that is refused keeps no other back. */
export async function writeAuditEvents<Audited extends { readonly id: string }>(
  records: readonly Audited[],
  eventOf: (record: Audited) => AuditEvent,
  store: Pick<FhirStore, 'capabilities' | 'transaction'>,
  options: CallOptions,
): Promise<void> {
  const { transaction } = await store.capabilities(options)
  const bundleOf = (some: readonly Audited[]): Bundle => ({
    resourceType: 'Bundle',
    type: transaction ? 'transaction' : 'batch',
    entry: some.map((record) => ({
      resource: eventOf(record),
      request: { method: 'POST', url: 'AuditEvent', ifNoneExist: `_tag=${auditIds}|${record.id}` },
    })),
  })
  const tell = async (some: readonly Audited[]) => {
    const answer = await store.transaction(bundleOf(some), options)
    checkAnswer(answer, some.length)
  }
  const starts = Array.from({ length: Math.ceil(records.length / bundleMax) }, (_, part) => part * bundleMax)
  await eachInTurn(starts, (start) => asFarAsPossible(records.slice(start, start + bundleMax), tell))
}

/** Some five hundred kilobytes: servers and what stands before them often end at a megabyte, or at 500 entries. */
const bundleMax = 100

/** Of a batch, entries may have failed by themselves; what is not answered is not known to be written. */
function checkAnswer({ entry = [] }: Bundle, sent: number): void {
  for (const { response } of entry) {
    const status = Number(response?.status.slice(0, 3))
    if (status >= 200 && status < 300) continue
    const details = { code: 'AUDIT_EVENT_REFUSED', logged: `status ${response?.status ?? 'none'}` }
    if (status === 401 || status === 403)
      throw forbidden('The FHIR store does not let this service write AuditEvents.', details)
    const isRefused = status >= 400 && status < 500 && status !== 408 && status !== 429
    if (isRefused) throw incorrect('The FHIR store refuses an AuditEvent.', details)
    throw unavailable('The FHIR store did not take an AuditEvent.', details)
  }
  if (entry.length !== sent) throw broken('not one entry an AuditEvent in the answer')
}
