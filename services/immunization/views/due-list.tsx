import type { Recommendation } from '../read-model/recommendation.ts'
import { useWords } from '../words/words.ts'
import { doseInWords, ForecastPill, labelsIn } from './dose-words.tsx'
import { Day } from './day.tsx'

/** What comes next, the most urgent first. */
export function DueList({ recommendations }: { readonly recommendations: readonly Recommendation[] }) {
  const words = useWords()
  const labelOf = labelsIn(recommendations, words)
  return (
    <ul class="entries">
      {recommendations.map((one, index) => (
        <li key={index}>
          <div>
            <p class="entry-title">
              <bdi>{labelOf(one)}</bdi>
            </p>
            <p class="entry-detail">
              {[
                doseInWords({ doseNumber: one.doseNumber, of: one.seriesDosesRequired }, words),
                one.dateCriterionDue === null ? undefined : (
                  <>
                    {words.text('dueOn')} <Day date={one.dateCriterionDue} />
                  </>
                ),
              ]
                .filter((part) => part !== undefined)
                .map((part, at) => (
                  <span key={at}>{part}</span>
                ))}
            </p>
          </div>
          <ForecastPill recommendation={one} />
        </li>
      ))}
    </ul>
  )
}
