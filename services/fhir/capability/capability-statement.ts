import type { Definitions } from '../../../packages/fhir/definitions.ts'
import { securityOf } from './security.ts'
import { isStored } from '../interactions/require-right.ts'
import { referrersOf, resourceCapability } from './resource-capability.ts'
import { isSupported } from '../search/parse/unsupported.ts'

export interface CapabilityOptions {
  /** The public base address. */
  readonly base: string
  /** The address of the authorization server. */
  readonly authorizationServer: string
  /** Since when this is what the server can do. */
  readonly date: Date
  /** Operations beside `$validate` and `$everything`: what other parts of the service have declared routes for. */
  readonly operations: readonly CapabilityOperation[]
}

export interface CapabilityOperation {
  readonly type: string
  /** Without the dollar sign. */
  readonly name: string
  /** The canonical address of its OperationDefinition. */
  readonly definition: string
  /** What of the definition is not here. */
  readonly documentation?: string
}

/** What this server can do, made from the definitions that it works with: it can claim nothing else. */
export function capabilityStatement(definitions: Definitions, options: CapabilityOptions): string {
  const { base, date, operations } = options
  const types = [...definitions.resourceTypes].filter(isStored)
  const all = [...standardOperations(types), ...operations]
  const referrers = referrersOf(types, definitions)
  return JSON.stringify({
    resourceType: 'CapabilityStatement',
    id: 'corridor',
    url: `${base}/metadata`,
    name: 'Corridor',
    title: 'Corridor FHIR store',
    status: 'active',
    date: date.toISOString(),
    kind: 'instance',
    software: { name: 'Corridor' },
    implementation: { description: 'FHIR store of a Corridor health-information exchange', url: base },
    fhirVersion: definitions.fhirVersion,
    format: ['json', 'application/fhir+json'],
    patchFormat: ['application/json-patch+json'],
    rest: [
      {
        mode: 'server',
        security: securityOf(options),
        resource: types.map((type) => resourceCapability(type, all, referrers, definitions)),
        interaction: ['transaction', 'batch', 'search-system', 'history-system'].map((code) => ({ code })),
        searchParam: [...definitions.parametersOf('Resource').values()]
          .filter(isSupported)
          .map(({ code, url, type }) => ({
            name: code,
            definition: url,
            type,
          })),
        compartment: definitions.compartmentNames.map(
          (name) => `http://hl7.org/fhir/CompartmentDefinition/${name.toLowerCase()}`,
        ),
      },
    ],
  })
}

const standardOperations = (types: readonly string[]): CapabilityOperation[] => [
  ...types.map((type) => ({
    type,
    name: 'validate',
    definition: 'http://hl7.org/fhir/OperationDefinition/Resource-validate',
  })),
  {
    type: 'Patient',
    name: 'everything',
    definition: 'http://hl7.org/fhir/OperationDefinition/Patient-everything',
    documentation: 'Of one patient, Patient/[id]/$everything. Not of all patients at once: Patient/$everything.',
  },
]
