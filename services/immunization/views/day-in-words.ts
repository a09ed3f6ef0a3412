import type { Words } from '../words/words.ts'

/** A day that is part of a sentence. */
export const dayInWords = (day: string, { locale }: Words): string =>
  new Date(day).toLocaleDateString(locale, { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' })
