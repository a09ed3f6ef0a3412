import type { FaultField } from '../../../packages/faults/fault.ts'
import { parseScope } from '../../../packages/smart/parse.ts'
import type { ConsentTerms } from './consent-record.ts'
import { isActorReference } from './references.ts'

type RuledTerms = Pick<
  ConsentTerms,
  'patientId' | 'actorReference' | 'resourceClasses' | 'scopeValues' | 'periodStart' | 'periodEnd' | 'scopeContext'
>

/** Everything that is wrong with the terms of a record, beyond the types of its fields. */
export function failedRules(terms: RuledTerms, resourceTypes: ReadonlySet<string>): FaultField[] {
  return [
    ...(terms.actorReference === null || isActorReference(terms.actorReference)
      ? []
      : [{ path: 'actorReference', message: 'must be Device/<id> or Organization/<id>' }]),
    ...terms.resourceClasses.flatMap((type, index) =>
      resourceTypes.has(type)
        ? []
        : [{ path: `resourceClasses[${index}]`, message: 'must be a FHIR R4 resource type' }],
    ),
    ...terms.scopeValues.flatMap((scope, index) =>
      isKnownScope(scope, resourceTypes) ? [] : [{ path: `scopeValues[${index}]`, message: 'must be a SMART scope' }],
    ),
    ...(terms.periodStart !== null && terms.periodEnd !== null && terms.periodEnd < terms.periodStart
      ? [{ path: 'periodEnd', message: 'must not be before periodStart' }]
      : []),
    ...(terms.patientId === null && terms.scopeContext === 'patient'
      ? [{ path: 'patientId', message: 'is required for the scopeContext patient' }]
      : []),
  ]
}

/** Launch contexts beyond the two of the standard are in use; none of them gives an operation. */
const launchScope = /^launch(?:\/[a-z][a-z-]{0,63})?$/

function isKnownScope(text: string, resourceTypes: ReadonlySet<string>): boolean {
  if (launchScope.test(text)) return true
  const scope = parseScope(text)
  return scope !== undefined && (scope.kind === 'special' || scope.type === '*' || resourceTypes.has(scope.type))
}
