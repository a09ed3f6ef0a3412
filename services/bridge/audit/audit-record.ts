import type { Finished } from '../pipeline/finished.ts'
import { derivedId } from '../derived-id.ts'
import type { KnownPatient } from '../pipeline/outcome.ts'

/** What is told of one message, whatever became of it. Ids only; it lies in the spool until it was told. */
export interface AuditRecord {
  /** The same for every attempt to tell it. */
  readonly id: string
  readonly transactionId: string
  readonly at: string
  readonly processId: string
  readonly channelId: string
  readonly messageType: string
  readonly controlId: string
  readonly source: { readonly application: string; readonly facility: string; readonly peer: string }
  readonly destination: { readonly application: string; readonly facility: string }
  readonly operator?: string
  readonly action: AuditAction
  readonly outcome: AuditOutcome
  /** Why it was refused, in a word. */
  readonly reason?: string
  readonly duplicateOf?: string
  readonly patient?: string
  readonly goldenPatientId?: string
  /** Who was merged away, and everybody else whom the answer to a query tells of. */
  readonly otherPatients?: readonly KnownPatient[]
  /** QPD of a query, without what it says of a person beside numbers. */
  readonly query?: string
  readonly resources: readonly string[]
}

/** Create, update, delete, or execute (a query). */
export type AuditAction = 'C' | 'U' | 'D' | 'E'

/** RFC 3881 section 5.1.4: success, minor failure (a NACK), serious failure (ours). */
type AuditOutcome = '0' | '4' | '8'

/** Undefined for what is not through yet: a parked message is told of when it is. */
export function auditRecordOf(finished: Finished, processId: string): AuditRecord | undefined {
  const { outcome, transactionId, attempt, channelId, messageType, controlId, peer, operator, query, finishedAt } =
    finished
  if (outcome.status === 'QUEUED') return undefined
  return {
    id: derivedId('audit', transactionId, attempt),
    ...{ transactionId, processId, channelId, messageType, controlId },
    at: finishedAt.toISOString(),
    source: { application: finished.sendingApplication, facility: finished.sendingFacility, peer },
    destination: { application: finished.receivingApplication, facility: finished.receivingFacility },
    ...(operator === undefined ? {} : { operator }),
    ...(query === undefined ? {} : { query }),
    action: actionOf(messageType),
    ...saidOf(outcome),
  }
}

/** Everybody whom it names, the one in whose name it was governed first. */
export const patientsOf = ({ patient, goldenPatientId, otherPatients = [] }: AuditRecord): readonly KnownPatient[] =>
  patient === undefined
    ? otherPatients
    : [{ patient, ...(goldenPatientId === undefined ? {} : { goldenPatientId }) }, ...otherPatients]

function saidOf(outcome: Exclude<Finished['outcome'], { status: 'QUEUED' }>) {
  if (outcome.status === 'DUPLICATE') return { outcome: '0' as const, duplicateOf: outcome.of, resources: [] }
  const { patient, goldenPatientId, otherPatients } = outcome
  const resources = outcome.resources.map(({ reference, versionId }) =>
    versionId === undefined ? reference : `${reference}/_history/${versionId}`,
  )
  return {
    ...(outcome.status === 'SUCCESS' ? { outcome: '0' as const } : failureOf(outcome.errorCode)),
    ...(patient === undefined ? {} : { patient }),
    ...(goldenPatientId === undefined ? {} : { goldenPatientId }),
    ...(otherPatients === undefined ? {} : { otherPatients }),
    resources,
  }
}

const failureOf = (errorCode: string) => ({
  outcome: isOurs(errorCode) ? ('8' as const) : ('4' as const),
  reason: errorCode,
})

/** What the sender can do nothing about: an error of ours, and whatever we need and cannot ask. */
const isOurs = (errorCode: string) => ours.has(errorCode) || errorCode.endsWith('_UNAVAILABLE')
const ours = new Set(['INTERNAL', 'TIMEOUT', 'POISON'])

function actionOf(messageType: string): AuditAction {
  const [type = '', trigger = ''] = messageType.split('^')
  if (type === 'QBP') return 'E'
  if (creating.has(messageType) || (type !== 'ADT' && newByTrigger.has(trigger))) return 'C'
  return deleting.has(messageType) ? 'D' : 'U'
}

const creating = new Set(['ADT^A01', 'ADT^A04', 'ADT^A05', 'ADT^A28', 'MDM^T02', 'MDM^T01', 'SIU^S12'])
const newByTrigger = new Set(['R01', 'O01', 'O21', 'O23', 'O11'])
const deleting = new Set(['ADT^A23', 'ADT^A29', 'MDM^T11', 'SIU^S17'])
