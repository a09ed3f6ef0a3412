/** Every language that pages for patients have, in the order in which it is offered, with its locale for dates and numbers. */
export const locales = {
  en: 'en-GB',
  fr: 'fr',
  es: 'es',
  // Digits are the same in every language: doses, lots and numbers are compared with paper.
  ar: 'ar-u-nu-latn',
  sw: 'sw',
} as const

export type Language = keyof typeof locales

// Sound: the keys of a constant.
export const languages = Object.keys(locales) as readonly Language[]

export const directionOf = (language: Language): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr')
