import type { Charset } from './charset.ts'
import type { Delimiters } from './delimiters.ts'

/** What a part of a message must know of its message to be read: the structure characters and the character set. */
export interface Syntax {
  readonly delimiters: Delimiters
  readonly charset: Charset
  /** False where it is known that no text has an escape sequence, so that nobody has to look for one. */
  readonly hasEscapes?: boolean
}
