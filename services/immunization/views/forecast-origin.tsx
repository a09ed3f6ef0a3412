import { Alert } from '../../../packages/views/components/alert.tsx'
import type { PatientRecord } from '../read-model/patient-record.ts'
import { areCalculated } from '../read-model/recommendation.ts'
import { useWords } from '../words/words.ts'

/**
 * Whose word it is that is listed. Nobody may take for a clinician's plan what this app has worked out, for the doses of a
 * person those of one record, or for all that is due what somebody has recommended.
 */
export function ForecastOrigin({ record: { patient, recommendations } }: { readonly record: PatientRecord }) {
  const { text } = useWords()
  if (recommendations.length === 0) return null
  if (!areCalculated(recommendations)) {
    return (
      <Alert tone="info" title={text('recommendedTitle')}>
        {text('recommendedText')}
      </Alert>
    )
  }
  return (
    <Alert tone="info" title={text('calculatedTitle')}>
      {text('calculatedText')}
      {patient.mayHaveOtherRecords && ` ${text('otherRecords')}`}
    </Alert>
  )
}
