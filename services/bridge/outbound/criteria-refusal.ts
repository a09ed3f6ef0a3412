import { faultOf, type Fault } from '../../../packages/faults/fault.ts'
import { isRefusal } from '../../../packages/sql/tasks/outside.ts'
import type { CallOptions } from '../../../ports/call-options.ts'
import type { Criteria, ResourceMatching } from '../../../ports/resource-matching/resource-matching.ts'

/** One sentence where the store cannot be asked by these criteria; a fault where it cannot be asked at all now. */
export async function criteriaRefusal(
  criteria: Criteria,
  matching: ResourceMatching,
  call?: CallOptions,
): Promise<string | undefined> {
  try {
    // Of nobody: whether it is found is not the question.
    await matching.matches(criteria, [{ resourceType: criteria.type, id: 'nobody' }], call)
    return undefined
  } catch (thrown) {
    return refusalIn(faultOf(thrown))
  }
}

/**
 * What a fault says against the criteria: they cannot be searched by, or name a type or a value set that there is not. One
 * that says nothing of them (that we may not search, say) is thrown on.
 */
export function refusalIn(fault: Fault): string {
  if (!isRefusal(fault) && fault.kind !== 'missing') throw fault
  const [field] = fault.fields
  // Some say it all in their sentence, some only where.
  const where = field === undefined || fault.shown.includes(field.message) ? '' : ` ${field.path} ${field.message}`
  return `The criteria cannot be asked: ${fault.shown}${where}`
}
