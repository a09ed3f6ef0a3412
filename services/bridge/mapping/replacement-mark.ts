import type { Identifier } from '../../../packages/fhir/r4.ts'
import type { Draft } from './draft.ts'
import { derivedKey } from './drafted-keys.ts'
import { identifierKey, keyText, segmentOfUrl } from './keys.ts'
import type { Key } from './mapped.ts'
import { nameUuid } from './name-uuid.ts'

/** The mark of what replaces the document of this number, which may be told of before it. */
export const replacementMark = (draft: Draft, number: Key): Key => derivedKey(draft, kind, keyText(number))

/** The same for another number, which the message does not name. */
export const markOfSameKind = (mark: Key, number: Identifier): Key => ({
  ...mark,
  value: nameUuid(segmentOfUrl(keyText(identifierKey(number)))),
})

export const isReplacementMark = ({ system }: Identifier): boolean => system?.endsWith(`/${kind}`) === true

const kind = 'replacement'
