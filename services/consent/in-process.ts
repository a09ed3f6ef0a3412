import { faultOf } from '../../packages/faults/fault.ts'
import type { Caller } from '../../packages/tokens/caller.ts'
import type { ConsentContext, ConsentQuestion } from '../../ports/consent/consent.ts'
import { failedCall } from './audit/failed-call.ts'
import type { ConsentDeps } from './deps.ts'
import { evaluate, type Asker, type EvaluatedDecision } from './evaluate.ts'
import { identifiersIn, readQuestion } from './question.ts'

/** The same question, checks and audit as over HTTP, for a service of the same process. */
export function evaluatorFor({ subject, clientId }: Caller, deps: Omit<ConsentDeps, 'outbox' | 'recordIds'>) {
  return async (question: ConsentQuestion, context: ConsentContext): Promise<EvaluatedDecision> => {
    const asker: Asker = { subject, clientId, peer: null, requestId: context.trace?.requestId ?? null }
    try {
      const asked = readQuestion({ ...question, actorReference: question.actorReferences }, deps.resourceTypes)
      return await evaluate(asked, asker, deps)
    } catch (thrown) {
      const identifiers = identifiersIn(question, deps.resourceTypes)
      deps.audit.add(failedCall(faultOf(thrown), asker, identifiers, deps.clock.now()))
      throw thrown
    }
  }
}
