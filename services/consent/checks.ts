import { intersectLetters, uniteLetters } from '../../packages/smart/letters.ts'
import { letterOf, type AccessRequest } from './access-request.ts'
import { isKindOf, isPurposeOfHl7 } from './purposes.ts'
import type { DecidingRecord } from './record/consent-record.ts'
import { resourceScopesOf } from './record/derive.ts'

export const checkNames = ['provision type', 'resource class', 'operation', 'status', 'period'] as const

export interface Check {
  readonly name: (typeof checkNames)[number] | 'purpose'
  /** In words, without the result: `operation READ (r) not in permitted operations "cud"`. */
  readonly text: string
  readonly passed: boolean
}

export interface CheckedRecord {
  readonly record: DecidingRecord
  /** The five, and that of the purpose where the record is confined to some. */
  readonly checks: readonly Check[]
  /** How many of them passed. */
  readonly passed: number
}

export const isMatching = ({ checks, passed }: CheckedRecord): boolean => passed === checks.length

export const isForPurpose = ({ checks }: CheckedRecord): boolean =>
  checks.every(({ name, passed }) => name !== 'purpose' || passed)

/** Every record that could have a say, with all its checks. */
export function checkCandidates(
  records: readonly DecidingRecord[],
  request: AccessRequest,
  date: string,
): readonly CheckedRecord[] {
  const candidates = records.filter((record) => isCandidate(record, request))
  const isPurposeKnown = isKnownPurpose(request, candidates, date)
  return candidates.map((record) => check(record, { ...request, isPurposeKnown }, date))
}

/** What is asked about, and whether its purpose is a word that anybody has. */
interface Asked extends AccessRequest {
  readonly isPurposeKnown: boolean
}

/**
 * One of HL7's, or of the country's own as a permit has it that gives what is asked. By refusals alone a further one would open
 * what another closes, and a permit opens nothing but what it is about.
 */
const isKnownPurpose = (request: AccessRequest, candidates: readonly DecidingRecord[], date: string): boolean =>
  isPurposeOfHl7(request.purposeOfUse) ||
  candidates.some(
    (record) =>
      record.provisionType === 'permit' &&
      record.purposes.includes(request.purposeOfUse) &&
      fiveChecks(record, request, date).every(({ passed }) => passed),
  )

/** The records that could have a say: those of this patient, and the domain policies; for all actors or one asked about. */
function isCandidate(record: DecidingRecord, request: AccessRequest): boolean {
  const concernsPatient = record.patientId === null ? record.isDomainPolicy : record.patientId === request.patientId
  const concernsActor = record.actorReference === null || request.actorReferences.includes(record.actorReference)
  return concernsPatient && concernsActor
}

/** Those of the specification, and one for the field that it does not have. */
function check(record: DecidingRecord, request: Asked, date: string): CheckedRecord {
  const checks = [
    ...fiveChecks(record, request, date),
    ...(record.purposes.length === 0 ? [] : [purposeCheck(record, request)]),
  ]
  return { record, checks, passed: checks.filter(({ passed }) => passed).length }
}

/** The checks of the specification, in its order. */
const fiveChecks = (record: DecidingRecord, request: AccessRequest, date: string): readonly Check[] => [
  provisionCheck(record),
  classCheck(record, request),
  operationCheck(record, request),
  statusCheck(record),
  periodCheck(record, date),
]

const provisionCheck = ({ provisionType }: DecidingRecord): Check => ({
  name: 'provision type',
  text: `provision type ${provisionType}`,
  passed: true,
})

function classCheck({ resourceClasses }: DecidingRecord, { resourceType }: AccessRequest): Check {
  const passed = resourceClasses.length === 0 || resourceClasses.includes(resourceType)
  const text = passed ? resourceType : `${resourceType} not among ${shortList(resourceClasses)}`
  return { name: 'resource class', text: `resource class ${text}`, passed }
}

function operationCheck(record: DecidingRecord, { resourceType, operation }: AccessRequest): Check {
  const effective = effectiveOperations(record, resourceType)
  const passed = effective.includes(letterOf[operation])
  const relation = passed ? 'in' : 'not in'
  const text = `operation ${operation} (${letterOf[operation]}) ${relation} permitted operations "${effective}"`
  return { name: 'operation', text, passed }
}

/**
 * What the record says about one type: the scopes that name it, or else all that the record gives. The request cannot
 * prove that it keeps within a granular scope's query, so such a scope never opens a permit; a deny it widens in full.
 */
export function effectiveOperations(
  record: Pick<DecidingRecord, 'provisionType' | 'scopeValues' | 'permittedOperations'>,
  resourceType: string,
): string {
  if (record.scopeValues.length === 0) return record.permittedOperations
  const scopes = resourceScopesOf(record.scopeValues)
  const naming = scopes.filter(({ type }) => type === resourceType || type === '*')
  const counting = (naming.length > 0 ? naming : scopes).filter(
    ({ query }) => query === undefined || record.provisionType === 'deny',
  )
  const letters = counting.reduce((all, scope) => uniteLetters(all, scope.letters), '')
  return intersectLetters(letters, record.permittedOperations)
}

const statusCheck = ({ status }: DecidingRecord): Check => ({
  name: 'status',
  text: `status ${status}`,
  passed: status === 'active',
})

/** Both days are inclusive; an open side covers everything on it. */
function periodCheck({ periodStart, periodEnd }: DecidingRecord, date: string): Check {
  const passed = (periodStart === null || periodStart <= date) && (periodEnd === null || date <= periodEnd)
  const start = periodStart === null ? '' : ` from ${periodStart}`
  const end = periodEnd === null ? '' : ` until ${periodEnd}`
  const span = `period${start === '' && end === '' ? ' open' : start + end}`
  return { name: 'period', text: passed ? span : `${span} does not cover ${date}`, passed }
}

/**
 * A permit is for the purposes that it names; a refusal of research is one of clinical trials, too. What nobody has a word
 * for may be any of them: one slip of the pen must not open what is closed.
 */
function purposeCheck({ provisionType, purposes }: DecidingRecord, { purposeOfUse, isPurposeKnown }: Asked): Check {
  const isDeny = provisionType === 'deny'
  const named = purposes.find((one) => (isDeny ? isKindOf(purposeOfUse, one) : one === purposeOfUse))
  const passed = named !== undefined || (isDeny && !isPurposeKnown)
  return { name: 'purpose', text: `purpose of use ${purposeOfUse}${relation()}`, passed }

  function relation(): string {
    if (named !== undefined) return named === purposeOfUse ? '' : ` is a kind of ${named}`
    return passed ? ` is not known, and may be among ${shortList(purposes)}` : ` not among ${shortList(purposes)}`
  }
}

const wordsShown = 5

const shortList = (words: readonly string[]) =>
  words.length <= wordsShown
    ? words.join(', ')
    : `${words.slice(0, wordsShown).join(', ')} and ${words.length - wordsShown} more`
