import { incorrect } from '../../../packages/faults/fault.ts'
import type { Answer } from './answer.ts'
import type { InteractionDeps } from './deps.ts'
import { allWell, outcomeOfIssues } from './invalid-resource.ts'
import { checkIsResource } from './prepare-body.ts'
import { requireType } from './require-right.ts'

/** `$validate`: what would be said of the resource if it were written. Nothing is. */
export function validateOperation(
  { type, body }: { type: string; body: unknown },
  { definitions, validate }: Pick<InteractionDeps, 'definitions' | 'validate'>,
): Answer {
  requireType(type, definitions)
  const resource = resourceIn(body)
  checkIsResource(type, resource)
  const issues = validate(resource)
  const outcome = issues.length === 0 ? allWell('The resource is valid.') : outcomeOfIssues(issues)
  return { kind: 'made', content: JSON.stringify(outcome), touched: [] }
}

/** Sent as it is, or in Parameters under the name resource. */
function resourceIn(body: unknown): unknown {
  const { resourceType, parameter } = (body ?? {}) as { resourceType?: unknown; parameter?: unknown }
  if (resourceType !== 'Parameters' || !Array.isArray(parameter)) return body
  const named = parameter as ({ name?: unknown; resource?: unknown } | null)[]
  const found = named.find((one) => one?.name === 'resource')?.resource
  if (found === undefined) {
    throw incorrect('Send the resource itself, or Parameters with a parameter named resource.', {
      fields: [{ path: 'Parameters.parameter', message: 'has no resource' }],
    })
  }
  return found
}
