import type { Definitions } from '../../../packages/fhir/definitions.ts'
import { isStored } from '../interactions/require-right.ts'
import { isSupported } from '../search/parse/unsupported.ts'
import type { CapabilityOperation } from './capability-operation.ts'
import { referrersOf, resourceCapability } from './resource-capability.ts'
import { securityOf } from './security.ts'

interface CapabilityOptions {
  /** The public base address. */
  readonly base: string
  /** The address of the authorization server. */
  readonly authorizationServer: string
  /** Since when this is what the server can do. */
  readonly date: Date
  /** Operations beside `$validate` and `$everything`: what other parts of the service have declared routes for. */
  readonly operations: readonly CapabilityOperation[]
}

/** What this server can do, made from the definitions that it works with: it can claim nothing else. */
export function capabilityStatement(definitions: Definitions, options: CapabilityOptions): string {
  const { base, authorizationServer, date, operations } = options
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
        security: securityOf(authorizationServer),
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
          (name) => `http://hl7.org/fhir/CompartmentDefinition/${name.charAt(0).toLowerCase()}${name.slice(1)}`,
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
