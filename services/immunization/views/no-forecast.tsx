import { EmptyState } from '../../../packages/views/components/empty-state.tsx'
import type { PatientRecord } from '../read-model/patient-record.ts'
import { useWords } from '../words/words.ts'

/** Without a recommendation nobody knows whether anything is due: it says why there is none. */
export function NoForecast({ unplanned }: Pick<PatientRecord, 'unplanned'>) {
  const { text } = useWords()
  return (
    <EmptyState title={text('noForecastTitle')}>
      {text(unplanned === undefined ? 'noForecastText' : `noForecast_${unplanned}`)}
    </EmptyState>
  )
}
