import type { Hint } from '../forecast/hints.ts'
import { knownOf } from '../read-model/fhir-parts.ts'
import type { VaccinationRecord } from '../read-model/vaccination.ts'
import { useWords, type Words } from '../words/words.ts'
import { vaccineLabel } from './dose-words.tsx'

interface QualityHintsProps {
  readonly hints: readonly Hint[]
  readonly vaccinations: readonly VaccinationRecord[]
}

/** What somebody should look at in the record. It waits folded up: most readers only want the history. */
export function QualityHints({ hints, vaccinations }: QualityHintsProps) {
  const words = useWords()
  if (hints.length === 0) return null
  return (
    <details class="card hints">
      <summary>{words.count('hintsTitle', hints.length)}</summary>
      <p>{words.text('hintsText')}</p>
      <ul>
        {hints.map((hint, index) => (
          <li key={index}>
            <a href={`#dose-${hint.fhirIds[0] ?? ''}`}>{hintInWords(hint, vaccinations, words)}</a>
          </li>
        ))}
      </ul>
    </details>
  )
}

function hintInWords({ kind, fhirIds }: Hint, vaccinations: readonly VaccinationRecord[], words: Words): string {
  const dose = vaccinations.find(({ fhirId }) => fhirId === fhirIds[0])
  const day = dose?.occurrenceDate ?? null
  const date = day === null ? words.text('dateUnknown') : words.day(knownOf(day, dose?.occurrencePrecision ?? null))
  return words.text(`hint_${kind}`, { vaccine: dose === undefined ? '' : vaccineLabel(dose, words), date })
}
