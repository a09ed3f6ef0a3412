import { useWords } from '../words/words.ts'

/** Something in the record that somebody should look at. */
export interface HintView {
  readonly text: string
  readonly fhirIds: readonly string[]
}

export function QualityHints({ hints }: { readonly hints: readonly HintView[] }) {
  const { text, count } = useWords()
  if (hints.length === 0) return null
  return (
    <details class="card hints">
      <summary>{count('hintsTitle', hints.length)}</summary>
      <p>{text('hintsText')}</p>
      <ul>
        {hints.map((hint, index) => (
          <li key={index}>
            {hint.fhirIds[0] === undefined ? (
              <bdi>{hint.text}</bdi>
            ) : (
              <a href={`#dose-${hint.fhirIds[0]}`}>
                <bdi>{hint.text}</bdi>
              </a>
            )}
          </li>
        ))}
      </ul>
    </details>
  )
}
