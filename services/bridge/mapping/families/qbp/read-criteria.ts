import { timestampOf, type Authority, type Part, type Segment } from '../../../../../packages/hl7/index.ts'
import { rowOf } from '../../code-map.ts'
import { compact } from '../../compact.ts'
import type { MappingContext } from '../../context.ts'
import { systemOf } from '../../dt/hd.ts'
import { administrativeSex } from '../../v/0001-administrative-sex.ts'
import type { CandidateQuery, IgnoredParameter, PatientCriteria, TextCriterion } from './query.ts'

type Context = Pick<MappingContext, 'base' | 'facility'>

/** QPD-3 of Q22, `@PID.5.1^DIALLO~@PID.8^F`: whom to look for, and what of it cannot be looked for. */
export function readCriteria(qpd: Segment, context: Context): Pick<CandidateQuery, 'criteria' | 'ignored'> {
  const ignored = new Map<number, IgnoredParameter['why']>()
  const sent = sentParameters(qpd, ignored)
  const read = <T>(meaning: Meaning, by: (value: string) => T | undefined): T | undefined => {
    const parameter = sent.get(meaning)
    const found = parameter && by(parameter.value)
    if (parameter !== undefined && found === undefined) ignored.set(parameter.repetition, 'unreadable')
    return found
  }
  const texts = textMeanings.map((meaning) => [meaning, read(meaning, textCriterion)] as const)
  const criteria = {
    ...compact<{ [K in TextMeaning]?: TextCriterion }>(Object.fromEntries(texts)),
    ...compact<Pick<PatientCriteria, 'birthDate' | 'gender'>>({
      birthDate: read('birthDate', (value) => timestampOf(value)?.date),
      gender: read('gender', (value) => rowOf(administrativeSex, value)),
    }),
    identifiers: identifiersOf(sent, ignored, context),
  }
  const inOrder = [...ignored].toSorted(([one], [other]) => one - other)
  return { criteria, ignored: inOrder.map(([repetition, why]) => ({ repetition, why })) }
}

interface Parameter {
  readonly value: string
  /** From 1. */
  readonly repetition: number
}

type Sent = ReadonlyMap<Meaning, Parameter>

/** The first value of each kind. Another one of the same kind would have to hold too, and cannot be asked for. */
function sentParameters(qpd: Segment, ignored: Map<number, IgnoredParameter['why']>): Sent {
  const sent = new Map<Meaning, Parameter>()
  for (const [index, part] of qpd.repetitions(3).entries()) {
    const repetition = index + 1
    for (const [field, value] of parametersOf(part)) {
      const meaning = Object.hasOwn(meanings, field) ? meanings[field] : undefined
      if (meaning === undefined) ignored.set(repetition, 'unknown')
      else if (!sent.has(meaning)) sent.set(meaning, { value, repetition })
      else if (sent.get(meaning)?.value !== value) ignored.set(repetition, 'another')
    }
  }
  return sent
}

/** Without a value it is no parameter: forms send their empty fields. */
function parametersOf(part: Part): (readonly [field: string, value: string])[] {
  const field = part.text(1)?.trim().replace(/^@/, '').toUpperCase() ?? ''
  // The whole authority in one parameter, as it stands in PID-3: its name alone may be another one's.
  const authority = field === 'PID.3.4' ? [part.text(2, 2), part.text(2, 3)] : []
  const all = [[field, part.text(2)] as const, ...authority.map((text, at) => [`PID.3.4.${at + 2}`, text] as const)]
  return all.flatMap(([name, text]) => (text === undefined || text.trim() === '' ? [] : [[name, text.trim()] as const]))
}

/** A number without a domain is looked for in all of them; a domain without a number not at all. */
function identifiersOf(
  sent: Sent,
  ignored: Map<number, IgnoredParameter['why']>,
  context: Context,
): PatientCriteria['identifiers'] {
  const [number, account] = [sent.get('number'), sent.get('account')]
  const { value } = number ?? account ?? {}
  if (number !== undefined && account !== undefined && account.value !== value)
    ignored.set(account.repetition, 'another')
  const authority = compact<Authority>({
    namespace: sent.get('namespace')?.value,
    universalId: sent.get('universalId')?.value,
    universalIdType: sent.get('universalIdType')?.value,
  })
  if (value !== undefined) {
    return authority === undefined ? [{ value }] : [{ value, system: systemOf(authority, 'patient', context) }]
  }
  for (const meaning of ['namespace', 'universalId', 'universalIdType'] as const) {
    const { repetition } = sent.get(meaning) ?? {}
    if (repetition !== undefined) ignored.set(repetition, 'numberless')
  }
  return []
}

function textCriterion(value: string): TextCriterion | undefined {
  // By hand: a pattern would count a row of stars again from each of them when something follows it.
  let end = value.length
  while (value[end - 1] === '*') end--
  const isPrefix = end < value.length
  const text = isPrefix ? value.slice(0, end).trim() : value
  return text === '' ? undefined : { text, isPrefix }
}

const textMeanings = ['family', 'given', 'street', 'city', 'state', 'postalCode', 'country', 'phone'] as const

type TextMeaning = (typeof textMeanings)[number]
type Meaning = TextMeaning | 'birthDate' | 'gender' | 'number' | 'account' | keyof Authority

/** The fields of PID that patients are found by. */
const meanings: Readonly<Record<string, Meaning>> = {
  'PID.3': 'number',
  'PID.3.1': 'number',
  'PID.3.4': 'namespace',
  'PID.3.4.1': 'namespace',
  'PID.3.4.2': 'universalId',
  'PID.3.4.3': 'universalIdType',
  'PID.5': 'family',
  'PID.5.1': 'family',
  'PID.5.1.1': 'family',
  'PID.5.2': 'given',
  'PID.7': 'birthDate',
  'PID.7.1': 'birthDate',
  'PID.8': 'gender',
  'PID.8.1': 'gender',
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
  'PID.18': 'account',
  'PID.18.1': 'account',
}
