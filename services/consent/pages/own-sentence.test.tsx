import { expect, it } from 'vitest'
import { renderFragment } from '../../../packages/views/render.ts'
import { languages } from '../../../packages/views/words/languages.ts'
import type { ConsentRecord } from '../record/consent-record.ts'
import { recordWith } from '../testing/record-fixture.ts'
import { wordsOf } from '../words/words.ts'
import { ConsentSentence } from './consent-sentence.tsx'
import { OwnSentence } from './own-sentence.tsx'

const nameOf = () => 'Lakeside Clinic'
const lakeside = 'Organization/lakeside-clinic'
const types = [
  'Observation',
  'Condition',
  'DiagnosticReport',
  'MedicationRequest',
  'Immunization',
  'Encounter',
  'Patient',
]

const terms: readonly Partial<ConsentRecord>[] = [
  { actorReference: lakeside },
  { actorReference: null, provisionType: 'deny' },
  { actorReference: null, purposes: ['TREAT', 'X-OWN'], periodStart: '2026-03-04' },
  { actorReference: lakeside, provisionType: 'deny', resourceClasses: ['Immunization', 'Specimen', 'Appointment'] },
  {
    ...{ actorReference: lakeside, periodEnd: '2027-03-04', purposes: ['HRESCH'] },
    ...{ scopeValues: ['patient/Observation.rs', 'patient/Condition.c'], resourceClasses: [] },
  },
  { actorReference: lakeside, provisionType: 'deny', scopeValues: ['patient/*.rs', 'patient/Immunization.cruds'] },
]

const said = (given: Partial<ConsentRecord>, language: (typeof languages)[number]) =>
  plain(<OwnSentence terms={recordWith(given)} nameOf={nameOf} words={wordsOf(language)} />)

const plain = (node: Parameters<typeof renderFragment>[0]) => renderFragment(node).replaceAll(/<\/?[a-z][^>]*>/g, '')

it.each(terms)('says in English what officers read: %j', (given) => {
  expect(said(given, 'en')).toBe(plain(<ConsentSentence terms={recordWith(given)} nameOf={nameOf} />))
})

it.each(languages)('says it as a whole in %s', (language) => {
  for (const given of terms) {
    const sentence = said(given, language)
    expect(sentence).not.toMatch(/[{}]| {2}| [.,،]/)
    expect(sentence.includes('Lakeside Clinic')).toBe(given.actorReference === lakeside)
  }
})

it('says it as people speak', () => {
  const given = { actorReference: lakeside, resourceClasses: ['Observation', 'Immunization'], periodEnd: '2097-03-04' }
  const refused = { ...given, provisionType: 'deny' } as const
  expect([said(given, 'fr'), said(refused, 'es'), said(given, 'sw'), said(refused, 'ar')]).toEqual([
    'Lakeside Clinic peut lire et modifier les résultats et signes vitaux et les vaccinations pour tout motif jusqu’au 4 mars 2097.',
    'Lakeside Clinic no puede leer o modificar los resultados y signos vitales o las vacunas para ningún fin hasta el 4 mar 2097.',
    'Lakeside Clinic inaruhusiwa kusoma na kuandika matokeo na vipimo vya mwili na chanjo kwa lengo lolote hadi 4 Mac 2097.',
    'لا يُسمح لـ Lakeside Clinic بقراءة أو تعديل نتائج الفحوص والعلامات الحيوية أو التطعيمات لأي غرض حتى 4 مارس 2097.',
  ])
})

it('counts kinds that are too many to be named', () => {
  expect(said({ actorReference: lakeside, resourceClasses: types }, 'fr')).toContain(
    'les ordonnances, les vaccinations et 2 autres sortes de données',
  )
})
