import { describe, expect, it } from 'vitest'
import { languageOf } from './choose-language.ts'
import { catalogues, languages, wordsOf } from './words.ts'

const formsOf = (message: string | object): readonly string[] =>
  typeof message === 'string' ? [message] : Object.values(message)
const placeholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted()

describe('the catalogues', () => {
  it('are five, and each says everything that English says, with the same values in it', () => {
    expect(languages).toEqual(['en', 'fr', 'es', 'ar', 'sw'])
    for (const language of languages) {
      expect(Object.keys(catalogues[language]).toSorted()).toEqual(Object.keys(catalogues.en).toSorted())
      for (const [key, message] of Object.entries(catalogues[language])) {
        const english = formsOf(catalogues.en[key as keyof typeof catalogues.en])
        const wanted = new Set(english.flatMap(placeholders))
        for (const form of formsOf(message)) {
          expect(form.trim(), `${language} ${key}`).not.toBe('')
          // A form for one or two may say the number in words.
          for (const one of placeholders(form)) expect(wanted, `${language} ${key}`).toContain(one)
        }
        const last = formsOf(message).at(-1) ?? ''
        expect(new Set(placeholders(last)), `${language} ${key}`).toEqual(wanted)
      }
    }
  })

  it('have every form of number that their language tells apart', () => {
    for (const language of languages) {
      const { locale } = wordsOf(language)
      const needed = new Intl.PluralRules(locale).resolvedOptions().pluralCategories
      for (const [key, message] of Object.entries(catalogues[language])) {
        if (typeof message === 'string') continue
        const forms = Object.keys(message)
        // French and Spanish have a form for millions, which no record has.
        for (const form of needed.filter((each) => each !== 'many' || language === 'ar')) {
          expect(forms, `${language} ${key}`).toContain(form)
        }
      }
    }
  })

  it('differ from English where they are not English', () => {
    for (const language of languages.filter((each) => each !== 'en')) {
      const same = Object.entries(catalogues[language]).filter(
        ([key, message]) => typeof message === 'string' && message === catalogues.en[key as keyof typeof catalogues.en],
      )
      expect(
        same.map(([key]) => key).filter((key) => !alikeByRight.has(key)),
        language,
      ).toEqual([])
    }
  })
})

/** Words that are spelt alike in some of the languages. */
const alikeByRight = new Set([
  ...[
    'totalVaccinations',
    'appName',
    'date',
    'doseHeading',
    'dose',
    'lot',
    'patient',
    'codes',
    'codeOf',
    'done',
    'range',
    'source',
  ],
])

describe('the language of a page', () => {
  const request = (cookie?: string, accept?: string) => ({
    cookies: new Map(cookie === undefined ? [] : [['corridor_immunization_language', cookie]]),
    headers: accept === undefined ? {} : { 'accept-language': accept },
  })
  it.each([
    ['fr', 'es', 'ar', 'fr'],
    [undefined, 'es', 'ar', 'es'],
    [undefined, undefined, 'ar-EG,en;q=0.5', 'ar'],
    [undefined, undefined, 'de, sw;q=0.3, fr;q=0.8', 'fr'],
    [undefined, undefined, 'de', 'en'],
    ['tlh', 'x', '', 'en'],
    [undefined, undefined, undefined, 'en'],
  ])('chosen %s, before %s, the browser asks for %s: %s', (chosen, cookie, accept, expected) => {
    expect(languageOf(request(cookie, accept), chosen, { isSecure: false })).toBe(expected)
  })

  it('has the number in the form of the language', () => {
    expect(wordsOf('ar').count('overdueAlert', 2)).toBe('لقاحان متأخران')
    expect(wordsOf('en').count('overdueAlert', 1)).toBe('1 vaccine is overdue')
    expect(wordsOf('fr').count('overdueAlert', 0)).toBe('0 vaccin est en retard')
  })
})
