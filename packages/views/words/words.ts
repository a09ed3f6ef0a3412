import type { Wording } from '../wording.ts'
import { filledIn, type Parameters } from './filled-in.ts'
import { ar } from './kit/ar.ts'
import { en } from './kit/en.ts'
import { es } from './kit/es.ts'
import { fr } from './kit/fr.ts'
import type { KitMessages } from './kit/kit-messages.ts'
import type { KitKey } from './kit/kit-text.ts'
import { wordingOf } from './kit/wording-of.ts'
import { sw } from './kit/sw.ts'
import { directionOf, locales, type Language } from './languages.ts'
import type { Catalogue, CountKey, MessagesLike, TextKey } from './messages.ts'

/** What pages of every service say around their content, in every language. */
export const kitCatalogues = { en, fr, es, ar, sw } as const satisfies Record<Language, KitMessages>

/** What the pages say, in one language: the words of the kit, and those of a service by their keys. */
export interface Words<Text = never, Count = never> {
  readonly language: Language
  readonly dir: 'ltr' | 'rtl'
  /** For dates and numbers. */
  readonly locale: string
  readonly text: (key: Text | KitKey, parameters?: Parameters) => string
  /** In the plural form that the language has for this number. */
  readonly count: (key: Count, count: number, parameters?: Parameters) => string
  /** A day, month or year as it was recorded: `4 Mar 2026`. */
  readonly day: (date: string) => string
  /** `6 weeks`; short: `6 wks`. */
  readonly span: (value: number, unit: SpanUnit, length?: 'long' | 'short') => string
  /** `a, b and c` */
  readonly list: Intl.ListFormat
  /** `a, b or c` */
  readonly choice: Intl.ListFormat
  /** What the components of the kit say. */
  readonly wording: Wording
}

/** The words of a service whose English is this. */
export type WordsLike<English> = Words<TextKey<English>, CountKey<English>>

type SpanUnit = (typeof spanUnits)[number]

const spanUnits = ['second', 'minute', 'day', 'week', 'month', 'year'] as const

/** Made once: the tools of `Intl` cost more to make than a page costs to draw. */
export function makeWords<English extends Catalogue>(
  catalogues: Readonly<Record<Language, MessagesLike<English>>>,
): (language: Language) => WordsLike<English> {
  const made: Readonly<Record<Language, WordsLike<English>>> = {
    en: wordsIn('en', catalogues.en),
    fr: wordsIn('fr', catalogues.fr),
    es: wordsIn('es', catalogues.es),
    ar: wordsIn('ar', catalogues.ar),
    sw: wordsIn('sw', catalogues.sw),
  }
  return (language) => made[language]
}

/** For pages that say nothing but what the kit says. */
export const kitWords = makeWords({ en: {}, fr: {}, es: {}, ar: {}, sw: {} })

function wordsIn<English extends Catalogue>(language: Language, own: MessagesLike<English>): WordsLike<English> {
  // Sound: messages like a catalogue are one.
  const messages = { ...kitCatalogues[language], ...own } as Catalogue
  const locale = locales[language]
  const plurals = new Intl.PluralRules(locale)
  const text = (key: PropertyKey, parameters: Parameters = {}) => filledIn(formOf(messages[String(key)]), parameters)
  return {
    ...{ language, locale, text },
    dir: directionOf(language),
    count: (key, count, parameters = {}) =>
      filledIn(formOf(messages[String(key)], plurals.select(count)), { count, ...parameters }),
    day: dayFormat(locale),
    span: spanFormat(locale),
    list: new Intl.ListFormat(locale),
    choice: new Intl.ListFormat(locale, { type: 'disjunction' }),
    wording: wordingOf(text, language),
  }
}

function formOf(message: Catalogue[string] | undefined, form: Intl.LDMLPluralRule = 'other'): string {
  if (message === undefined || typeof message === 'string') return message ?? ''
  return message[form] ?? message.other
}

/** Days have no zone: they are written and read in UTC. */
function dayFormat(locale: string): Words['day'] {
  const month = { timeZone: 'UTC', month: 'short', year: 'numeric' } as const
  const byLength = new Map([
    [10, new Intl.DateTimeFormat(locale, { ...month, day: 'numeric' })],
    [7, new Intl.DateTimeFormat(locale, month)],
  ])
  return (date) => {
    const instant = new Date(date)
    const format = byLength.get(date.length)
    return format === undefined || Number.isNaN(instant.getTime()) ? date : format.format(instant)
  }
}

function spanFormat(locale: string): Words['span'] {
  const made = spanUnits.flatMap((unit) =>
    (['long', 'short'] as const).map((unitDisplay) => {
      const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay })
      return [`${unit} ${unitDisplay}`, format] as const
    }),
  )
  const formats = new Map<string, Intl.NumberFormat>(made)
  return (value, unit, length = 'long') => formats.get(`${unit} ${length}`)?.format(value) ?? String(value)
}
