import { Alert } from '../../../packages/views/components/alert.tsx'
import { StatusPill } from '../../../packages/views/components/badge.tsx'
import type { GateResult } from '../consent-gate.ts'
import { shareable } from './words.ts'

/** What the consent gate would say if the draft were sent now. */
export function GateView({ gate, to }: { readonly gate: GateResult; readonly to: string }) {
  const { passes, checks } = gate
  if (checks.length === 0) {
    return <Alert tone="good" title="Nothing of the record is shared, so no consent is needed." />
  }
  const title = passes ? (
    <>
      The patient lets <bdi>{to}</bdi> see everything that this referral shares.
    </>
  ) : (
    'This cannot be sent yet'
  )
  return (
    <Alert tone={passes ? 'good' : 'bad'} title={title}>
      <ul class="plain-list">
        {checks.map(({ resourceType, outcome, reason }) => (
          <li key={resourceType}>
            <StatusPill tone={outcomes[outcome].tone}>{outcomes[outcome].label}</StatusPill>{' '}
            {shareable[resourceType] ?? resourceType}
            {reason !== null && (
              <details>
                <summary>Why</summary>
                <bdi>{reason}</bdi>
              </details>
            )}
          </li>
        ))}
      </ul>
    </Alert>
  )
}

const outcomes = {
  PERMITTED: { label: 'Permitted', tone: 'good' },
  REFUSED: { label: 'Refused', tone: 'bad' },
  UNVERIFIED: { label: 'No answer', tone: 'warning' },
} as const
