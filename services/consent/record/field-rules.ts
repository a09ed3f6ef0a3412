import type { FaultField } from '../../../packages/faults/fault.ts'
import { parseScope } from '../../../packages/smart/parse.ts'
import type { ConsentTerms } from './consent-record.ts'
import { isActorReference } from './references.ts'

type RuledFields = Pick<
  ConsentTerms,
  'actorReference' | 'resourceClasses' | 'scopeValues' | 'periodStart' | 'periodEnd'
>
type Context = Pick<ConsentTerms, 'patientId' | 'scopeContext'>

/** Everything that is wrong with the terms of a record, beyond the types of its fields. */
export const failedRules = (terms: RuledFields & Context, resourceTypes: ReadonlySet<string>): FaultField[] => [
  ...failedFields(terms, resourceTypes),
  ...failedContext(terms),
]

/** What is wrong with those that are given, whoever the record is about. */
export function failedFields(
  { actorReference, resourceClasses, scopeValues, periodStart, periodEnd }: Given<RuledFields>,
  resourceTypes: ReadonlySet<string>,
): FaultField[] {
  const isActor = !isGiven(actorReference) || isActorReference(actorReference)
  const isReversed = isGiven(periodStart) && isGiven(periodEnd) && periodEnd < periodStart
  return [
    ...(isActor ? [] : [{ path: 'actorReference', message: 'must be Device/<id> or Organization/<id>' }]),
    ...(resourceClasses ?? []).flatMap((type, index) =>
      resourceTypes.has(type)
        ? []
        : [{ path: `resourceClasses[${index}]`, message: 'must be a FHIR R4 resource type' }],
    ),
    ...(scopeValues ?? []).flatMap((scope, index) =>
      isKnownScope(scope, resourceTypes) ? [] : [{ path: `scopeValues[${index}]`, message: 'must be a SMART scope' }],
    ),
    ...(isReversed ? [{ path: 'periodEnd', message: 'must not be before periodStart' }] : []),
  ]
}

export const failedContext = ({ patientId, scopeContext }: Context): FaultField[] =>
  patientId === null && scopeContext === 'patient'
    ? [{ path: 'patientId', message: 'is required for the scopeContext patient' }]
    : []

export const isGiven = <Value>(value: Value): value is NonNullable<Value> => value !== null && value !== undefined

type Given<Fields> = { readonly [Name in keyof Fields]?: Fields[Name] | null | undefined }

/** Launch contexts beyond the two of the standard are in use; none of them gives an operation. */
const launchScope = /^launch(?:\/[a-z][a-z-]{0,63})?$/

function isKnownScope(text: string, resourceTypes: ReadonlySet<string>): boolean {
  if (launchScope.test(text)) return true
  const scope = parseScope(text)
  return scope !== undefined && (scope.kind === 'special' || scope.type === '*' || resourceTypes.has(scope.type))
}
