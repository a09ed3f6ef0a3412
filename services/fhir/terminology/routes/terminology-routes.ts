import type { Route } from '../../../../packages/http/route.ts'
import type { FhirDeps } from '../../routes/deps.ts'
import { fhirRoute, fhirTypes, type FhirCall } from '../../routes/fhir-route.ts'
import { readBody } from '../../routes/read-body.ts'
import { expand } from '../operations/expand.ts'
import { lookup } from '../operations/lookup.ts'
import { operationInput, type OperationInput } from '../operations/operation-input.ts'
import { translateOperation } from '../operations/translate.ts'
import { validateInSet, validateInSystem } from '../operations/validate-code.ts'
import type { TerminologySource } from '../source.ts'

type Run = (input: OperationInput, source: TerminologySource, deps: FhirDeps) => Promise<object>

const operations: readonly (readonly [type: string, name: string, summary: string, run: Run])[] = [
  ['CodeSystem', 'lookup', 'What is known about a code', lookup],
  ['CodeSystem', 'validate-code', 'Whether a code is one of its code system', validateInSystem],
  [
    'ValueSet',
    'expand',
    'The codes of a value set',
    (input, source, { clock, ids }) => expand(input, { source, now: () => clock.now(), newId: () => ids.uuid() }),
  ],
  ['ValueSet', 'validate-code', 'Whether a code is in a value set', validateInSet],
  ['ConceptMap', 'translate', 'A code in the words of another system', translateOperation],
]

/** As the CapabilityStatement lists them. */
export const terminologyOperations = operations.map(([type, name]) => ({
  type,
  name,
  definition: `http://hl7.org/fhir/OperationDefinition/${type}-${name}`,
}))

/** The terminology operations, each as GET and as POST. They tell nothing about patients: any token will do. */
export const terminologyRoutes: readonly Route<FhirDeps>[] = operations.flatMap(([type, name, summary, run]) => {
  const common = {
    path: `/fhir/${type}/$${name}`,
    summary,
    tags: ['operations', 'terminology'],
    interaction: 'operation',
  } as const
  const answer = async (input: OperationInput, deps: FhirDeps) => ({
    kind: 'made' as const,
    content: JSON.stringify(await run(input, deps.terminology, deps)),
    touched: [],
  })
  return [
    fhirRoute({
      ...common,
      method: 'GET',
      run: (call, deps) => answer(operationInput({ query: queryOf(call) }), deps),
    }),
    fhirRoute({
      ...common,
      method: 'POST',
      accepts: fhirTypes,
      bodyBytesMax: 262_144,
      run: (call, deps) => answer(operationInput({ query: queryOf(call), body: readBody(call.request) }), deps),
    }),
  ]
})

const queryOf = ({ query }: FhirCall) => new URLSearchParams(query)
