import { Alert } from '../../../packages/views/components/alert.tsx'
import { StatusPill } from '../../../packages/views/components/badge.tsx'
import type { GateCheck, GateResult } from '../consent-gate.ts'
import type { DocumentCheck } from '../own-documents.ts'
import { english } from '../words/words.ts'
import { shareableWord, type Word } from './words.ts'

export interface GateViewProps {
  readonly gate: GateResult
  /** The facility that would see it. */
  readonly to: string
  /** Where the patient’s consents can be looked at and recorded. */
  readonly consentsAt?: string | undefined
}

/** There is nothing to ask the consent gate before somebody is chosen. */
export function NobodyYet() {
  return <p class="hint">Choose the facility to see whether the patient allows this.</p>
}

/** What the consent gate would say if the draft were sent now. */
export function GateView({ gate, to, consentsAt }: GateViewProps) {
  const { passes, checks, documents } = gate
  const kept = documents.filter(({ outcome }) => outcome === 'REFUSED' || outcome === 'UNVERIFIED')
  if (checks.length === 0 && kept.length === 0) {
    return <Alert tone="good" title="Nothing of the record is shared, so no consent is needed." />
  }
  const title = passes ? (
    <>
      The patient lets <bdi>{to}</bdi> see everything that this referral shares.
    </>
  ) : (
    'As it is, this could not be sent'
  )
  return (
    <Alert tone={passes ? 'good' : 'bad'} title={title}>
      <ul class="plain-list">
        {checks.map(({ resourceType, outcome, reason }) => (
          <li key={resourceType}>
            <StatusPill tone={outcomes[outcome].tone}>{outcomes[outcome].label}</StatusPill>{' '}
            {shareableWord(resourceType, english)}
            {reason !== null && (
              <details>
                <summary>Why</summary>
                <bdi>{reason}</bdi>
              </details>
            )}
          </li>
        ))}
        {kept.map(({ reference, outcome }) => (
          <li key={reference}>
            <StatusPill tone={outcomes[outcome].tone}>{outcomes[outcome].label}</StatusPill> <bdi>{reference}</bdi>:{' '}
            {outcome === 'REFUSED' ? 'not of this patient' : 'whose it is could not be verified'}
          </li>
        ))}
      </ul>
      {checks.some(({ outcome }) => outcome !== 'PERMITTED') && consentsAt !== undefined && (
        <p>
          Share less, or see what the patient has agreed to: <a href={consentsAt}>Consents of the patient</a>
        </p>
      )}
    </Alert>
  )
}

const outcomes: Readonly<Record<GateCheck['outcome'] | DocumentCheck['outcome'], Word>> = {
  PERMITTED: { label: 'Permitted', tone: 'good' },
  REFUSED: { label: 'Refused', tone: 'bad' },
  UNVERIFIED: { label: 'No answer', tone: 'warning' },
  NOT_FOUND: { label: 'Not found', tone: 'neutral' },
}

/** The page of a patient’s consents, where the consent service has one. */
export const consentsOf = (patientId: string, addresses: Readonly<Record<string, string>>): string | undefined =>
  addresses['consent'] === undefined
    ? undefined
    : `${addresses['consent']}/patients/${encodeURIComponent(patientId.replace(/^Patient\//, ''))}`
