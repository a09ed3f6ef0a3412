import type { IncomingRequest } from '../../http/request.ts'
import type { LayoutProps } from '../layout.tsx'
import { isStaff } from '../workspace-layout.tsx'
import { languageAt } from './choose-language.ts'
import { amongLanguages, inLanguage } from './language-links.tsx'
import type { Language } from './languages.ts'
import type { Words } from './words.ts'

/** In what words a page speaks, and what its layout says of that. */
export interface Reader<Own> {
  readonly words: Own
  readonly layout: Pick<LayoutProps, 'lang' | 'dir' | 'wording' | 'styles' | 'footer'>
}

interface Reading {
  /** Undefined where it is not known who reads. */
  readonly roles?: Iterable<string> | undefined
  /** Where the page is, for the links to its other languages; none where it cannot be loaded once more. */
  readonly address?: string | undefined
  /** The languages that an app knows its user to read, the best first. */
  readonly suggested?: string | undefined
}

/** The readers of pages that staff shares with patients. */
export function makeReaders<Own extends Pick<Words, 'language' | 'dir' | 'wording'>>(
  wordsOf: (language: Language) => Own,
) {
  // The wording of a layout to which nothing is said is that of staff.
  const staff: Reader<Own> = { words: wordsOf('en'), layout: {} }
  /** Staff has English; everybody else, and whoever is not signed in, the language of their choice. */
  const readerOf = (
    request: Pick<IncomingRequest, 'url' | 'cookies' | 'headers'>,
    { roles = [], address, suggested }: Reading,
    cookies: { readonly isSecure: boolean },
  ): Reader<Own> => {
    if (isStaff(new Set(roles))) return staff
    const words = wordsOf(languageAt(request, cookies, suggested))
    return { words, layout: address === undefined ? inLanguage(words) : amongLanguages(words, address) }
  }
  return { staff, readerOf }
}
