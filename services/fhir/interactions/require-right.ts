import { missing } from '../../../packages/faults/fault.ts'
import type { Definitions } from '../../../packages/fhir/definitions.ts'
import type { AccessConditions, Right } from '../scopes/access.ts'
import { insufficientScope } from '../scopes/insufficient-scope.ts'

/** Refuses what no resource of the type could allow; what some may allow is part of the SQL. */
export function requireRight(access: AccessConditions, type: string, right: Right): void {
  if (access.of(type, right) === 'none') throw insufficientScope(access, type, right)
}

export function requireType(type: string, definitions: Definitions): void {
  if (!definitions.resourceTypes.has(type)) {
    throw missing('There is no such resource type in R4. Type names begin with a capital letter, such as Patient.', {
      code: 'UNKNOWN_TYPE',
    })
  }
}
