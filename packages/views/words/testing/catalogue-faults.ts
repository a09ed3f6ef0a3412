import { languages, locales, type Language } from '../languages.ts'
import type { Catalogue } from '../messages.ts'

type Message = Catalogue[string]

/**
 * What is wrong with the catalogues of a service: something that English says is missing or has other values in it, a form of
 * number is missing, or words were left in English. Some are spelt alike by right.
 */
export function catalogueFaults(
  catalogues: Readonly<Record<Language, Catalogue>>,
  alikeByRight: readonly string[] = [],
): string[] {
  return languages.flatMap((language) => {
    const { en } = catalogues
    const own = catalogues[language]
    const keys = [...new Set([...Object.keys(en), ...Object.keys(own)])]
    return keys.flatMap((key) => {
      const [english, message] = [en[key], own[key]]
      if (english === undefined || message === undefined) return [`${language} ${key} is not in both`]
      const wrong = [...valueFaults(message, english), ...formFaults(message, language)]
      const isLeft = language !== 'en' && message === english && hasWords(english) && !alikeByRight.includes(key)
      return [...wrong, ...(isLeft ? ['is English'] : [])].map((fault) => `${language} ${key} ${fault}`)
    })
  })
}

const formsOf = (message: Message): readonly string[] =>
  typeof message === 'string' ? [message] : Object.values(message)

const valuesIn = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted()

function valueFaults(message: Message, english: Message): string[] {
  const wanted = [...new Set(formsOf(english).flatMap(valuesIn))].toSorted()
  const forms = formsOf(message)
  const strange = forms.flatMap(valuesIn).filter((value) => !wanted.includes(value))
  // A form for one or two may say the number in words; the last one says all.
  const last = new Set(valuesIn(forms.at(-1) ?? ''))
  return [
    ...(forms.some((form) => form.trim() === '') ? ['says nothing'] : []),
    ...strange.map((value) => `has ${value}`),
    ...wanted.filter((value) => !last.has(value)).map((value) => `has no ${value}`),
  ]
}

function formFaults(message: Message, language: Language): string[] {
  if (typeof message === 'string') return []
  const { pluralCategories } = new Intl.PluralRules(locales[language]).resolvedOptions()
  // French and Spanish have a form for millions, which no record has.
  const needed = pluralCategories.filter((form) => form !== 'many' || language === 'ar')
  return needed.filter((form) => message[form] === undefined).map((form) => `has no form ${form}`)
}

const hasWords = (message: Message) =>
  /\p{L}/u.test(
    formsOf(message)
      .join(' ')
      .replaceAll(/\{\w+\}/g, ''),
  )
