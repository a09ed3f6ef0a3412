import type { Finished } from './finished.ts'
import type { WrittenResource } from '../persist/written-resource.ts'
import { derivedId } from '../derived-id.ts'

/** What one message has written, as it waits to be evaluated. */
export interface WriteEvent {
  readonly eventId: string
  readonly occurredAt: string
  readonly transactionId: string
  readonly channelId: string
  readonly messageType: string
  readonly controlId: string
  readonly sendingApplication: string
  /** Of a message for training or debugging. */
  readonly processing?: 'T' | 'D'
  /** It was through before, and somebody had it run again: of what it says others have been told. */
  readonly isRerun?: true
  readonly facilityCode: string | null
  readonly organization: string | null
  readonly patient: string | null
  /** Whom it is about beside that one. */
  readonly otherPatients?: readonly string[]
  readonly goldenPatientId: string | null
  readonly encounter: string | null
  readonly resources: readonly ChangedResource[]
}

export interface ChangedResource {
  readonly type: string
  readonly id: string
  readonly versionId: string | null
  readonly operation: 'create' | 'update' | 'delete'
}

/** Undefined where nothing was written: nobody has to hear of it. A master file that failed may have written some records. */
export function writeEventOf(finished: Finished): WriteEvent | undefined {
  const { outcome, transactionId, attempt, channelId, messageType, controlId, finishedAt } = finished
  const { sendingApplication, processing, isRerun } = finished
  if (outcome.status === 'DUPLICATE' || outcome.status === 'QUEUED') return undefined
  const resources = outcome.resources.flatMap(changed)
  if (resources.length === 0) return undefined
  const others = (outcome.otherPatients ?? []).map(({ patient }) => patient)
  return {
    eventId: derivedId('event', transactionId, attempt),
    occurredAt: finishedAt.toISOString(),
    ...{ transactionId, channelId, messageType, controlId, sendingApplication, resources },
    ...(processing === undefined ? {} : { processing }),
    ...(isRerun === undefined ? {} : { isRerun }),
    facilityCode: outcome.facilityCode ?? null,
    organization: outcome.organization ?? null,
    patient: outcome.patient ?? null,
    ...(others.length === 0 ? {} : { otherPatients: others }),
    goldenPatientId: outcome.goldenPatientId ?? null,
    encounter: outcome.encounter ?? null,
  }
}

function changed({ reference, versionId, operation }: WrittenResource): ChangedResource[] {
  const [type = '', id = ''] = reference.split('/')
  return operation === 'none' ? [] : [{ type, id, versionId: versionId ?? null, operation }]
}

export const referenceTo = ({ type, id }: Pick<ChangedResource, 'type' | 'id'>): string => `${type}/${id}`
