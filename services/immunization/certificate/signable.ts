import { unprocessable } from '../../../packages/faults/fault.ts'
import { isValidDose, type CertifiedDose, type ValidDose } from './certified-dose.ts'
import { icaoName, type NamedPerson } from './icao-name.ts'

/** A signature vouches for what it is under: for a dose that somebody only remembers, nobody can. */
export const isVouchedFor = <Dose extends CertifiedDose>(dose: Dose): dose is ValidDose<Dose> =>
  isValidDose(dose) && !dose.patientReported

/** A form that knows only whole days cannot say that a day is not known. */
export const isVouchedForOnItsDay = (dose: CertifiedDose): boolean =>
  isVouchedFor(dose) && dose.occurrencePrecision === 'day'

/** Whom a signed certificate can be about: without a name and a birth date it would be anybody's. */
export const isIdentified = (patient: NamedPerson): boolean => hasName(patient) && patient.birthDate !== null

const hasName = ({ name, family = null }: NamedPerson) => name !== null || family !== null

export function checkIdentified(patient: NamedPerson): void {
  if (isIdentified(patient)) return
  const missing = [hasName(patient) ? '' : 'no name', patient.birthDate === null ? 'no full birth date' : '']
  throw notSignable(`the record has ${missing.filter((what) => what !== '').join(' and ')} of the patient.`)
}

/** A passport has Latin letters, and not every script can be written in them. */
export function checkWritable(patient: NamedPerson): void {
  if (icaoName(patient) === '') throw notSignable('the name of the patient cannot be written in Latin letters.')
}

export const nothingToSign = () =>
  unprocessable('There is no completed vaccination that could be signed for.', { code: 'nothing_to_certify' })

const notSignable = (why: string) => unprocessable(`Nothing can be signed: ${why}`, { code: 'patient_not_identified' })
