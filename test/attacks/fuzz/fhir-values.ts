import { oneOf } from '../../../packages/testkit/cases.ts'
import { strangeText, strangeValue, type Make } from './strange-values.ts'

const names = ['name', 'identifier', 'birthdate', '_id', 'patient', 'patient.name', 'code', 'value-quantity', 'date']
const control = ['_count', '_sort', '_include', '_revinclude', '_has:Observation:patient:code', '_summary', '_elements']
const rest = [
  '_since',
  '_total',
  '_offset',
  '_format',
  'url',
  'nothing-of-the-kind',
  '__proto__',
  'name:exact',
  ':',
  '',
]
const usual = ['amina', 'ge2020', '1990-01-01', 'http://x|y', 'Patient/amina-diallo', '5', '-name', 'Patient:link', '*']

/** The query of FHIR is a language of its own, which no schema describes. */
export const fhirQuery: Make<[string, string][]> = (choose) =>
  Array.from({ length: choose(4) }, () => {
    const name = oneOf(choose, [...names, ...control, ...rest])
    return [name, choose(2) === 0 ? oneOf(choose, usual) : strangeText(choose)]
  })

const resources: readonly object[] = [
  {
    ...{ resourceType: 'Patient', name: [{ family: 'Fuzz', given: ['A'] }], birthDate: '1990-01-01', active: true },
    ...{ identifier: [{ system: 'urn:fuzz', value: '1' }], contact: [{ name: { family: 'B' } }] },
  },
  {
    ...{
      resourceType: 'Observation',
      status: 'final',
      code: { coding: [{ system: 'http://loinc.org', code: '718-7' }] },
    },
    ...{ subject: { reference: 'Patient/amina-diallo' }, valueQuantity: { value: 5, unit: 'g' } },
  },
  {
    ...{ resourceType: 'Bundle', type: 'transaction' },
    entry: [{ resource: { resourceType: 'Patient' }, request: { method: 'POST', url: 'Patient' } }],
  },
  { resourceType: 'Bundle', type: 'batch', entry: [{ request: { method: 'GET', url: 'Patient?_count=1' } }] },
  {
    resourceType: 'Parameters',
    parameter: [
      { name: 'resource', resource: { resourceType: 'Patient', name: [{ family: 'Diallo' }] } },
      { name: 'code', valueCode: '718-7' },
      { name: 'system', valueUri: 'http://loinc.org' },
    ],
  },
]

/** Sound resources, most of them with something else in one or two of their places. */
export const fhirResource: Make<unknown> = (choose) => {
  const kind = choose(9)
  if (kind === 8) return strangeValue(choose)
  let resource: unknown = oneOf(choose, resources)
  for (let left = kind < 2 ? 0 : 1 + choose(2); left > 0; left--)
    resource = replaced(resource, choose(41), strangeValue(choose))
  return resource
}

/** The value with another one in its n-th place, counted through all depths and around again. */
function replaced(value: unknown, place: number, strange: unknown): unknown {
  const total = placesIn(value)
  if (total === 0) return strange
  let left = place % total
  const walk = (given: unknown): unknown => {
    if (typeof given !== 'object' || given === null) return given
    const entries = Object.entries(given).map(([name, inner]) => [name, left-- === 0 ? strange : walk(inner)])
    return Array.isArray(given) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries)
  }
  return walk(value)
}

function placesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((total, inner) => total + 1 + placesIn(inner), 0)
}
