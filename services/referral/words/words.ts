import type { Language } from '../../../packages/views/words/languages.ts'
import { makeWords, type WordsLike } from '../../../packages/views/words/words.ts'
import { ar } from './ar.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import type { Messages } from './messages.ts'
import { sw } from './sw.ts'

export const catalogues = { en, fr, es, ar, sw } as const satisfies Record<Language, Messages>

/** What a referral is told in, in one language. */
export type Words = WordsLike<typeof en>

export const wordsOf = makeWords<typeof en>(catalogues)

/** Of the pages that only staff has. */
export const english = wordsOf('en')
