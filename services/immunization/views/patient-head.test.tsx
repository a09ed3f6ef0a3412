import { describe, expect, it } from 'vitest'
import { renderFragment } from '../../../packages/views/render.ts'
import type { Language } from '../../../packages/views/words/languages.ts'
import { WordsContext, wordsOf } from '../words/words.ts'
import { PatientHead } from './patient-head.tsx'

const today = '2026-03-04'

const head = (birthDate: string, language: Language = 'en') =>
  renderFragment(
    <WordsContext.Provider value={wordsOf(language)}>
      <PatientHead
        {...{ name: 'Amina Diallo', birthDate, born: birthDate, sex: 'female', death: null, today }}
        hasReplacedOther={false}
      />
    </WordsContext.Provider>,
  )

describe('the head of a record', () => {
  it.each([
    ['2026-03-04', '0 days'],
    ['2026-03-01', '3 days'],
    ['2026-02-10', '3 weeks'],
    ['2025-03-05', '11 months'],
    ['2024-03-04', '2 years'],
  ])('tells the age of who was born on %s as every page does: %s', (birthDate, age) => {
    expect(head(birthDate)).toContain(`(${age})`)
  })

  it('tells it in the language of the page, and none of who is not born yet', () => {
    expect(head('2026-03-01', 'fr')).toMatch(/\(3\sjours\)/)
    expect(head('2026-03-05')).not.toContain('(')
  })
})
