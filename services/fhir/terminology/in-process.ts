import type { Queryable } from '../../../packages/sql/queryable.ts'
import { inProcessTerminology } from '../../../ports/terminology/in-process-terminology.ts'
import type { Terminology } from '../../../ports/terminology/terminology.ts'
import { answerNeeds, lookUp } from './answer-needs.ts'
import type { TerminologySource } from './source.ts'
import { terminologyState } from './store/terminology-state.ts'

/** The terminology for a service of the same process. */
export function terminologyInProcess(source: TerminologySource, database: Queryable): Terminology {
  return inProcessTerminology({
    codingsIn: (needs) => answerNeeds(needs, source),
    lookup: (coding) => lookUp(coding, source),
    state: () => terminologyState(database),
  })
}
