/** What a scope lets one do, in the order in which SMART writes the letters. */
export const letters = ['c', 'r', 'u', 'd', 's'] as const
export type Letter = (typeof letters)[number]

/** The access words of version 1 and the letters that mean the same. */
const lettersOfWord: ReadonlyMap<string, string> = new Map([
  ['read', 'rs'],
  ['write', 'cud'],
  ['*', 'cruds'],
])

export const lettersOfVersion1 = (word: string): string | undefined => lettersOfWord.get(word)

export function version1Of(some: string): string | undefined {
  return [...lettersOfWord].find(([, meant]) => meant === some)?.[0]
}

/** Non-empty, each letter once, in order: SMART lets a server refuse `sr`, and we do. */
export const areLetters = (text: string): boolean => /^(?=.)c?r?u?d?s?$/.test(text)

export const uniteLetters = (some: string, others: string): string =>
  pick((l) => some.includes(l) || others.includes(l))
export const intersectLetters = (some: string, others: string): string =>
  pick((l) => some.includes(l) && others.includes(l))
export const includesLetters = (all: string, some: string): boolean => intersectLetters(all, some) === some

const pick = (wanted: (letter: Letter) => boolean) => letters.filter(wanted).join('')
