import {
  readHd,
  readSi,
  timestampOf,
  type Authority,
  type Issue,
  type Message,
  type Segment,
} from '../../../../../packages/hl7/index.ts'
import { rowOf } from '../../code-map.ts'
import { compact } from '../../compact.ts'
import type { MappingContext } from '../../context.ts'
import { systemOf } from '../../dt/hd.ts'
import { administrativeSex } from '../../v/0001-administrative-sex.ts'
import type { Domain, PatientCriteria, PatientQuery, TextCriterion } from './query.ts'

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
    const { criteria, ignored } = criteriaOf(qpd, context)
    if (Object.values(criteria).every(isNothing)) {
      return refused('101', 'QPD-3 has no field of PID that patients are found by.', 'QPD', 3)
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

/** QPD-3 of Q22: `@PID.5.1^DIALLO~@PID.8^F`. */
function criteriaOf(qpd: Segment, context: Context): { criteria: PatientCriteria; ignored: string[] } {
  const sent = new Map<string, string>()
  for (const part of qpd.repetitions(3)) {
    const field = part.text(1)?.trim().replace(/^@/, '').toUpperCase() ?? ''
    const value = part.text(2)?.trim() ?? ''
    if (field !== '' && value !== '') sent.set(field, value)
    // The whole authority in one parameter, as it stands in PID-3: its name alone may be another one's.
    const [universalId, universalIdType] = [part.text(2, 2), part.text(2, 3)]
    if (field !== 'PID.3.4' || universalId === undefined) continue
    sent.set('PID.3.4.2', universalId)
    if (universalIdType !== undefined) sent.set('PID.3.4.3', universalIdType)
  }
  const texts = [...sent].flatMap(([field, value]) => {
    const name = Object.hasOwn(textFields, field) ? textFields[field] : undefined
    return name === undefined ? [] : [[name, criterion(value)] as const]
  })
  const first = (...fields: readonly string[]) =>
    fields.map((field) => sent.get(field)).find((value) => value !== undefined)
  const criteria = {
    ...(Object.fromEntries(texts) as { [K in TextField]?: TextCriterion }),
    ...birthDate(first('PID.7', 'PID.7.1')),
    ...gender(first('PID.8', 'PID.8.1')),
    identifiers: identifiersOf(
      first('PID.3', 'PID.3.1', 'PID.18', 'PID.18.1'),
      {
        namespace: first('PID.3.4', 'PID.3.4.1'),
        universalId: first('PID.3.4.2'),
        universalIdType: first('PID.3.4.3'),
      },
      context,
    ),
  }
  const ignored = [...sent.keys()].filter((field) => !Object.hasOwn(textFields, field) && !otherFields.has(field))
  return { criteria, ignored }
}

const otherFields = new Set([
  ...['PID.3', 'PID.3.1', 'PID.3.4', 'PID.3.4.1', 'PID.3.4.2', 'PID.3.4.3'],
  ...['PID.7', 'PID.7.1', 'PID.8', 'PID.8.1', 'PID.18', 'PID.18.1'],
])

/** A number without a domain is looked for in all of them. */
function identifiersOf(
  value: string | undefined,
  sent: { readonly [K in keyof Authority]: string | undefined },
  context: Context,
): PatientCriteria['identifiers'] {
  if (value === undefined) return []
  const authority = compact<Authority>(sent)
  return authority === undefined ? [{ value }] : [{ value, system: systemOf(authority, 'patient', context) }]
}

/** Fields of PID that are compared as text. */
const textFields: Readonly<Record<string, TextField>> = {
  'PID.5': 'family',
  'PID.5.1': 'family',
  'PID.5.1.1': 'family',
  'PID.5.2': 'given',
  'PID.6.1': 'mothersName',
  'PID.6.1.1': 'mothersName',
  'PID.11.1': 'street',
  'PID.11.1.1': 'street',
  'PID.11.3': 'city',
  'PID.11.4': 'state',
  'PID.11.5': 'postalCode',
  'PID.11.6': 'country',
  'PID.13': 'phone',
  'PID.13.1': 'phone',
  'PID.13.7': 'phone',
  'PID.13.12': 'phone',
}

type TextField = Exclude<keyof PatientCriteria, 'identifiers' | 'birthDate' | 'gender'>

function criterion(value: string): TextCriterion {
  // By hand: a pattern would count a row of stars again from each of them when something follows it.
  let end = value.length
  while (value[end - 1] === '*') end--
  const isPrefix = end < value.length
  return { text: isPrefix ? value.slice(0, end).trim() : value, isPrefix }
}

const birthDate = (value: string | undefined): Pick<PatientCriteria, 'birthDate'> => {
  const date = timestampOf(value)?.date
  return date === undefined ? {} : { birthDate: date }
}

const gender = (value: string | undefined): Pick<PatientCriteria, 'gender'> => {
  const found = rowOf(administrativeSex, value ?? '')
  return found === undefined ? {} : { gender: found }
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
