import type { TransactionStatus } from '../../store/transactions.ts'

interface Advice {
  readonly title: string
  /** What to do about it. */
  readonly todo: string
}

/** Why it stands as it does, and what to do. */
export function adviceOn(status: TransactionStatus, errorCode: string | null, denied: Denied = {}): Advice {
  if (status === 'ERROR' && errorCode === 'CONSENT_DENIED') return onDenial(denied)
  if (status === 'QUEUED') return known(waits, errorCode) ?? waitsForSomething
  if (status === 'ERROR') return known(errors, errorCode) ?? unknown
  return outcomes[status]
}

const known = (of: Readonly<Record<string, Advice>>, errorCode: string | null): Advice | undefined =>
  errorCode !== null && Object.hasOwn(of, errorCode) ? of[errorCode] : undefined

/** What is known of a refusal by consent. */
interface Denied {
  /** What a message wanted of the record: queries read, all others write. Undefined of several messages. */
  readonly wish?: 'write' | 'read' | undefined
  /** By a consent that says no, or because none says yes; undefined where nobody knows. */
  readonly by?: 'a consent' | 'none' | undefined
}

function onDenial({ wish, by }: Denied): Advice {
  const unsaid = `No consent lets this facility ${wish ?? 'read or write'}.`
  if (by === 'none') {
    const todo =
      'Nobody has said yes: record a consent of the patient, or the policy of a facility that is new here; then retry.'
    return { title: unsaid, todo }
  }
  return {
    title: by === undefined ? unsaid : `The patient does not let this facility ${wish ?? 'read or write'}.`,
    todo: 'Look into the patient’s consents, and for a new facility into its policy. When one is missing, wrong or outdated, have it recorded, revoked or changed, then retry.',
  }
}

const outcomes: Readonly<Record<'SUCCESS' | 'PROCESSING' | 'DUPLICATE', Advice>> = {
  SUCCESS: { title: 'It went through all stages.', todo: 'Nothing is to be done.' },
  PROCESSING: { title: 'It is at work right now.', todo: 'This changes by itself when it has ended.' },
  DUPLICATE: {
    title: 'It was sent before and is not worked on twice.',
    todo: 'Nothing is to be done: the sender got the answer of the first one.',
  },
}

/** A message that went through, and of which something was noticed. */
export const withTrouble: Advice = {
  title: 'It went through, but not everything in it could be used.',
  todo: 'What could be used is stored, and the sender has its answer. What was noticed:',
}

const unknown: Advice = {
  title: 'It could not be taken.',
  todo: 'The sentence below says why. When the cause is gone, retry it.',
}

const header: Advice = {
  title: 'Its header is not one that this channel takes.',
  todo: 'The sender has to change MSH or use another port. A retry helps only after the channel was changed.',
}

const content: Advice = {
  title: 'What it says cannot be turned into FHIR.',
  todo: 'The sender has to correct the message and send it again.',
}

const away = (who: string): Advice => ({
  title: `${who} gave no answer.`,
  todo: `See whether ${inSentence(who)} is well (Breakers), then retry.`,
})

const inSentence = (who: string): string => who.replace('The', 'the')

const dependencies: Readonly<Record<string, string>> = {
  CONSENT_UNAVAILABLE: 'The consent service',
  PATIENT_INDEX_UNAVAILABLE: 'The patient index',
  FACILITY_REGISTRY_UNAVAILABLE: 'The facility registry',
  TERMINOLOGY_UNAVAILABLE: 'The terminology service',
  STORE_UNAVAILABLE: 'The FHIR store',
}

const forEachDependency = (advice: (who: string) => Advice): Readonly<Record<string, Advice>> =>
  Object.fromEntries(Object.entries(dependencies).map(([code, who]) => [code, advice(who)]))

/** What stands in the retry queue: whatever it waits for, nobody has to start it. */
const waits: Readonly<Record<string, Advice>> = {
  ...forEachDependency((who) => ({
    title: `${who} gave no answer; the message is kept and tried again by itself.`,
    todo: `Nothing is lost and the sender has its answer. See whether ${inSentence(who)} is well (Breakers).`,
  })),
  TIMEOUT: {
    title: 'It took too long; the message is kept and tried again by itself.',
    todo: 'Nothing is lost and the sender has its answer. See which of those that it needs is slow (Overview).',
  },
  WAITS_FOR_PATIENT: {
    title: 'An older message of the same patient comes first.',
    todo: 'It goes on by itself when that one is through.',
  },
}

const waitsForSomething: Advice = {
  title: 'It is kept and tried again by itself.',
  todo: 'The sentence below says what it waits for.',
}

const errors: Readonly<Record<string, Advice>> = {
  ...forEachDependency(away),
  QUERY_UNAVAILABLE: away('The FHIR store'),
  STORE_UNAVAILABLE: {
    title: 'The FHIR store gave no answer, as often as it was tried.',
    todo: 'The sender has its AA and does not send it again. See whether the store is well (Breakers), then retry.',
  },
  TIMEOUT: {
    title: 'It took too long.',
    todo: 'Its last stage says who was slow. When that is well again, retry, unless the sender has sent it again.',
  },
  POISON: {
    title: 'It was begun again and again, and never came to an end.',
    todo: 'It may end the process that runs it: report it, and look into the log before anybody has it run once more.',
  },
  STORE_REJECTED: {
    title: 'The FHIR store refused what the message became.',
    todo: 'The sentence below says which rule was broken. Correct the mapping or the message, then retry.',
  },
  NUMBER_OF_ANOTHER: {
    title: 'A number of it is that of something else, which another patient has.',
    todo: 'Its sender gives numbers twice, or names the wrong patient. The sender has to say which, with an authority for each kind of number.',
  },
  OTHER_PERSON: {
    title: 'The number of its patient is that of somebody of another name, birth date and sex.',
    todo: 'The sender has taken one patient for another, or gives numbers again: it has to say which. Where both are one person, correct the record in the store, then retry.',
  },
  UNKNOWN_FACILITY: {
    title: 'The sending facility is not registered.',
    todo: 'Register the code of MSH-4 in the facility registry, then retry.',
  },
  FACILITY_ZONE_UNKNOWN: {
    title: 'The time zone of the sending facility is none.',
    todo: 'Correct the time zone of its Organization in the facility registry (a name such as Africa/Nairobi), then retry.',
  },
  FACILITY_MISSING: {
    title: 'The message does not say which facility sends it.',
    todo: 'Give the channel a facility of its own, or have the sender fill MSH-4; then retry.',
  },
  REQUIRED_FIELD_MISSING: {
    title: 'Its header leaves out what every message needs.',
    todo: 'The sender has to fill it in. Where it is MSH-4, the channel can be given a facility of its own; then retry.',
  },
  SENDER_NOT_ALLOWED: {
    title: 'The connection belongs to another facility than the message says.',
    todo: 'Compare the client certificate with MSH-4 in the configuration of the channel.',
  },
  RECORDS_NOT_TAKEN: {
    title: 'Some records of the master file could not be taken.',
    todo: 'The answer says which, and why; the others are stored. The sender has to correct them and send the file again.',
  },
  UNKNOWN_IDENTIFIER: {
    title: 'The query asked for a number that nobody has here.',
    todo: 'Nothing is to be done, unless the patient should be known: then their registration is missing.',
  },
  SEVERAL_PATIENTS: {
    title: 'The query asked who has a number that several patients have.',
    todo: 'Its sender has to ask by the number of a record. Where the patients are one person, merge their records.',
  },
  UNKNOWN_DOMAIN: {
    title: 'The query named a domain that is not known here.',
    todo: 'Compare QPD-4 or QPD-8 with the namespaces of the facility.',
  },
  NO_NUMBERS_HERE: {
    title: 'The query asked for a new number, and none are given out here.',
    todo: 'Nothing is to be done: its sender has to ask whoever registers patients.',
  },
  PARSE_ERROR: {
    title: 'The bytes are not an HL7 message.',
    todo: 'The sender has to correct its framing or encoding.',
  },
  MESSAGE_TOO_LARGE: {
    title: 'It is larger than this channel takes, and only its beginning was kept.',
    todo: 'The sender has to send less at once, or bridge.frameBytesMax has to be raised; then the sender has to send it again.',
  },
  INTERNAL: {
    title: 'An unexpected error happened on our side.',
    todo: 'The log has the details under this id. Retry; when it fails again, report it.',
  },
  ...Object.fromEntries(
    ['UNSUPPORTED_TYPE', 'UNSUPPORTED_EVENT', 'UNSUPPORTED_PROCESSING_ID', 'UNSUPPORTED_VERSION'].map((code) => [
      code,
      header,
    ]),
  ),
  ...Object.fromEntries(
    ['SEGMENT_MISSING', 'FIELD_MISSING', 'BAD_VALUE', 'UNMAPPED_CODE', 'VALUE_TOO_LONG', 'INVALID_MESSAGE'].map(
      (code) => [code, content],
    ),
  ),
}

export const durationWords = (ms: number): string =>
  ms < 1_000 ? `${ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`
