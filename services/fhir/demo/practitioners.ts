import type { Practitioner, PractitionerRole } from '../../../packages/fhir/r4.ts'
import { facilityNames, type DemoFacility } from './facilities.ts'
import { hl7Concept, identifier, reference } from './parts.ts'

const people = [
  ['dr-amara', 'Okafor', 'Amara', 'Dr', 'female', 'central-hospital', 'doctor'],
  ['dr-baraka', 'Mwangi', 'Baraka', 'Dr', 'male', 'lakeside-clinic', 'doctor'],
  ['admin', 'Bello', 'Adisa', undefined, 'male', 'central-hospital', 'ict'],
  ['nurse-selam', 'Tesfaye', 'Selam', undefined, 'female', 'lakeside-clinic', 'nurse'],
] as const

/** Whom the first visits of a patient of a facility are with. */
export const doctorOf: Readonly<Record<DemoFacility, string>> = {
  'central-hospital': 'dr-amara',
  'lakeside-clinic': 'dr-baraka',
}

export const practitionerName = (id: string): string => {
  const [, family = '', given = '', prefix] = people.find(([own]) => own === id) ?? []
  return [prefix, given, family].filter((part) => part !== undefined).join(' ')
}

export function demoPractitioners(): (Practitioner | PractitionerRole)[] {
  return people.flatMap(([id, family, given, prefix, gender, facility, role]) => [
    {
      resourceType: 'Practitioner',
      id,
      identifier: [identifier('EI', 'urn:corridor:demo:staff', id)],
      active: true,
      name: [{ use: 'official', family, given: [given], ...(prefix === undefined ? {} : { prefix: [prefix] }) }],
      gender,
    } satisfies Practitioner,
    {
      resourceType: 'PractitionerRole',
      id: `${id}-role`,
      active: true,
      practitioner: reference(`Practitioner/${id}`, practitionerName(id)),
      organization: reference(`Organization/${facility}`, facilityNames[facility]),
      code: [hl7Concept('practitioner-role', role)],
    } satisfies PractitionerRole,
  ])
}
