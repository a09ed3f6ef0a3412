import { inProcessTerminology } from '../../../ports/terminology/in-process-terminology.ts'
import type { Terminology } from '../../../ports/terminology/terminology.ts'
import { answerNeeds, lookUp } from './answer-needs.ts'
import type { TerminologySource } from './source.ts'

/** The terminology for a service of the same process. */
export function terminologyInProcess(source: TerminologySource): Terminology {
  return inProcessTerminology({
    codingsIn: (needs) => answerNeeds(needs, source),
    lookup: (coding) => lookUp(coding, source),
  })
}
