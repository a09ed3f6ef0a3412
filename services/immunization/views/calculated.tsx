import { Alert } from '../../../packages/views/components/alert.tsx'
import type { Recommendation } from '../read-model/recommendation.ts'
import { useWords } from '../words/words.ts'

/** Nobody may take for a clinician's plan what this app has worked out. */
export function Calculated({ recommendations }: { readonly recommendations: readonly Recommendation[] }) {
  const { text } = useWords()
  if (!recommendations.some(({ calculated }) => calculated)) return null
  return (
    <Alert tone="info" title={text('calculatedTitle')}>
      {text('calculatedText')}
    </Alert>
  )
}
