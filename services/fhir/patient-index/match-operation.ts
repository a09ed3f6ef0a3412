import { incorrect, invalid } from '../../../packages/faults/fault.ts'
import type { Bundle, BundleEntry, Parameters, ParametersParameter, Patient } from '../../../packages/fhir/r4.ts'
import { isGoldenRecord } from '../../../ports/patient-index/golden-link.ts'
import { matchGrade } from '../../../ports/patient-index/r4-match.ts'
import { blockingKeys } from './blocking-keys.ts'
import { findMatches, type MatchDeps } from './find-matches.ts'
import { personOf } from './person.ts'
import type { Match } from './rank.ts'

interface MatchOperationDeps extends MatchDeps {
  /** The Patients of these ids that the caller may see. */
  readonly visiblePatients: (ids: readonly string[]) => Promise<ReadonlyMap<string, Patient>>
  /** The base address, for `fullUrl`. */
  readonly base: string
}

/** `Patient/$match`: who of the known patients is meant, the likeliest first; nobody is an empty bundle. */
export async function matchOperation(input: unknown, deps: MatchOperationDeps): Promise<Bundle> {
  const { patient, onlyCertainMatches, count } = readInput(input)
  const person = personOf(patient)
  if (blockingKeys(person).length === 0) {
    throw incorrect('This is too little to look for a patient by.', {
      code: 'INSUFFICIENT_INPUT',
      fields: [
        {
          path: 'Patient',
          message: 'give an identifier with its system, a phone number, a full birth date, or given and family name',
        },
      ],
    })
  }
  const [found] = await findMatches([person], deps)
  const wanted = (found?.matches ?? []).filter(({ grade }) => !onlyCertainMatches || grade === 'certain')
  const visible = await deps.visiblePatients(wanted.slice(0, visibleMax).map(({ patientId }) => patientId))
  const entry = wanted.flatMap((match) => entryOf(match, visible.get(match.patientId), deps.base)).slice(0, count)
  return { resourceType: 'Bundle', type: 'searchset', total: entry.length, ...(entry.length === 0 ? {} : { entry }) }
}

const countMax = 100
const countDefault = 10
/** Some of the matches may be golden records; a few more are read so that the answer can still be full. */
const visibleMax = 2 * countMax

function entryOf(match: Match, patient: Patient | undefined, base: string): BundleEntry[] {
  // A golden record that still waits for its first record is nobody to show.
  if (patient === undefined || isGoldenRecord(patient)) return []
  const grade = { url: matchGrade, valueCode: match.grade }
  return [
    {
      fullUrl: `${base}/Patient/${match.patientId}`,
      resource: patient,
      search: { extension: [grade], mode: 'match', score: rounded(match.probability) },
    },
  ]
}

/** Never rounded up to 1: nothing here is more than very likely. */
const rounded = (probability: number) => Math.min(Math.round(probability * 1e6) / 1e6, 0.999999)

/** A Parameters resource; a bare Patient is understood too, as most servers do. */
function readInput(input: unknown): { patient: Patient; onlyCertainMatches: boolean; count: number } {
  const given = resourceOf(input)
  if (given?.resourceType === 'Patient') return { patient: given, onlyCertainMatches: false, count: countDefault }
  const parameters = given?.resourceType === 'Parameters' ? (given.parameter ?? []) : []
  const named = (name: string): ParametersParameter | undefined => parameters.find((one) => one.name === name)
  const patient = resourceOf(named('resource')?.resource)
  if (patient?.resourceType !== 'Patient') {
    throw incorrect('Give the patient to look for as the parameter resource.', {
      code: 'INSUFFICIENT_INPUT',
      fields: [{ path: 'Parameters.parameter', message: 'the parameter resource must hold a Patient' }],
    })
  }
  const count = named('count')?.valueInteger ?? countDefault
  if (!Number.isInteger(count) || count < 1) {
    throw invalid({ path: "Parameters.parameter.where(name='count').value", message: 'must be a whole number from 1' })
  }
  return {
    patient,
    onlyCertainMatches: named('onlyCertainMatches')?.valueBoolean ?? false,
    count: Math.min(count, countMax),
  }
}

function resourceOf(value: unknown): Patient | Parameters | undefined {
  if (typeof value !== 'object' || value === null || !('resourceType' in value)) return undefined
  // The route has validated what comes by HTTP; every member is read as optional here.
  return value as Patient | Parameters
}
