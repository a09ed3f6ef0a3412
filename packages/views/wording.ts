import type { KitText } from './words/kit/kit-text.ts'
import type { Language } from './words/languages.ts'
import type { WorkspacePart } from './workspace-part.ts'

/** The words that components say of their own accord. A service in another language hands its own to the layout. */
export interface Wording {
  readonly language: Language
  /** For dates and numbers; a BCP 47 tag. */
  readonly locale: string
  /** What only some pages say. */
  readonly text: KitText
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
  /** A list that has several. */
  readonly pages: string
  readonly range: (first: string, last: string, total: string) => string
}
