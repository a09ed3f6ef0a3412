import { hasErrors } from '../../../../packages/fhir/validate/issue.ts'
import { parseJson } from '../../../../packages/fhir/parse-json.ts'
import type { CodeSystem, ConceptMap, ValueSet } from '../../../../packages/fhir/r4.ts'
import { InvalidResource } from '../../interactions/invalid-resource.ts'
import { checkIsResource } from '../../interactions/prepare-body.ts'
import { read } from '../../interactions/read.ts'
import { fullAccess } from '../../scopes/access.ts'
import type { FhirDeps } from '../../routes/deps.ts'
import type { FhirCall, FhirRouteOptions } from '../../routes/fhir-route.ts'
import { fhirTypes } from '../../routes/fhir-types.ts'
import { readBody } from '../../routes/read-body.ts'
import { memorySource } from '../memory-source.ts'
import { expand } from '../operations/expand.ts'
import { lookup } from '../operations/lookup.ts'
import { operationInput, type OperationInput } from '../operations/operation-input.ts'
import { translateOperation } from '../operations/translate.ts'
import { validateInSet, validateInSystem } from '../operations/validate-code.ts'
import { readCodeSystem, readConceptMap, readValueSet } from '../read-resource.ts'
import { combined, type MappingQuery, type TerminologySource } from '../source.ts'

type Run = (input: OperationInput, source: TerminologySource, deps: FhirDeps) => Promise<object>

const operations: readonly (readonly [type: string, name: string, summary: string, run: Run])[] = [
  ['CodeSystem', 'lookup', 'What is known about a code', lookup],
  ['CodeSystem', 'validate-code', 'Whether a code is one of its code system', validateInSystem],
  ['ValueSet', 'expand', 'The codes of a value set', expandFor],
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
export const terminologyRoutes: readonly FhirRouteOptions[] = [
  ...operations.flatMap(([type, name, summary, run]) =>
    bothWays(`/fhir/${type}/$${name}`, summary, async (input, _call, deps) => run(input, deps.terminology, deps)),
  ),
  ...bothWays('/fhir/ValueSet/:id/$expand', 'The codes of a value set that is stored', expandStored),
  ...bothWays('/fhir/ValueSet/:id/$validate-code', 'Whether a code is in a value set that is stored', inStoredSet),
  ...bothWays('/fhir/CodeSystem/:id/$validate-code', 'Whether a code is one of a code system that is stored', inStored),
  ...bothWays('/fhir/ConceptMap/:id/$translate', 'A code as a concept map that is stored has it', byStoredMap),
]

type Answer = (input: OperationInput, call: FhirCall, deps: FhirDeps) => Promise<object>

function bothWays(path: string, summary: string, run: Answer): FhirRouteOptions[] {
  const common = { path, summary, tags: ['operations', 'terminology'], interaction: 'operation' } as const
  const answer = async (call: FhirCall, deps: FhirDeps, body?: unknown) => ({
    kind: 'made' as const,
    content: JSON.stringify(await run(inputOf(call, body), call, deps)),
    touched: [],
  })
  return [
    { ...common, method: 'GET', run: (call, deps) => answer(call, deps) },
    {
      ...common,
      method: 'POST',
      accepts: fhirTypes,
      bodyBytesMax: 262_144,
      run: (call, deps) => answer(call, deps, readBody(call.request)),
    },
  ]
}

function expandFor(input: OperationInput, source: TerminologySource, { validate, clock, ids }: FhirDeps) {
  const sent = input.resource('valueSet')
  if (sent !== undefined) {
    checkIsResource('ValueSet', sent)
    const issues = validate(sent)
    if (hasErrors(issues)) throw new InvalidResource(issues)
  }
  return expand(input, { source, now: () => clock.now(), newId: () => ids.uuid() })
}

/** The set of this id, as if it had come with the question. */
async function expandStored(input: OperationInput, call: FhirCall, deps: FhirDeps): Promise<object> {
  const stored = await storedOf('ValueSet', call, deps)
  const withIt = { ...input, resource: (name: string) => (name === 'valueSet' ? stored : input.resource(name)) }
  return expandFor(withIt, deps.terminology, deps)
}

async function inStoredSet(input: OperationInput, call: FhirCall, deps: FhirDeps): Promise<object> {
  const { valueSet } = readValueSet(addressed(await storedOf('ValueSet', call, deps), deps) as ValueSet)
  const own = memorySource({ codeSystems: [], valueSets: [valueSet], conceptMaps: [] })
  return validateInSet(askingFor(valueSet, input), combined([own, deps.terminology]))
}

async function inStored(input: OperationInput, call: FhirCall, deps: FhirDeps): Promise<object> {
  const system = readCodeSystem(addressed(await storedOf('CodeSystem', call, deps), deps) as CodeSystem)
  const own = memorySource({ codeSystems: [system], valueSets: [], conceptMaps: [] })
  return validateInSystem(askingFor(system, input), combined([own, deps.terminology]))
}

async function byStoredMap(input: OperationInput, call: FhirCall, deps: FhirDeps): Promise<object> {
  const map = readConceptMap(addressed(await storedOf('ConceptMap', call, deps), deps) as ConceptMap)
  const own = memorySource({ codeSystems: [], valueSets: [], conceptMaps: [map] })
  const byItAlone = {
    ...deps.terminology,
    conceptMap: (canonical: string) => own.conceptMap(canonical),
    mappings: (wanted: MappingQuery) => own.mappings(wanted),
  }
  return translateOperation(askingFor(map, input), byItAlone)
}

async function storedOf(type: string, { params, request, batchWork }: FhirCall, deps: FhirDeps): Promise<object> {
  const { id = '' } = params
  if (request.rawBody !== undefined) checkIsResource('Parameters', readBody(request))
  const answer = await read({ type, id, access: fullAccess }, deps, deps.database)
  // Sound: a resource that is read and not deleted has content, which is a JSON object.
  const content = ('stored' in answer ? answer.stored.content : undefined) ?? '{}'
  await batchWork?.takeText(content)
  return parseJson(content) as object
}

/** What has no address can be asked by its id all the same. Under a type nothing but its resources is stored. */
const addressed = (stored: object, { ids }: FhirDeps): object => ({ url: `urn:uuid:${ids.uuid()}`, ...stored })

const askingFor = ({ url }: { readonly url: string }, input: OperationInput): OperationInput => ({
  ...input,
  text: (name) => (name === 'url' ? url : input.text(name)),
})

const inputOf = ({ query, batchWork }: FhirCall, body: unknown): OperationInput =>
  operationInput({ query: new URLSearchParams(query), body, batchWork })
