import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Wording } from '../../../packages/views/wording.ts'
import { ar } from './ar.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import type { Messages, Plural } from './messages.ts'
import { sw } from './sw.ts'

/** Every language of the app, in the order in which it is offered. */
export const catalogues = { en, fr, es, ar, sw } as const satisfies Record<string, Messages>

export type Language = keyof typeof catalogues
export const languages = Object.keys(catalogues) as readonly Language[]

type TextKey = { [Key in keyof Messages]: Messages[Key] extends string ? Key : never }[keyof Messages]
type CountKey = { [Key in keyof Messages]: Messages[Key] extends Plural ? Key : never }[keyof Messages]
type Parameters = Readonly<Record<string, string | number>>

/** What the pages say, in one language. */
export interface Words {
  readonly language: Language
  readonly dir: 'ltr' | 'rtl'
  /** For dates and numbers. Digits are the same in every language: doses and lots are compared with paper. */
  readonly locale: string
  readonly text: (key: TextKey, parameters?: Parameters) => string
  /** In the plural form that the language has for this number. */
  readonly count: (key: CountKey, count: number, parameters?: Parameters) => string
  /** A day, month or year as it was recorded: `4 Mar 2026`. */
  readonly day: (date: string) => string
  /** `6 weeks`; short: `6 wks`. */
  readonly span: (value: number, unit: SpanUnit, length?: 'long' | 'short') => string
  readonly list: Intl.ListFormat
  /** What the components of the kit say. */
  readonly wording: Wording
}

type SpanUnit = 'day' | 'week' | 'month' | 'year'

/** Made once: the tools of `Intl` cost more to make than a page costs to draw. */
export const wordsOf = (language: Language): Words => wordsByLanguage[language]

function makeWords(language: Language): Words {
  const messages: Messages = catalogues[language]
  const locale = locales[language]
  const plurals = new Intl.PluralRules(locale)
  const text = (key: TextKey, parameters: Parameters = {}) => filledIn(messages[key], parameters)
  return {
    ...{ language, locale, text },
    dir: language === 'ar' ? 'rtl' : 'ltr',
    count(key, count, parameters = {}) {
      const forms = messages[key]
      return filledIn(forms[plurals.select(count)] ?? forms.other, { count, ...parameters })
    },
    day: dayFormat(locale),
    span: spanFormat(locale),
    list: new Intl.ListFormat(locale),
    wording: wordingOf(text, locale),
  }
}

const locales: Readonly<Record<Language, string>> = {
  ...{ en: 'en-GB', fr: 'fr', es: 'es', ar: 'ar-u-nu-latn', sw: 'sw' },
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
  const made = (['day', 'week', 'month', 'year'] as const).flatMap((unit) =>
    (['long', 'short'] as const).map((unitDisplay) => {
      const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay })
      return [`${unit} ${unitDisplay}`, format] as const
    }),
  )
  const formats = new Map<string, Intl.NumberFormat>(made)
  return (value, unit, length = 'long') => formats.get(`${unit} ${length}`)?.format(value) ?? String(value)
}

const filledIn = (message: string, parameters: Parameters) =>
  message.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(parameters[name] ?? whole))

function wordingOf(text: Words['text'], locale: string): Wording {
  return {
    locale,
    skipToContent: text('skipToContent'),
    mainNavigation: text('mainNavigation'),
    tagline: text('tagline'),
    pressForShortcuts: [text('pressForShortcutsBefore'), text('pressForShortcutsAfter')],
    keyboard: text('keyboard'),
    goToSearch: text('goToSearch'),
    showShortcuts: text('showShortcuts'),
    closeOpen: text('closeOpen'),
    singleKeys: text('singleKeys'),
    close: text('close'),
    optional: text('optional'),
    choose: text('choose'),
    working: text('working'),
    done: (done, total) => text('done', { done, total }),
    patient: text('patient'),
    born: text('born'),
    died: text('died'),
    dateNotKnown: text('dateUnknown'),
    sex: text('sex'),
    previous: text('previous'),
    next: text('next'),
    range: (first, last, total) => text('range', { first, last, total }),
  }
}

const wordsByLanguage: Readonly<Record<Language, Words>> = {
  en: makeWords('en'),
  fr: makeWords('fr'),
  es: makeWords('es'),
  ar: makeWords('ar'),
  sw: makeWords('sw'),
}

export const WordsContext = createContext(wordsOf('en'))

export const useWords = (): Words => useContext(WordsContext)
