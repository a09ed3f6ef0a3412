import { describe, expect, it } from 'vitest'
import { renderFragment } from '../render.ts'
import { languageAt, languageOf, rememberLanguage } from './choose-language.ts'
import { Filled } from './filled.tsx'
import { LanguageLinks } from './language-links.tsx'
import { languages } from './languages.ts'
import { catalogueFaults } from './testing/catalogue-faults.ts'
import { kitCatalogues, makeWords } from './words.ts'

describe('the words of the kit', () => {
  it('are there in five languages, all of them', () => {
    expect(languages).toEqual(['en', 'fr', 'es', 'ar', 'sw'])
    expect(catalogueFaults(kitCatalogues, ['patient', 'pages', 'problemCode', 'problemMessage'])).toEqual([])
  })

  it('would be missed, left in English or filled with other values not unnoticed', () => {
    const en = { one: 'A {thing}', two: 'Two', many: { one: '{count} day', other: '{count} days' } }
    const others = { es: en, ar: en, sw: en }
    const fr = { one: 'Une', many: { one: '{count} jour', other: '{count} {thing}' } }
    expect(catalogueFaults({ en, fr, ...others }).filter((fault) => fault.startsWith('fr'))).toEqual([
      ...['fr one has no {thing}', 'fr two is not in both', 'fr many has {thing}'],
    ])
    expect(catalogueFaults({ en, fr, ...others })).toContain('sw two is English')
    expect(catalogueFaults({ en, fr, ...others })).toContain('ar many has no form few')
  })
})

describe('the language of a page', () => {
  const request = (cookie?: string, accept?: string) => ({
    cookies: new Map(cookie === undefined ? [] : [['corridor_language', cookie]]),
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

  it('of an error is the one in its address, where no route has read it', () => {
    const failed = { ...request('es'), url: '/gone?from=x&lang=sw' }
    expect(languageAt(failed, { isSecure: false })).toBe('sw')
    expect(languageAt({ ...failed, url: '/gone' }, { isSecure: false })).toBe('es')
  })

  it('is remembered where it is one of ours', () => {
    expect(rememberLanguage('ar', { isSecure: true })).toMatchObject({ 'set-cookie': /corridor_language=ar;.*Secure/ })
    expect(rememberLanguage('x; Path=/', { isSecure: true })).toEqual({})
  })

  it('is offered among the others, each in its own words, with what else was chosen', () => {
    const html = renderFragment(<LanguageLinks language="ar" address="/history?from=2026-01-01&lang=fr" />)
    expect(html).toContain('href="/history?from=2026-01-01&amp;lang=sw" lang="sw" hreflang="sw">Kiswahili')
    expect(html).toMatch(/lang="ar"[^>]* aria-current="true">العربية/)
  })
})

describe('a text', () => {
  it('is filled with pieces of a page, and what people wrote in them is no text to be filled', () => {
    const parts = { who: <bdi>{'{day} <b>'}</bdi>, day: 'today' }
    const html = renderFragment(<Filled text="{who} comes {day}{other}." parts={parts} />)
    expect(html).toBe('<bdi>{day} &lt;b></bdi> comes today{other}.')
  })

  it('has the words of the kit beside those of a service, and joins both ways', () => {
    const own = { hello: 'x', days: { other: '{count} x', one: 'one x' } }
    const { text, count, list, choice, dir } = makeWords<typeof own>({ en: own, fr: own, es: own, ar: own, sw: own })(
      'fr',
    )
    expect([text('hello'), text('signOut'), count('days', 2), count('days', 0), dir]).toEqual([
      ...['x', 'Se déconnecter', '2 x', 'one x', 'ltr'],
    ])
    expect([list.format(['a', 'b']), choice.format(['a', 'b'])]).toEqual(['a et b', 'a ou b'])
  })
})
