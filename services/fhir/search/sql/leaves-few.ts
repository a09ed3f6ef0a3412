import { unreachable } from '../../../../packages/faults/fault.ts'
import type { TypeAccess } from '../../scopes/access.ts'
import type { Condition, Sought } from '../ast.ts'

/**
 * What the conditions, or the caller's access, leave is about as much as one patient's record, whatever else is asked. Of
 * these the planner is told where to begin: what a chain leads to is popular or not, which statistics do not say.
 */
export const leavesFew = (conditions: readonly Condition[], access: TypeAccess): boolean =>
  isOfOnePatient(access) || conditions.some(isOfFew)

function isOfOnePatient(access: TypeAccess): boolean {
  if (typeof access === 'string') return false
  return access.every(({ patient, id, query = '' }) => (patient ?? id) !== undefined || isAboutOne.test(query))
}

/** As scopes/patient-reach.ts writes it, for types without compartments. */
const isAboutOne = /^(?:patient|subject)=Patient\//

function isOfFew(condition: Condition): boolean {
  switch (condition.kind) {
    case 'compartment':
      return condition.compartment === 'Patient'
    case 'match': {
      const { parameter, negated, anyOf } = condition
      if (negated || anyOf.length > alternativesMax) return false
      if (parameter.code === '_id') return true
      return anyOf.every((sought) => isOne(sought, parameter.code))
    }
    case 'chain':
    case 'has':
    case 'missing':
    case 'changed':
    case 'care-dates':
      return false
    default:
      return unreachable(condition)
  }
}

function isOne(sought: Sought, code: string): boolean {
  if (sought.kind === 'token') return code === 'identifier' && sought.code !== undefined
  if (sought.kind !== 'reference' || sought.id === undefined) return false
  return sought.type === undefined ? code === 'patient' || code === 'encounter' : ofFew.has(sought.type)
}

/** A worklist that names a hundred patients is not one patient's record. */
const alternativesMax = 10

const ofFew: ReadonlySet<string> = new Set(['Patient', 'Encounter'])
