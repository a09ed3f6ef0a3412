import { Alert } from '../../../packages/views/components/alert.tsx'
import type { PatientRecord } from '../read-model/patient-record.ts'
import { useWords } from '../words/words.ts'

/** Nobody may take for a clinician's plan what this app has worked out, nor for the doses of a person those of one record. */
export function Calculated({ record: { patient, recommendations } }: { readonly record: PatientRecord }) {
  const { text } = useWords()
  if (!recommendations.some(({ calculated }) => calculated)) return null
  return (
    <Alert tone="info" title={text('calculatedTitle')}>
      {text('calculatedText')}
      {patient.mayHaveOtherRecords && ` ${text('otherRecords')}`}
    </Alert>
  )
}
