interface BenchResource {
  readonly resourceType: string
  readonly id: string
  readonly [element: string]: unknown
}

const observationCodes = ['2339-0', '8480-6', '8462-4', '8867-4', '9279-1', '8310-5', '29463-7', '8302-2']

export const resourcesPerPatient = observationCodes.length + 2

/**
 * One patient with an encounter and eight observations. Names, identifiers and birth dates are spread so that a search
 * finds the same number of resources however many patients there are.
 */
export function patientRecord(number: number, patients: number): BenchResource[] {
  const subject = { reference: `Patient/p${number}` }
  const encounter = { reference: `Encounter/e${number}` }
  return [
    {
      resourceType: 'Patient',
      id: `p${number}`,
      identifier: [{ system: 'urn:bench:mrn', value: String(number) }],
      active: true,
      name: [{ family: familyOf(number), given: ['Amina', 'Grace'] }],
      gender: number % 2 === 0 ? 'female' : 'male',
      birthDate: birthDateOf(number, patients),
      telecom: [{ system: 'phone', value: `+2547${number}` }],
    },
    {
      resourceType: 'Encounter',
      id: `e${number}`,
      status: 'finished',
      class: { system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'AMB' },
      subject,
      period: { start: '2024-03-01T08:00:00Z', end: '2024-03-01T09:00:00Z' },
    },
    ...observationCodes.map((code, index) => ({
      resourceType: 'Observation',
      id: `o${number}-${index}`,
      status: 'final',
      category: [
        { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'vital-signs' }] },
      ],
      code: { coding: [{ system: 'http://loinc.org', code }] },
      subject,
      encounter,
      effectiveDateTime: `2024-03-0${index + 1}T${timeOf(number)}Z`,
      valueQuantity: { value: (number % 90) + index, system: 'http://unitsofmeasure.org', code: '1' },
    })),
  ]
}

/** A second of the day, so that few things happen at once. */
const timeOf = (number: number) => new Date(((number * 61) % 86_400) * 1_000).toISOString().slice(11, 19)

/** Letters first, so that a search for the beginning of one finds no other. */
export const familyOf = (number: number): string =>
  `Family${String(number)
    .padStart(7, '0')
    .replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')}`

/** Two patients a day. */
export function birthDateOf(number: number, patients: number): string {
  const day = number % Math.max(1, Math.floor(patients / 2))
  return new Date(Date.UTC(1920, 0, 1) + day * 86_400_000).toISOString().slice(0, 10)
}
