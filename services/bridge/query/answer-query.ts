import type { Clock } from '../../../packages/clock/clock.ts'
import type { Ids } from '../../../packages/clock/ids.ts'
import { faultOf } from '../../../packages/faults/fault.ts'
import type { Message } from '../../../packages/hl7/index.ts'
import type { Facility } from '../../../ports/facility-registry/facility-registry.ts'
import type { MappingContext } from '../mapping/context.ts'
import { queryReply, toldOf } from '../mapping/families/qbp/query-reply.ts'
import type { PatientQuery } from '../mapping/families/qbp/query.ts'
import { readQuery } from '../mapping/families/qbp/read-query.ts'
import { nack, refusedByMapping, type Stop } from '../pipeline/stop.ts'
import { findPatients, type FindDeps, type FoundPerson } from './find-patients.ts'

export type AnswerQueryDeps = FindDeps & {
  readonly base: string
  readonly clock: Clock
  readonly ids: Ids
}

export const isQuery = (message: Message): boolean => message.getText('MSH-9.1')?.trim().toUpperCase() === 'QBP'

/** What a query asks and whom it means. Nothing of it is shown before consent is asked. */
export interface QueryFound {
  readonly query: PatientQuery
  readonly found: readonly FoundPerson[]
}

export async function findForQuery(
  message: Message,
  context: MappingContext,
  signal: AbortSignal,
  deps: FindDeps,
): Promise<QueryFound | Stop> {
  const read = readQuery(message, context)
  if ('refused' in read) return refusedByMapping(read.refused)
  try {
    return { query: read.query, found: await findPatients(read.query, signal, deps) }
  } catch (thrown) {
    const text = `The patients cannot be searched now (${faultOf(thrown).kind}). Ask again later.`
    return nack('QUERY_UNAVAILABLE', text, { code: 'AE' })
  }
}

export interface QueryAnswer {
  readonly reply: Message
  /** Whoever stands in the reply. */
  readonly told: readonly FoundPerson[]
}

/** RSP with those whom the asker may see. */
export function answerQuery(
  message: Message,
  { query, found }: QueryFound,
  permitted: readonly FoundPerson[],
  facility: Facility,
  { base, clock, ids }: AnswerQueryDeps,
): QueryAnswer {
  const namespaces = new Map([...facility.namespaces].map(([namespace, system]) => [system, namespace]))
  const outcome = { patients: permitted, isUnknownIdentifier: found.length === 0 }
  const deps = { clock, ids, authorities: { base, namespaces }, resolve: () => undefined }
  return { reply: queryReply(message, query, outcome, deps), told: toldOf(query, outcome) }
}
