import type { Identifier, Patient } from '../../../packages/fhir/r4.ts'
import {
  repeated,
  respondToQuery,
  type AnswerDeps,
  type FieldValue,
  type Issue,
  type Message,
  type MessageBuilder,
  type QueryResponse,
} from '../../../packages/hl7/index.ts'
import { addSegments, pidFrom, type WriterDeps } from '../hl7-from-fhir/index.ts'
import { ignoredIssues } from '../mapping/families/qbp/ignored-issues.ts'
import type { PatientQuery } from '../mapping/families/qbp/query.ts'
import { domainFields } from '../mapping/families/qbp/read-query.ts'

/** What was found. The asker's consent to see each patient was asked before: whoever is not here was not found. */
export interface QueryOutcome {
  /** The best first. For Q24: one patient, whose identifiers are the new ones. */
  readonly patients: readonly FoundPatient[]
  /** More may fit than these. */
  readonly hasMore?: boolean
  /** Identifier systems that the exchange knows; without it, every domain is known. */
  readonly knownDomains?: ReadonlySet<string>
  /** The identifier of Q21 or Q23 belongs to no patient whom the exchange knows. */
  readonly isUnknownIdentifier?: boolean
}

export interface FoundPatient {
  readonly patient: Patient
  /** 0 to 1: how sure it is that this is who was asked for. */
  readonly score?: number
}

export interface QueryReply {
  readonly reply: Message
  /** MSA-1. The issues of AA are warnings. */
  readonly code: 'AA' | 'AE' | 'AR'
  readonly issues: readonly Issue[]
}

/** RSP^K21 to K24: the patients that a query found, or why it found none. */
export function queryReply(
  message: Message,
  query: PatientQuery,
  outcome: QueryOutcome,
  deps: AnswerDeps & WriterDeps,
): QueryReply {
  const response = responseOf(query, outcome, deps)
  const { code, issues = [] } = response
  return { reply: respondToQuery(message, response, deps), code, issues }
}

/** Of those who were found, whoever the answer tells of: the limit, the domains and the issues of the query count. */
export function toldOf<P extends FoundPatient>(
  query: PatientQuery,
  outcome: QueryOutcome & { readonly patients: readonly P[] },
): P[] {
  return issuesOf(query, outcome).length > 0 ? [] : pageOf(query, shownPatients(query, outcome)).here
}

type Response = QueryResponse & Pick<QueryReply, 'code'>

function responseOf(query: PatientQuery, outcome: QueryOutcome, deps: WriterDeps): Response {
  const issues = issuesOf(query, outcome)
  if (issues.length > 0) return { code: 'AE', status: 'AE', issues }
  const found = shownPatients(query, outcome)
  const warnings = query.kind === 'candidates' ? ignoredIssues(query.ignored) : []
  if (found.length === 0) {
    if (query.kind === 'allocation') return { code: 'AR', status: 'AR', issues: [noNumbers] }
    return { code: 'AA', status: 'NF', issues: warnings, hits: { total: 0, here: 0, remaining: 0 } }
  }
  const { here, end } = pageOf(query, found)
  return {
    code: 'AA',
    status: 'OK',
    issues: outcome.hasMore === true ? [...warnings, moreFit] : warnings,
    hits: { total: found.length, here: here.length, remaining: found.length - end },
    rows: (builder) => addRows(builder, query, here, deps),
    // The pointer says how many were given, so that nothing has to be remembered between the two.
    ...(end < found.length ? { continuation: String(end) } : {}),
  }
}

function pageOf<P>({ limit, offset }: PatientQuery, found: readonly P[]): { here: P[]; end: number } {
  const end = limit === undefined ? found.length : Math.min(found.length, offset + limit)
  return { here: found.slice(offset, end), end }
}

function issuesOf(query: PatientQuery, { patients, knownDomains, isUnknownIdentifier }: QueryOutcome): Issue[] {
  const unknown = query.domains.filter(({ system }) => knownDomains !== undefined && !knownDomains.has(system))
  const domainIssues = unknown.map(({ repetition }): Issue => ({
    code: '204',
    severity: 'E',
    text: 'This identifier domain is not known here.',
    location: { segment: 'QPD', sequence: 1, field: domainFields[query.kind], repetition },
    applicationCode: { code: 'UNKNOWN_DOMAIN' },
  }))
  if (query.kind !== 'identifiers' && query.kind !== 'demographics') return domainIssues
  if (isUnknownIdentifier === true) return [...domainIssues, unknownIdentifier]
  return patients.length > 1 ? [...domainIssues, severalPatients] : domainIssues
}

const unknownIdentifier = refusedNumber('204', 'UNKNOWN_IDENTIFIER', 'This identifier is not known here.')

/** The answer is about one patient, and whoever asks takes the numbers and the name in it for theirs. */
const severalPatients = refusedNumber(
  '207',
  'SEVERAL_PATIENTS',
  'Several patients have this identifier. Ask by the number of a record.',
)

/** Of the number of somebody that was asked by. */
function refusedNumber(code: Issue['code'], applicationCode: string, text: string): Issue {
  const location = { segment: 'QPD', sequence: 1, field: 3, repetition: 1, component: 1 }
  return { code, severity: 'E', text, location, applicationCode: { code: applicationCode } }
}

/** Beside somebody who was found alone: where nobody may be told of, it would tell that there are many. */
const moreFit: Issue = {
  code: '0',
  severity: 'W',
  text: 'More patients may fit than are told of here. Say more of whom you look for.',
  location: { segment: 'QPD', sequence: 1, field: 3 },
  applicationCode: { code: 'MORE_FIT' },
}

const noNumbers: Issue = {
  code: '207',
  severity: 'E',
  text: 'No numbers are given out here.',
  location: { segment: 'QPD', sequence: 1, field: 3 },
  applicationCode: { code: 'NO_NUMBERS_HERE' },
}

/** Those with an identifier in the domains that were asked for, and of their identifiers only these. */
function shownPatients<P extends FoundPatient>(query: PatientQuery, { patients }: { readonly patients: readonly P[] }) {
  const minimum = query.kind === 'candidates' ? (query.confidence ?? 0) / 100 : 0
  return patients
    .filter(({ score }) => (score ?? 1) >= minimum)
    .map((found) => ({ ...found, patient: { ...found.patient, identifier: shownIdentifiers(found.patient, query) } }))
    .filter(({ patient }) => patient.identifier.length > 0)
}

/** A query for corresponding identifiers has one already: without domains, it wants the others. */
export function shownIdentifiers({ identifier = [] }: Patient, query: PatientQuery): Identifier[] {
  const current = identifier.filter(({ use, value }) => use !== 'old' && value !== undefined)
  const wanted = new Set(query.domains.map(({ system }) => system))
  if (wanted.size > 0) return current.filter(({ system }) => wanted.has(system ?? ''))
  if (query.kind !== 'identifiers') return current
  const asked = query.identifier
  return current.filter(({ system, value }) => system !== asked.system || value !== asked.value)
}

function addRows(builder: MessageBuilder, query: PatientQuery, found: readonly FoundPatient[], deps: WriterDeps): void {
  for (const [index, { patient, score }] of found.entries()) {
    const pid = pidFrom(patient, deps, index + 1)
    addSegments(builder, [hasDemographics(query) ? pid : withoutDemographics(pid.fields)])
    if (query.kind === 'candidates' && score !== undefined) builder.add('QRI', [Math.round(score * 100)])
  }
}

const hasDemographics = ({ kind }: PatientQuery): boolean => kind === 'candidates' || kind === 'demographics'

/** Who asks for numbers learns no name: HL7 wants PID-5, and this is how IHE leaves it blank. */
function withoutDemographics(fields: ReturnType<typeof pidFrom>['fields']) {
  const { 3: identifiers } = fields as Readonly<Record<number, FieldValue>>
  const blank = repeated([undefined, [undefined, undefined, undefined, undefined, undefined, undefined, 'S']])
  return { name: 'PID', fields: { 3: identifiers, 5: blank } }
}
