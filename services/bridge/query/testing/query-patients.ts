import type { Patient } from '../../../../packages/fhir/r4.ts'
import type { FoundPatient, QueryOutcome } from '../query-reply.ts'
import type { PatientQuery, TextCriterion } from '../../mapping/families/qbp/query.ts'

const hospital = 'urn:oid:1.2.40.0.34.99.1'
const national = 'https://national.example/id'

/** The patients whom the cases of QBP ask for. */
const patients: readonly Patient[] = [
  {
    resourceType: 'Patient',
    identifier: [
      { system: hospital, value: '778899' },
      { system: national, value: 'N-100' },
      { use: 'old', system: hospital, value: '111111' },
    ],
    name: [{ use: 'official', family: 'Diallo', given: ['Amina'] }],
    gender: 'female',
    birthDate: '1980-05-12',
  },
  {
    resourceType: 'Patient',
    identifier: [{ system: hospital, value: '778900' }],
    name: [{ family: 'Dial|op', given: ['Ben'] }],
    gender: 'male',
    birthDate: '1990',
  },
  {
    resourceType: 'Patient',
    identifier: [{ system: national, value: 'N-300' }],
    name: [{ family: 'Diallo', given: ['Cora'] }],
    gender: 'female',
  },
]

/** What a patient index would answer: found by identifier or family name, the rest of the criteria as scores. */
export function outcomeOf(query: PatientQuery): QueryOutcome {
  const knownDomains = new Set([hospital, national])
  if (query.kind === 'allocation') return { knownDomains, patients: [] }
  if (query.kind === 'candidates') {
    const { criteria } = query
    const found = patients.filter(
      ({ name, identifier }) =>
        (criteria.family !== undefined && isLike(name?.[0]?.family ?? '', criteria.family)) ||
        criteria.identifiers.some(({ value }) => identifier?.some((one) => one.value === value)),
    )
    const scored = found.map((patient): FoundPatient => ({
      patient,
      score: criteria.gender === undefined || criteria.gender === patient.gender ? 0.95 : 0.4,
    }))
    return { knownDomains, patients: scored }
  }
  const { system, value } = query.identifier
  const found = patients.filter(({ identifier }) =>
    identifier?.some((one) => one.system === system && one.value === value),
  )
  return { knownDomains, patients: found.map((patient) => ({ patient })), isUnknownIdentifier: found.length === 0 }
}

function isLike(family: string, { text, isPrefix }: TextCriterion): boolean {
  const [one, other] = [family.toLowerCase(), text.toLowerCase()]
  return isPrefix ? one.startsWith(other) : one === other
}
