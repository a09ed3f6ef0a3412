import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Wording } from './wording.ts'
import { filledIn } from './words/filled-in.ts'
import { en } from './words/kit/en.ts'
import { wordingOf } from './words/kit/wording-of.ts'

/** For staff, whose pages say the parts of the workspace and what is missing in their own way. */
export const english: Wording = {
  ...wordingOf((key, parameters = {}) => filledIn(en[key], parameters), 'en'),
  workspace: {},
  dateNotKnown: 'date not known',
}

export const WordingContext = createContext(english)

export function useWording(): Wording {
  return useContext(WordingContext)
}
