import type { Location, Organization } from '../../../packages/fhir/r4.ts'
import {
  facilityCodeSystem,
  namespaceExtension,
  timeZoneExtension,
} from '../../../ports/facility-registry/organization.ts'
import { concept, hl7, hl7Concept, reference, systems } from './parts.ts'

export type DemoFacility = 'central-hospital' | 'lakeside-clinic'

export const facilityNames: Readonly<Record<DemoFacility, string>> = {
  'central-hospital': 'Central Hospital',
  'lakeside-clinic': 'Lakeside Clinic',
}

/** The system of a facility's own record numbers. */
export const recordNumberSystem = (facility: DemoFacility) => `urn:corridor:demo:${facility}:mrn`

export function demoFacilities(): (Organization | Location)[] {
  return [
    organization('central-hospital', 'CENTRAL', '+221 33 800 10 00'),
    organization('lakeside-clinic', 'LAKESIDE', '+221 33 800 20 00'),
    site('central-hospital', 'CENTRAL', 14.6937, -17.4441),
    site('lakeside-clinic', 'LAKESIDE', 14.7645, -17.366),
    ward('central-ward-a', 'Ward A', 'central-hospital', 'wa'),
    ward('central-bed-a1', 'Ward A, bed 1', 'central-hospital', 'bd', 'central-ward-a'),
    ward('central-emergency', 'Emergency department', 'central-hospital', 'wa'),
    ward('central-laboratory', 'Laboratory', 'central-hospital', 'ro'),
    ward('lakeside-consulting-1', 'Consulting room 1', 'lakeside-clinic', 'ro'),
    ward('lakeside-vaccination', 'Vaccination room', 'lakeside-clinic', 'ro'),
  ]
}

function organization(id: DemoFacility, code: string, phone: string): Organization {
  const namespaces = [
    [code, recordNumberSystem(id)],
    ['MRN', recordNumberSystem(id)],
    ['NATIONAL', systems.nationalId],
  ] as const
  return {
    resourceType: 'Organization',
    id,
    extension: [
      { url: timeZoneExtension, valueCode: 'Africa/Dakar' },
      ...namespaces.map(([name, system]) => ({
        url: namespaceExtension,
        extension: [
          { url: 'name', valueString: name },
          { url: 'system', valueUri: system },
        ],
      })),
    ],
    identifier: [{ use: 'official', system: facilityCodeSystem, value: code }],
    active: true,
    type: [concept(hl7('organization-type'), 'prov', 'Healthcare Provider')],
    name: facilityNames[id],
    telecom: [{ system: 'phone', value: phone, use: 'work' }],
    address: [{ use: 'work', city: 'Dakar', country: 'SN' }],
  }
}

/** The place itself, findable by the same code as its Organization. */
function site(facility: DemoFacility, code: string, latitude: number, longitude: number): Location {
  return {
    ...place(`${facility}-site`, facilityNames[facility], facility, 'si'),
    identifier: [{ system: facilityCodeSystem, value: code }],
    position: { latitude, longitude },
  }
}

function ward(id: string, name: string, facility: DemoFacility, kind: string, partOf = `${facility}-site`): Location {
  return { ...place(id, name, facility, kind), partOf: reference(`Location/${partOf}`) }
}

function place(id: string, name: string, facility: DemoFacility, kind: string): Location {
  return {
    resourceType: 'Location',
    id,
    status: 'active',
    name,
    mode: 'instance',
    physicalType: hl7Concept('location-physical-type', kind),
    managingOrganization: reference(`Organization/${facility}`, facilityNames[facility]),
  }
}
