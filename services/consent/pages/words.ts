import type { Tone } from '../../../packages/views/components/tone.ts'
import type { FhirOperation } from '../access-request.ts'
import type { Check } from '../checks.ts'
import type { Decision } from '../decide.ts'
import type { ProvisionType } from '../record/consent-record.ts'
import type { LogKind } from '../store/recent-events.ts'
import type { ConsentState } from './consent-state.ts'

/** What pages call things, and how much they want to be seen. */
interface Word {
  readonly label: string
  readonly tone: Tone
}

export const stateWords: Readonly<Record<ConsentState, Word>> = {
  active: { label: 'In force', tone: 'info' },
  waiting: { label: 'Not yet in force', tone: 'warning' },
  ended: { label: 'Ended', tone: 'neutral' },
  revoked: { label: 'Revoked', tone: 'neutral' },
}

export const provisionWords: Readonly<Record<ProvisionType, Word>> = {
  permit: { label: '✓ Permits', tone: 'good' },
  deny: { label: '✕ Refuses', tone: 'bad' },
}

/** The usual types of a record, and what people call them. */
export const typeWords = {
  Observation: 'results and vital signs',
  Condition: 'diagnoses and problems',
  DiagnosticReport: 'reports',
  MedicationRequest: 'prescriptions',
  AllergyIntolerance: 'allergies',
  Immunization: 'vaccinations',
  Encounter: 'visits',
  DocumentReference: 'documents',
} as const

/** Further ones that somebody is asked about, without a box of their own in a form. */
export const furtherTypeWords = { Patient: 'personal details', Appointment: 'appointments' } as const

const wordByType: Readonly<Record<string, string>> = { ...typeWords, ...furtherTypeWords }

export const typeWord = (type: string): string => wordByType[type] ?? type

export const purposeWords = {
  TREAT: 'treatment',
  ETREAT: 'emergencies',
  HRESCH: 'research',
  PUBHLTH: 'public health',
  HPAYMT: 'payment',
  HOPERAT: 'running the service',
  BTG: 'breaking the glass',
} as const

const wordByPurpose: Readonly<Record<string, string>> = purposeWords

export const purposeWord = (code: string): string => wordByPurpose[code] ?? code

export const operationWords: Readonly<Record<FhirOperation, string>> = {
  READ: 'read',
  SEARCH: 'search for',
  CREATE: 'add',
  UPDATE: 'change',
  DELETE: 'delete',
}

const wordByOperation: Readonly<Record<string, string>> = operationWords

export const operationWord = (operation: string): string => wordByOperation[operation] ?? operation

export const outcomeWords: Readonly<Record<Decision['outcome'], Word>> = {
  PERMIT: { label: 'Yes', tone: 'good' },
  DENY: { label: 'No', tone: 'bad' },
  NO_CONSENT: { label: 'No', tone: 'warning' },
}

/** How each check of a decision is put as a question. */
export const checkWords: Readonly<Record<Check['name'], string>> = {
  'provision type': 'Does it permit or refuse?',
  'resource class': 'Is it about this kind of data?',
  operation: 'Is it about this operation?',
  status: 'Is it active?',
  period: 'Does it hold today?',
  purpose: 'Is it for this purpose?',
}

/** One line for each kind of row in the log. */
export const logWords: Readonly<Record<string, Word>> = {
  PERMIT: { label: 'Permitted', tone: 'good' },
  DENY: { label: 'Refused', tone: 'bad' },
  NO_CONSENT: { label: 'No consent', tone: 'warning' },
  ALERT: { label: 'Alert', tone: 'bad' },
  CREATED: { label: 'Consent recorded', tone: 'info' },
  CHANGED: { label: 'Consent changed', tone: 'info' },
  REVOKED: { label: 'Consent revoked', tone: 'info' },
  SHOWN: { label: 'Consents shown', tone: 'neutral' },
  MOVED: { label: 'Moved to the survivor of a merge', tone: 'info' },
  UNAUTHENTICATED: { label: 'Not signed in', tone: 'neutral' },
  FORBIDDEN: { label: 'Not allowed', tone: 'neutral' },
  MALFORMED: { label: 'Not understood', tone: 'neutral' },
  FAILED: { label: 'Failed', tone: 'neutral' },
}

/** Which rows of the log can be asked for by themselves. */
export const logKindWords: Readonly<Record<LogKind, string>> = {
  decisions: 'Questions',
  changes: 'Changes',
  looks: 'Looks',
}

export const emptyLogWords: Readonly<Record<LogKind | 'all', string>> = {
  all: 'Nothing has happened yet',
  decisions: 'Nobody has asked anything yet',
  changes: 'Nobody has changed a consent yet',
  looks: 'Nobody has looked at consents yet',
}

export const capital = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1)

/** `a, b and c`; past the limit the rest is counted. */
export function listed(words: readonly string[], shownMax = 5, between: 'and' | 'or' = 'and'): string {
  const shown = words.length <= shownMax + 1 ? words : words.slice(0, shownMax)
  const all = shown.length < words.length ? [...shown, `${words.length - shown.length} more kinds`] : shown
  return all.length <= 1 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} ${between} ${all.at(-1) ?? ''}`
}
