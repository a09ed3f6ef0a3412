import type { Answered, Consent, ConsentQuestion } from '../../../ports/consent/consent.ts'
import type { Breakers } from '../breakers/breakers.ts'
import type { Mapped, Write } from '../mapping/mapped.ts'
import type { Stored } from '../persist/stored.ts'
import type { ConsentRefusal } from './outcome.ts'
import type { Person } from '../mapping/person.ts'
import type { Received } from './received.ts'
import { nack, unanswered, type Stop } from './stop.ts'

/** GOVERN promises: whoever the message is about lets the sending facility write every type of resource in it. */
export interface Governed {
  readonly is: 'governed'
  /** Questions whose silence was taken for a yes, because no answer is insisted on. */
  readonly silences: number
}

export interface GovernDeps {
  readonly consent: Consent
  readonly consentRule: ConsentRule
  readonly breakers: Pick<Breakers, 'call'>
}

export interface ConsentRule {
  readonly enabled: boolean
  /** Unknown means no. Otherwise an unreachable consent service is taken for a yes: for development only. */
  readonly failClosed: boolean
  readonly refusedAck: 'AR' | 'AE'
}

export interface ToGovern {
  readonly received: Received
  /** `Organization/…` of the sending facility: who acts. */
  readonly organization: string
  readonly mapped: Mapped
  readonly people: readonly Person[]
  readonly stored: Stored
}

export async function govern(message: ToGovern, deps: GovernDeps): Promise<Governed | Stop> {
  const { enabled, refusedAck } = deps.consentRule
  if (!enabled) return permitted
  const asking = { signal: message.received.signal, wasCalled: false }
  try {
    const answered = await Promise.all(
      wishesOf(message).map((wish) =>
        Promise.all(wish.map(async (question) => ({ question, answer: await ask(question, asking, deps) }))),
      ),
    )
    const refused = answered.filter((answers) => !isGranted(answers.map(({ answer }) => answer))).flat()
    if (refused.length === 0)
      return { is: 'governed', silences: silencesIn(answered.flat().map(({ answer }) => answer)) }
    const text = "The patient's consent does not permit the sending facility to write this. Do not send it again."
    return nack('CONSENT_DENIED', text, { code: refusedAck, refusal: refusalIn(refused) })
  } catch (thrown) {
    return unanswered('CONSENT_UNAVAILABLE', 'The consent service', thrown, asking.wasCalled)
  }
}

const permitted: Governed = { is: 'governed', silences: 0 }

const silencesIn = (answers: readonly Answered[]): number => answers.filter((answer) => answer === takenForYes).length

/** What is said of one record of a person holds for the person: a refusal of any of them counts, and so does a yes. */
export const isGranted = (answers: readonly Pick<Answered, 'outcome'>[]): boolean =>
  answers.every(({ outcome }) => outcome !== 'DENY') && answers.some(({ outcome }) => outcome === 'PERMIT')

/** The one that tells most: a refusal, then a record that might have permitted it, then silence. */
function refusalIn(
  refused: readonly { readonly question: ConsentQuestion; readonly answer: Answered }[],
): ConsentRefusal | undefined {
  const told =
    refused.find(({ answer }) => answer.outcome === 'DENY') ??
    refused.find(({ answer }) => answer.consentRecordId !== null) ??
    refused[0]
  if (told === undefined) return undefined
  const { patientId, actorReferences, resourceType, fhirOperation } = told.question
  const { reason, consentRecordId } = told.answer
  return {
    ...{ patientId, resourceType, operation: fhirOperation, reason, consentRecordId },
    actor: actorReferences[0] ?? '',
  }
}

export interface GovernedQuery<P> extends Pick<Governed, 'silences'> {
  readonly shown: readonly P[]
}

/** Somebody whom a query found, by the records that stand for them. */
interface Found {
  readonly patient: { readonly id: string }
  readonly goldenId: string
  /** Records that were golden until they were merged into that one. */
  readonly goldenBefore?: readonly string[]
  readonly others: readonly { readonly id: string }[]
}

/**
 * Of those whom a query found, whoever lets the asking facility see them, each without the other records that do not; a
 * no when that is nobody. Every record is asked about once, all of them together.
 */
export async function governQuery<P extends Found>(
  found: readonly P[],
  { received, organization }: Pick<ToGovern, 'received' | 'organization'>,
  deps: GovernDeps,
): Promise<GovernedQuery<P> | Stop> {
  const { enabled, refusedAck } = deps.consentRule
  if (!enabled || found.length === 0) return { shown: found, silences: 0 }
  const asking = { signal: received.signal, wasCalled: false }
  try {
    const answers = new Map(
      await Promise.all(
        recordsFoundOf(found).map(async (id) => [id, await ask(readQuestion(id, organization), asking, deps)] as const),
      ),
    )
    const answersOf = (records: readonly string[]) => records.flatMap((id) => answers.get(id) ?? [])
    const isSeen = ({ patient, goldenId, goldenBefore = [] }: P, ...others: readonly string[]) =>
      isGranted(answersOf([patient.id, goldenId, ...goldenBefore, ...others]))
    const shown = found
      .filter((one) => isSeen(one))
      .map((one) => ({ ...one, others: one.others.filter(({ id }) => isSeen(one, id)) }))
    if (shown.length > 0) return { shown, silences: silencesIn(answersOf(recordsFoundOf(shown))) }
    const text = 'The consent of those who were found does not permit the asking facility to see them.'
    return nack('CONSENT_DENIED', text, { code: refusedAck })
  } catch (thrown) {
    return unanswered('CONSENT_UNAVAILABLE', 'The consent service', thrown, asking.wasCalled)
  }
}

const recordsFoundOf = (found: readonly Found[]): string[] => [
  ...new Set(
    found.flatMap(({ patient, goldenId, goldenBefore = [], others }) => [
      ...[patient.id, goldenId, ...goldenBefore],
      ...others.map(({ id }) => id),
    ]),
  ),
]

const readQuestion = (patientId: string, organization: string): ConsentQuestion => ({
  ...{ patientId, resourceType: 'Patient', fhirOperation: 'READ' },
  actorReferences: [organization],
})

/** All questions of a message. The first that fails may be one that the circuit kept back while others were asked. */
interface Asking {
  readonly signal: AbortSignal
  wasCalled: boolean
}

async function ask(question: ConsentQuestion, asking: Asking, deps: GovernDeps): Promise<Answered> {
  try {
    return await answerTo(question, asking, deps)
  } catch (thrown) {
    if (deps.consentRule.failClosed) throw thrown
    return takenForYes
  }
}

/** The port answers no when there is no answer; here the two are told apart, because the sender must be. */
async function answerTo(question: ConsentQuestion, asking: Asking, { consent, breakers }: GovernDeps) {
  const { signal } = asking
  return breakers.call(
    'consent-service',
    async (): Promise<Answered> => {
      asking.wasCalled = true
      const answer = await consent.evaluate(question, { signal })
      if (answer.is === 'unanswered') throw answer.fault
      return answer
    },
    signal,
  )
}

/** Stands for the one question without an answer, never for the others: a refusal that was heard still counts. */
const takenForYes: Answered = {
  ...{ is: 'answered', outcome: 'PERMIT', permitted: true, consentRecordId: null, decisionId: null },
  reason: 'No answer, and none is insisted on.',
}

/** For each person, type and operation: what is asked of every record that stands for the person. */
export function wishesOf({ organization, mapped, people, stored }: ToGovern): ConsentQuestion[][] {
  const operations = operationsOf(mapped.writes, stored)
  return people.flatMap((person) =>
    operations.map(({ resourceType, fhirOperation }) =>
      recordsOf(person).map((patientId) => ({
        ...{ patientId, resourceType, fhirOperation },
        actorReferences: [organization],
      })),
    ),
  )
}

/** A newcomer has only what general rules say. */
function recordsOf({ fullUrl, id, goldenId, goldenBefore = [] }: Person): string[] {
  const known = [...new Set([id, goldenId, ...goldenBefore])].filter((record) => record !== undefined)
  return known.length > 0 ? known : [fullUrl.replace('urn:uuid:', '')]
}

interface Operation {
  readonly resourceType: string
  readonly fhirOperation: 'CREATE' | 'UPDATE'
}

function operationsOf(writes: readonly Write[], stored: Stored): Operation[] {
  const asked = new Map<string, Operation>()
  for (const { fullUrl, mode, resource, leavesTrace } of writes) {
    const { resourceType } = resource
    const isThere = stored.has(fullUrl)
    if (notAboutPatients.has(resourceType) || (mode === 'ensure' && isThere)) continue
    const fhirOperation = isThere || (mode === 'amend' && leavesTrace !== true) ? 'UPDATE' : 'CREATE'
    asked.set(`${resourceType} ${fhirOperation}`, { resourceType, fhirOperation })
  }
  // A message that only mentions what is there is still a message about the patient.
  return asked.size > 0 ? [...asked.values()] : [{ resourceType: 'Patient', fhirOperation: 'UPDATE' }]
}

/** Who works where, and what was sent by whom: nobody's health. */
const notAboutPatients: ReadonlySet<string> = new Set([
  'Device',
  'HealthcareService',
  'Location',
  'Medication',
  'Organization',
  'Practitioner',
  'PractitionerRole',
  'Provenance',
  'Schedule',
  'Slot',
])
