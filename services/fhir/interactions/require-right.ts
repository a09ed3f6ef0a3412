import { missing } from '../../../packages/faults/fault.ts'
import type { Definitions } from '../../../packages/fhir/definitions.ts'
import type { AccessConditions, Right } from '../scopes/access.ts'
import { short } from '../search/parse/refuse.ts'
import { insufficientScope } from '../scopes/insufficient-scope.ts'

/** Refuses what no resource of the type could allow; what some may allow is part of the SQL. */
export function requireRight(access: AccessConditions, type: string, right: Right): void {
  if (access.of(type, right) === 'none') throw insufficientScope(access, type, right)
}

/** Who may search nothing at all is refused before anything that they sent is looked at. */
export function requireSearch(access: AccessConditions, { resourceTypes }: Definitions): void {
  if ([...resourceTypes].every((type) => access.of(type, 's') === 'none')) throw insufficientScope(access, '*', 's')
}

/** Where a type or an id is expected, a dollar sign begins an operation; those that are here have routes of their own. */
export function requireNoOperation(step: string): void {
  if (step.startsWith('$')) throw missing(`This server has no operation ${short(step)} here.`, { code: 'NO_OPERATION' })
}

/** R4 gives Parameters no address of their own. */
export const isStored = (type: string): boolean => type !== 'Parameters'

export function requireType(type: string, definitions: Definitions): void {
  requireNoOperation(type)
  if (!isStored(type)) {
    throw missing('Parameters are what operations take and give; they are not stored.', { code: 'UNKNOWN_TYPE' })
  }
  if (!definitions.resourceTypes.has(type)) {
    throw missing('There is no such resource type in R4. Type names begin with a capital letter, such as Patient.', {
      code: 'UNKNOWN_TYPE',
    })
  }
}
