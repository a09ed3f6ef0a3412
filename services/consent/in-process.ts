import { faultOf } from '../../packages/faults/fault.ts'
import type { ConsentContext, ConsentQuestion } from '../../ports/consent/consent.ts'
import { failedCall } from './audit/failed-call.ts'
import type { ConsentDeps } from './deps.ts'
import { evaluate, type Asker, type EvaluatedDecision } from './evaluate.ts'
import { identifiersIn, readQuestion } from './question.ts'

/** The same question, checks and audit as over HTTP, for a service of the same process that asks under this name. */
export function evaluatorFor(clientId: string, deps: Omit<ConsentDeps, 'database' | 'outbox' | 'recordIds'>) {
  return async (question: ConsentQuestion, context: ConsentContext): Promise<EvaluatedDecision> => {
    const asker: Asker = {
      subject: `client:${clientId}`,
      clientId,
      peer: null,
      requestId: context.trace?.requestId ?? null,
    }
    const { actorReferences: actorReference, ...rest } = question
    try {
      return await evaluate(readQuestion({ ...rest, actorReference }, deps.resourceTypes), asker, deps)
    } catch (thrown) {
      const asked = new URLSearchParams(Object.entries(rest))
      for (const actor of actorReference) asked.append('actorReference', actor)
      const identifiers = identifiersIn(asked, deps.resourceTypes)
      deps.audit.add(failedCall(faultOf(thrown), asker, identifiers, deps.clock.now()))
      throw thrown
    }
  }
}
