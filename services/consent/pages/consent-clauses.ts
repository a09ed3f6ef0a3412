import { inWords } from '../../../packages/views/components/time.tsx'
import { grantsOf } from '../grants.ts'
import type { ConsentTerms } from '../record/consent-record.ts'
import { resourceScopesOf } from '../record/derive.ts'
import { listed, purposeWord, typeWord } from './words.ts'

/** What the sentence about a consent is made of, without the names in it. */
interface Clauses {
  /** What may, or may not, be done: `read and write results`, one for each set of operations. */
  readonly deeds: readonly string[]
  readonly purpose: string
  /** The scopes confine it further than a sentence tells. */
  readonly isConfined: boolean
}

/** The part of the terms that the clauses tell. */
export type Told = Pick<
  ConsentTerms,
  'provisionType' | 'resourceClasses' | 'scopeValues' | 'permittedOperations' | 'purposes'
>

export function clausesOf(terms: Told): Clauses {
  return {
    deeds: deedsOf(terms),
    purpose: terms.purposes.length === 0 ? 'for any purpose' : `for ${listed(terms.purposes.map(purposeWord))}`,
    isConfined: isConfined(terms),
  }
}

/** The scopes say more than the words of a sentence do. */
export const isConfined = ({ scopeValues }: Pick<Told, 'scopeValues'>): boolean =>
  resourceScopesOf(scopeValues).some(({ query }) => query !== undefined)

/** A record may give different operations for different types: those alike are told together. */
function deedsOf(terms: Told): string[] {
  const grants = grantsOf(terms)
  // What is refused is refused one by one: not to read or write, rather than not to do both.
  const between = terms.provisionType === 'deny' ? 'or' : 'and'
  const all = between === 'or' ? 'anything' : 'everything'
  const rest = grants.length === 1 ? `${all} in the record` : `${all} else in the record`
  return grants.map(({ letters, types }) => {
    const what = types === 'rest' ? rest : listed(types.map(typeWord), undefined, between)
    return `${operationsInWords(letters, between)} ${what}`
  })
}

/** `cruds` as people say it. */
export function operationsInWords(letters: string, between: 'and' | 'or' = 'and'): string {
  const words = deedsIn(letters).map((deed) => deedWords[deed])
  return words.length === 0 ? 'do nothing with' : listed(words, undefined, between)
}

const deedWords = {
  ...{ read: 'read', readOne: 'read one by one', search: 'search for' },
  ...{ write: 'write', add: 'add', change: 'change', delete: 'delete' },
} as const

/** What people call an operation, or several that they do not tell apart. */
type Deed = keyof typeof deedWords

export function deedsIn(letters: string): readonly Deed[] {
  const has = (wanted: string) => wanted.split('').every((letter) => letters.includes(letter))
  const one = (letter: string, deed: Deed) => (has(letter) ? [deed] : [])
  return [
    ...(has('rs') ? (['read'] as const) : [...one('r', 'readOne'), ...one('s', 'search')]),
    ...(has('cud') ? (['write'] as const) : [...one('c', 'add'), ...one('u', 'change'), ...one('d', 'delete')]),
  ]
}

/** `4 Mar 2027`, as days are written everywhere on the pages. */
export const dayInWords = (day: string): string => inWords(day, 'en-GB')
