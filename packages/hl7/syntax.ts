import type { Charset } from './charset.ts'
import type { Delimiters } from './delimiters.ts'

/** What a part of a message must know of its message to be read: the structure characters and the character set. */
export interface Syntax {
  readonly delimiters: Delimiters
  readonly charset: Charset
}
