/** A text for each form of number that the language tells apart (CLDR); `{count}` is the number. */
type Plural = { readonly [Form in Intl.LDMLPluralRule]?: string } & { readonly other: string }

export type Catalogue = Readonly<Record<string, string | Plural>>

/** What a language has to say: everything that English says. */
export type MessagesLike<English> = { readonly [Key in keyof English]: English[Key] extends string ? string : Plural }

/** The keys of plain texts, and of those with a number. */
export type TextKey<English> = { [Key in keyof English]: English[Key] extends string ? Key : never }[keyof English]
export type CountKey<English> = Exclude<keyof English, TextKey<English>>
