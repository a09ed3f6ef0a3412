import type { Message } from '../../../packages/hl7/index.ts'
import { isMasterFile } from '../mapping/families/mfn/mfn.ts'
import { isKnownQuery } from '../mapping/families/qbp/read-query.ts'

/** Its duplicates get the stored answer as a whole. After a refusal that is the refusal, whatever a later run has done. */
export const isAnsweredWhole = (message: Message): boolean => isKnownQuery(message) || isMasterFile(message)
