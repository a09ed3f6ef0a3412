import type { ConsentRefusal } from '../../pipeline/outcome.ts'

interface RefusalProps {
  readonly refusal: ConsentRefusal
  /** Where the consents can be looked at. */
  readonly consentUrl: string | undefined
}

/** Which wish was refused, by which consent, and where that consent is. */
export function Refusal({ refusal, consentUrl }: RefusalProps) {
  const { actor, operation, resourceType, consentRecordId, reason } = refusal
  const patient = `${consentUrl}/patients/${encodeURIComponent(refusal.patientId)}`
  const { verdict, against } = tellingPartsOf(reason)
  return (
    <div class="stack tight">
      <p>
        <bdi>{actor.replace(/^Organization\//, '')}</bdi> wanted to {operationWords[operation] ?? operation}{' '}
        <code>{resourceType}</code>. The consent service answered: {verdict}.
      </p>
      {against !== '' && <p>What stood against it: {against}.</p>}
      {consentUrl !== undefined && (
        <p class="facts">
          {consentRecordId !== null && (
            <a href={`${consentUrl}/consents/${consentRecordId}`}>See consent {consentRecordId}</a>
          )}
          <a href={patient}>All consents of the patient</a>
          <a href={`${consentUrl}/ask?patient=${encodeURIComponent(refusal.patientId)}`}>Ask the question</a>
        </p>
      )}
    </div>
  )
}

/** The service names each check and then its verdict, with semicolons between them; a check that passed tells nothing. */
function tellingPartsOf(reason: string): { readonly verdict: string; readonly against: string } {
  const parts = reason.split('; ')
  const failed = parts.filter((part) => part.endsWith(' – failed')).map((part) => part.replace(' – failed', ''))
  return { verdict: parts.filter((part) => !part.includes(' – ')).join('; '), against: failed.join('; ') }
}

const operationWords: Readonly<Record<string, string>> = {
  READ: 'read',
  SEARCH: 'search for',
  CREATE: 'add',
  UPDATE: 'change',
  DELETE: 'delete',
}
