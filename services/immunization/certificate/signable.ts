import { unprocessable } from '../../../packages/faults/fault.ts'
import { isAfter, isBefore } from '../forecast/dose-days.ts'
import { knownOf } from '../read-model/fhir-parts.ts'
import { isOnlyTold } from '../read-model/vaccination.ts'
import { isValidDose, type CertifiedDose, type CertifiedPerson, type ValidDose } from './certified-dose.ts'
import { icaoName, unwritableLetter, type NamedPerson } from './icao-name.ts'

/** Whose doses, and on which day somebody looks at them. */
export interface Looking {
  readonly patient: Pick<CertifiedPerson, 'birthDate'>
  /** YYYY-MM-DD, where the app stands. */
  readonly today: string
}

/**
 * Why nobody can vouch for a dose: it is only remembered, it was too weak to protect, its record says something that nobody
 * here understands, or it is dated before the birth or in days to come.
 */
export type Doubt = 'self-reported' | 'subpotent' | 'qualified' | 'impossible-date'

export function doubtsAbout(dose: CertifiedDose, looking: Looking): readonly Doubt[] {
  return [
    ...(isOnlyTold(dose) ? (['self-reported'] as const) : []),
    ...(dose.isSubpotent ? (['subpotent'] as const) : []),
    ...(dose.isQualified === true ? (['qualified'] as const) : []),
    ...(isImpossible(dose, looking) ? (['impossible-date'] as const) : []),
  ]
}

/** A signature vouches for what it is under: only for what leaves no doubt. */
export const vouchedFor = <Dose extends CertifiedDose>(
  immunizations: readonly Dose[],
  looking: Looking,
): readonly ValidDose<Dose>[] =>
  immunizations.filter(isValidDose).filter((dose) => doubtsAbout(dose, looking).length === 0)

/** Takes a place in the order of doses: what was too weak has to be repeated, and what cannot be was not given. */
export const hasPlace = (dose: CertifiedDose, looking: Looking): boolean =>
  doubtsAbout(dose, looking).every((doubt) => doubt === 'self-reported')

function isImpossible({ occurrenceDate, occurrencePrecision }: CertifiedDose, { patient, today }: Looking): boolean {
  if (occurrenceDate === null) return false
  const known = knownOf(occurrenceDate, occurrencePrecision)
  return isAfter(known, today) || isBefore(known, patient.birthDate ?? '')
}

/** Whom a signed certificate can be about: without a name and a birth date it would be anybody's. */
export const isIdentified = (patient: NamedPerson): boolean => hasName(patient) && patient.birthDate !== null

const hasName = ({ name, family = null }: NamedPerson) => name !== null || family !== null

export function checkIdentified(patient: NamedPerson): void {
  if (isIdentified(patient)) return
  const missing = [hasName(patient) ? '' : 'no name', patient.birthDate === null ? 'no full birth date' : '']
  throw notSignable(`the record has ${missing.filter((what) => what !== '').join(' and ')} of the patient.`)
}

/** A passport has Latin letters, and not every script can be written in them. Half a name is somebody else's. */
export function checkWritable(patient: NamedPerson): void {
  const letter = unwritableLetter(patient)
  if (letter !== undefined) {
    throw notSignable(`the name of the patient has the letter ${letter}, which cannot be written in Latin letters.`)
  }
  if (icaoName(patient) === '') throw notSignable('the name of the patient cannot be written in Latin letters.')
}

export const nothingToSign = () =>
  unprocessable('There is no completed vaccination that could be signed for.', { code: 'nothing_to_certify' })

const notSignable = (why: string) => unprocessable(`Nothing can be signed: ${why}`, { code: 'patient_not_identified' })
