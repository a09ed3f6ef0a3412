import { describe, expect, it } from 'vitest'
import { renderFragment, renderPage } from '../../../packages/views/render.ts'
import type { Language } from '../../../packages/views/words/languages.ts'
import { WordsContext, wordsOf } from '../words/words.ts'
import { AppLayout } from './app-layout.tsx'
import { PatientHead } from './patient-head.tsx'

const today = '2026-03-04'

const head = (birthDate: string, language: Language = 'en') =>
  renderFragment(
    <WordsContext.Provider value={wordsOf(language)}>
      <PatientHead
        {...{ name: 'Amina Diallo', birthDate, born: birthDate, sex: 'female', number: 'MRN0001', death: null, today }}
        hasReplacedOther={false}
      />
    </WordsContext.Provider>,
  )

describe('the head of a record', () => {
  it.each([
    ['en', 'No.'],
    ['ar', 'الرقم'],
  ] as const)('names a number of the patient, beside name and birthday: %s', (language, label) => {
    expect(head('1998-04-12', language)).toContain(`<dt>${label}</dt><dd><bdi>MRN0001</bdi></dd>`)
  })

  it.each([
    ['2026-03-04', '0 days'],
    ['2026-03-01', '3 days'],
    ['2026-02-10', '3 weeks'],
    ['2025-03-05', '11 months'],
    ['2024-03-04', '2 years'],
  ])('tells the age of who was born on %s as every page does: %s', (birthDate, age) => {
    expect(head(birthDate)).toContain(`(${age})`)
  })

  it.each([
    [true, false],
    [false, true],
  ])('where it is needed (%s) is on the screen, else on paper alone', (needsBanner, isOnPaperAlone) => {
    const session = { patientKey: 'k1', patientName: null, clinicianName: null, secondsLeft: 1, idleSeconds: 1 }
    const banner = { name: 'Amina Diallo', birthDate: null, born: null, sex: null, number: null, death: null, today }
    const frame = {
      ...{ words: wordsOf('en'), assetUrl: (name: string) => name, session: { ...session, longestSeconds: 1 } },
      ...{ banner, needsBanner, overdueCount: 0, hasReplacedOther: false, isReplaced: false },
    }
    const html = renderPage(
      <AppLayout frame={frame} title="" address="/">
        {null}
      </AppLayout>,
    )
    expect(html).toContain('<section class="patient-banner"')
    expect(html.includes('<div class="paper-only"><section class="patient-banner"')).toBe(isOnPaperAlone)
  })

  it('tells it in the language of the page, and none of who is not born yet', () => {
    expect(head('2026-03-01', 'fr')).toMatch(/\(3\sjours\)/)
    expect(head('2026-03-05')).not.toContain('(')
  })
})
