import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { WorkspacePart } from './workspace-layout.tsx'

/** The words that components say of their own accord. A service in another language hands its own to the layout. */
export interface Wording {
  /** For dates and numbers; a BCP 47 tag. */
  readonly locale: string
  readonly skipToContent: string
  readonly mainNavigation: string
  readonly signOut: string
  /** What the parts of the workspace are called; the others keep their English names, which only staff meets. */
  readonly workspace: { readonly [Part in WorkspacePart]?: string }
  readonly tagline: string
  readonly pressForShortcuts: readonly [before: string, after: string]
  readonly keyboard: string
  readonly goToSearch: string
  readonly showShortcuts: string
  readonly closeOpen: string
  /** Switches the keys above on and off. */
  readonly singleKeys: string
  readonly close: string
  readonly optional: string
  /** Stands in a list of choices of which nothing is chosen yet. */
  readonly choose: string
  readonly working: string
  readonly done: (done: string, total: string) => string
  readonly patient: string
  readonly born: string
  readonly died: string
  readonly dateNotKnown: string
  readonly sex: string
  readonly previous: string
  readonly next: string
  readonly range: (first: string, last: string, total: string) => string
}

export const english: Wording = {
  locale: 'en-GB',
  skipToContent: 'Skip to the content',
  mainNavigation: 'Main',
  signOut: 'Sign out',
  workspace: {},
  tagline: 'Corridor, the open health-information exchange',
  pressForShortcuts: ['Press', 'for keyboard shortcuts'],
  keyboard: 'Keyboard',
  goToSearch: 'Go to the search',
  showShortcuts: 'Show this list',
  closeOpen: 'Close what is open',
  singleKeys: 'Use single keys',
  close: 'Close',
  optional: 'optional',
  choose: 'Choose…',
  working: 'Working…',
  done: (done, total) => `${done} of ${total}`,
  patient: 'Patient',
  born: 'Born',
  died: 'Died',
  dateNotKnown: 'date not known',
  sex: 'Sex',
  previous: 'Previous',
  next: 'Next',
  range: (first, last, total) => `${first}–${last} of ${total}`,
}

export const WordingContext = createContext(english)

export function useWording(): Wording {
  return useContext(WordingContext)
}
