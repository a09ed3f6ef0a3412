import type { Draft } from './draft.ts'
import { mapAdt } from './families/adt/adt.ts'
import { mapMdm } from './families/mdm/mdm.ts'

/** By MSH-9.1, how a message of that type is mapped. A family puts its resources into the draft or refuses. */
export const families: Readonly<Record<string, (draft: Draft) => void>> = {
  ADT: mapAdt,
  MDM: mapMdm,
}
