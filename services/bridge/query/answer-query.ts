import type { Clock } from '../../../packages/clock/clock.ts'
import type { Ids } from '../../../packages/clock/ids.ts'
import { faultOf } from '../../../packages/faults/fault.ts'
import type { Message } from '../../../packages/hl7/index.ts'
import type { Facility } from '../../../ports/facility-registry/facility-registry.ts'
import type { Authorities } from '../hl7-from-fhir/index.ts'
import type { MappingContext } from '../mapping/context.ts'
import { queryReply, toldOf } from './query-reply.ts'
import type { PatientQuery } from '../mapping/families/qbp/query.ts'
import { readQuery } from '../mapping/families/qbp/read-query.ts'
import { nack, refusedByMapping, type Nack, type Stop } from '../pipeline/stop.ts'
import {
  asOnePatient,
  findPatients,
  nobodyFound,
  type FindDeps,
  type FoundPeople,
  type FoundPerson,
} from './find-patients.ts'
import type { KnowsDomain } from './known-domains.ts'

export type FindForQueryDeps = FindDeps & { readonly knowsDomain: KnowsDomain }

export type AnswerQueryDeps = FindForQueryDeps & {
  readonly base: string
  readonly clock: Clock
  readonly ids: Ids
}

export const isQuery = (message: Message): boolean => message.getText('MSH-9.1')?.trim().toUpperCase() === 'QBP'

/** What a query asks and whom it means. Nothing of it is shown before consent is asked. */
export interface QueryFound extends FoundPeople {
  readonly query: PatientQuery
  /** Of the domains that it names. While it names others nobody is looked for. */
  readonly knownDomains: ReadonlySet<string>
}

export async function findForQuery(
  message: Message,
  context: MappingContext,
  signal: AbortSignal,
  deps: FindForQueryDeps,
): Promise<QueryFound | Stop> {
  const read = readQuery(message, context)
  if ('refused' in read) return refusedByMapping(read.refused)
  const { query } = read
  try {
    const knownDomains = await knownAmong(query, context, signal, deps)
    const people = hasUnknown(query, knownDomains) ? nobodyFound : await findPatients(query, signal, deps)
    return { query, ...people, knownDomains }
  } catch (thrown) {
    const text = `The patients cannot be searched now (${faultOf(thrown).kind}). Ask again later.`
    return nack('QUERY_UNAVAILABLE', text, { code: 'AE' })
  }
}

/** The domains that the facility's own namespaces stand for, and those of which somebody has a number. */
async function knownAmong(
  { domains }: PatientQuery,
  { facility }: MappingContext,
  signal: AbortSignal,
  { knowsDomain }: FindForQueryDeps,
): Promise<ReadonlySet<string>> {
  const named = new Set(facility.namespaces.values())
  const systems = [...new Set(domains.map(({ system }) => system))]
  const areKnown = await Promise.all(systems.map(async (system) => named.has(system) || knowsDomain(system, signal)))
  return new Set(systems.filter((_, at) => areKnown[at] === true))
}

const hasUnknown = ({ domains }: PatientQuery, known: ReadonlySet<string>): boolean =>
  domains.some(({ system }) => !known.has(system))

export interface QueryAnswer {
  readonly reply: Message
  /** Where it says AE or AR: the query is not answered, and may be asked again. */
  readonly refused?: Nack
  /** Whoever stands in the reply. */
  readonly told: readonly FoundPerson[]
}

/** RSP with those whom the asker may see. */
export function answerQuery(
  message: Message,
  { query, found, hasMore, knownDomains }: QueryFound,
  permitted: readonly FoundPerson[],
  facility: Facility,
  { base, clock, ids }: AnswerQueryDeps,
): QueryAnswer {
  const isUnknownIdentifier = found.length === 0 && !hasUnknown(query, knownDomains)
  const patients = permitted.map((one) => ({ ...one, patient: asOnePatient(one) }))
  const outcome = { patients, hasMore, knownDomains, isUnknownIdentifier }
  const deps = { clock, ids, authorities: authoritiesOf(query, facility, base), resolve: () => undefined }
  const { reply, code, issues } = queryReply(message, query, outcome, deps)
  const refused = code === 'AA' ? {} : { refused: { ...refusedByMapping(issues), code, reply } }
  return { reply, ...refused, told: toldOf(query, outcome) }
}

/** One system may have several names: it is called as the query calls it, else by the one that was declared first. */
function authoritiesOf({ domains }: PatientQuery, { code, namespaces }: Facility, base: string): Authorities {
  const called = domains.flatMap(({ namespace, system }) =>
    namespace !== undefined && namespaces.get(namespace) === system ? [[namespace, system] as const] : [],
  )
  const named = new Map<string, string>()
  for (const [namespace, system] of [...called, ...namespaces]) if (!named.has(system)) named.set(system, namespace)
  return { base, facility: code, namespaces: named }
}
