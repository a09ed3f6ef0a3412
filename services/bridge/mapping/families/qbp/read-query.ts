import { readHd, readSi, type Issue, type Message, type Segment } from '../../../../../packages/hl7/index.ts'
import type { MappingContext } from '../../context.ts'
import { systemOf } from '../../dt/hd.ts'
import { ignoredIssues } from './ignored-issues.ts'
import type { Domain, PatientQuery } from './query.ts'
import { readCriteria } from './read-criteria.ts'

export type ReadQuery = { readonly query: PatientQuery } | { readonly refused: readonly Issue[] }

type Context = Pick<MappingContext, 'base' | 'facility'>

/** Reads a QBP message: Q21 to Q24. Anything else, and a query that asks nothing, is refused. */
export function readQuery(message: Message, context: Context): ReadQuery {
  const declared = kindOf(message)
  if (declared === undefined) return refused('201', 'This query is not answered here.', 'MSH', 9, 'UNSUPPORTED_EVENT')
  const qpd = message.segment('QPD')
  if (qpd === undefined) return refused('100', 'The message has no QPD segment, and a query needs one.', 'QPD')
  // Some senders ask for candidates under the name of the structure, Q21: their parameters tell.
  const isByParameters = declared === 'demographics' && qpd.text(3)?.trim().startsWith('@') === true
  const kind = isByParameters ? 'candidates' : declared
  const common = {
    tag: qpd.text(2) ?? '',
    ...limitOf(message),
    offset: readSi(message.part('DSC-1')) ?? 0,
    domains: domainsOf(qpd, domainFields[kind], context),
  }
  if (kind === 'allocation') {
    if (common.domains.length === 0) return refused('101', 'QPD-3 names no domain to take numbers from.', 'QPD', 3)
    return { query: { kind, ...common } }
  }
  if (kind === 'candidates') {
    const { criteria, ignored } = readCriteria(qpd, context)
    if (Object.values(criteria).every(isNothing)) {
      const nothing = refused('101', 'QPD-3 has no field of PID that patients are found by.', 'QPD', 3)
      return { refused: [...nothing.refused, ...ignoredIssues(ignored)] }
    }
    const confidence = readSi(qpd.part(4))
    return { query: { kind, ...common, criteria, ignored, ...(confidence === undefined ? {} : { confidence }) } }
  }
  const part = qpd.part(3)
  const value = part?.text(1)?.trim()
  const authority = readHd(part?.part(4))
  if (value === undefined || value === '' || authority === undefined) {
    return refused('101', 'QPD-3 needs an identifier with its authority.', 'QPD', 3)
  }
  return { query: { kind, ...common, identifier: { system: systemOf(authority, 'patient', context), value } } }
}

/** A query of a kind that is answered here, whatever is wrong with what it asks. */
export const isKnownQuery = (message: Message): boolean =>
  message.getText('MSH-9.1')?.trim().toUpperCase() === 'QBP' && kindOf(message) !== undefined

function kindOf(message: Message): PatientQuery['kind'] | undefined {
  const trigger = message.getText('MSH-9.2')?.trim().toUpperCase() ?? ''
  return Object.hasOwn(queryKinds, trigger) ? queryKinds[trigger] : undefined
}

export const queryKinds: Readonly<Record<string, PatientQuery['kind']>> = {
  Q21: 'demographics',
  Q22: 'candidates',
  Q23: 'identifiers',
  Q24: 'allocation',
}

/** Where the query says which domains it wants. */
export const domainFields: Readonly<Record<PatientQuery['kind'], number>> = {
  demographics: 4,
  candidates: 8,
  identifiers: 4,
  allocation: 3,
}

/** RCP-2: `10^RD`. */
function limitOf(message: Message): { readonly limit?: number } {
  const limit = readSi(message.part('RCP-2'))
  return limit === undefined || limit === 0 ? {} : { limit }
}

function domainsOf(qpd: Segment, field: number, context: Context): Domain[] {
  return qpd.repetitions(field).flatMap((part, index) => {
    const authority = readHd(part.part(4))
    if (authority === undefined) return []
    const { namespace } = authority
    const system = systemOf(authority, 'patient', context)
    return [{ system, ...(namespace === undefined ? {} : { namespace }), repetition: index + 1 }]
  })
}

const isNothing = (value: unknown): boolean => value === undefined || (Array.isArray(value) && value.length === 0)

function refused(
  code: Issue['code'],
  text: string,
  segment: string,
  field?: number,
  applicationCode?: string,
): { readonly refused: readonly Issue[] } {
  const location = { segment, sequence: 1, ...(field === undefined ? {} : { field }) }
  const own = applicationCode === undefined ? {} : { applicationCode: { code: applicationCode } }
  return { refused: [{ code, severity: 'E', text, location, ...own }] }
}
