import type { Bundle, BundleEntry, CodeableConcept, HumanName, Immunization } from '../../../packages/fhir/r4.ts'
import { knownOf } from '../read-model/fhir-parts.ts'
import type { ValidDose } from './certified-dose.ts'
import type { NamedPerson } from './icao-name.ts'

/**
 * What a health card says, and no more: the vaccination guide of SMART Health Cards leaves out ids, narratives and
 * display texts, and calls resources `resource:0`, `resource:1`. Oldest dose first.
 */
export function healthCardBundle(patient: NamedPerson, vouched: readonly ValidDose[]): Bundle {
  const doses = vouched
    .toReversed()
    .toSorted((a, b) => (a.occurrenceDate < b.occurrenceDate ? -1 : a.occurrenceDate > b.occurrenceDate ? 1 : 0))
  const person: BundleEntry = {
    fullUrl: 'resource:0',
    resource: {
      resourceType: 'Patient',
      ...nameOf(patient),
      ...(patient.birthDate === null ? {} : { birthDate: patient.birthDate }),
    },
  }
  const given = doses.map((dose, at) => ({ fullUrl: `resource:${at + 1}`, resource: immunizationOf(dose) }))
  return { resourceType: 'Bundle', type: 'collection', entry: [person, ...given] }
}

function nameOf({ name, family, given = [] }: NamedPerson): { name?: [HumanName] } {
  if (family !== undefined && family !== null) {
    return { name: [{ family, ...(given.length === 0 ? {} : { given: [...given] }) }] }
  }
  return name === null ? {} : { name: [{ text: name }] }
}

function immunizationOf(dose: ValidDose): Immunization {
  return {
    resourceType: 'Immunization',
    status: 'completed',
    vaccineCode: vaccineOf(dose),
    patient: { reference: 'resource:0' },
    // What was padded is not known, and is not signed.
    occurrenceDateTime: knownOf(dose.occurrenceDate, dose.occurrencePrecision),
    ...(dose.performerDisplay === null ? {} : { performer: [{ actor: { display: dose.performerDisplay } }] }),
    ...(dose.lotNumber === null ? {} : { lotNumber: dose.lotNumber }),
  }
}

/** A code of a known system says it all; else the words must. */
function vaccineOf({ vaccineSystem, vaccineCode, vaccineName }: ValidDose): CodeableConcept {
  if (vaccineSystem !== null && vaccineCode !== null) return { coding: [{ system: vaccineSystem, code: vaccineCode }] }
  return { text: vaccineName ?? vaccineCode ?? 'unknown vaccine' }
}
