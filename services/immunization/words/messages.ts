import type { en } from './en.ts'

/** A text for each form of number that the language tells apart (CLDR); `{count}` is the number. */
export type Plural = { readonly [Form in Intl.LDMLPluralRule]?: string } & { readonly other: string }

/** What a language has to say: everything that English says. */
export type Messages = { readonly [Key in keyof typeof en]: (typeof en)[Key] extends string ? string : Plural }
