import type { Bundle, BundleEntry, Patient } from '../../packages/fhir/r4.ts'
import { goldenIdOf } from './golden-link.ts'
import type { IndexMatch, MatchGrade } from './patient-index.ts'

/** The matches in the answer of `Patient/$match`; what is certainly not the patient is left out. */
export function matchesIn(bundle: Bundle): IndexMatch[] {
  return (bundle.entry ?? []).flatMap(matchOf)
}

function matchOf({ resource, search }: BundleEntry): IndexMatch[] {
  if (resource?.resourceType !== 'Patient' || resource.id === undefined) return []
  if (search?.mode !== undefined && search.mode !== 'match') return []
  // Sound: it says that it is a Patient; its members are read with care.
  const patient = resource as Patient & { readonly id: string }
  const score = search?.score ?? 0
  const given = search?.extension?.find(({ url }) => url === matchGrade)?.valueCode
  if (given === 'certainly-not') return []
  const grade = isGrade(given) ? given : gradeOfScore(score)
  return [{ patient, goldenId: goldenIdOf(patient), score, grade }]
}

/** The extension of an entry that says how sure the match is. */
export const matchGrade = 'http://hl7.org/fhir/StructureDefinition/match-grade'

const isGrade = (word: string | undefined): word is MatchGrade =>
  word === 'certain' || word === 'probable' || word === 'possible'

/** A server that says no grade has not promised certainty, whatever its score. */
const gradeOfScore = (score: number): MatchGrade => (score >= 0.9 ? 'probable' : 'possible')

export function matchParameters(
  patient: Patient,
  { count, onlyCertainMatches }: { readonly count?: number; readonly onlyCertainMatches?: boolean },
): object {
  return {
    resourceType: 'Parameters',
    parameter: [
      { name: 'resource', resource: patient },
      ...(onlyCertainMatches === undefined ? [] : [{ name: 'onlyCertainMatches', valueBoolean: onlyCertainMatches }]),
      ...(count === undefined ? [] : [{ name: 'count', valueInteger: count }]),
    ],
  }
}
