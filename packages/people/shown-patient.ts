import type { CodeableConcept, Identifier, Patient } from '../fhir/r4.ts'
import { ageIn } from './age.ts'
import { deathOf, type Death } from './death.ts'
import { nameOf } from './human-name.ts'
import { isOldNumber } from './old-number.ts'

/** A patient as a page shows them. */
export interface ShownPatient {
  readonly id: string
  readonly name: string
  readonly birthDate: string | undefined
  /** In words, as clinicians say it: `34 years`, `5 weeks`, of a birth date that is a year `33–34 years`. Of the living only. */
  readonly age: string | undefined
  readonly death?: Death
  readonly sex: string | undefined
  readonly identifiers: readonly { readonly label: string; readonly value: string }[]
}

/** The same where nothing may be known but who it is. */
export type BannerPatient = Pick<ShownPatient, 'id' | 'name'> & Partial<ShownPatient>

const identifiersMax = 3

export function shownPatient(patient: Patient, now: Date): ShownPatient {
  const { id = '', name, birthDate, gender, identifier = [] } = patient
  const death = deathOf(patient)
  return {
    id,
    name: nameOf(name, now) ?? 'No name',
    birthDate,
    age: birthDate === undefined || death !== undefined ? undefined : ageIn(birthDate, now),
    ...(death === undefined ? {} : { death }),
    sex: gender,
    identifiers: identifiersOf(identifier, now).slice(0, identifiersMax),
  }
}

/** Those in use come first: by a number that was given up nobody is found any more, and somebody else may have it by now. */
function identifiersOf(identifiers: readonly Identifier[], now: Date): ShownPatient['identifiers'] {
  const isOld = (one: Identifier) => isOldNumber(one, now)
  return [...identifiers.filter((one) => !isOld(one)), ...identifiers.filter(isOld)].flatMap((one) => {
    const { type, system, value } = one
    const label = labelOf(type, system)
    return value === undefined ? [] : [{ label: isOld(one) ? `${label} (old)` : label, value }]
  })
}

function labelOf(type: CodeableConcept | undefined, system: string | undefined): string {
  const coding = type?.coding?.[0]
  const word = identifierWords.get(coding?.code ?? '') ?? coding?.display
  return type?.text ?? word ?? system?.split(/[/:]/).at(-1) ?? 'Identifier'
}

/** What people call the codes of HL7 table 0203 that patients have. */
const identifierWords: ReadonlyMap<string, string> = new Map([
  ['MR', 'Record no.'],
  ['PI', 'Patient no.'],
  ['PT', 'Patient no.'],
  ['NI', 'National id'],
  ['NIIP', 'National id'],
  ['NNxxx', 'National id'],
  ['SS', 'Social security no.'],
  ['PPN', 'Passport no.'],
  ['DL', 'Driving licence'],
  ['BCT', 'Birth certificate'],
  ['HC', 'Health card'],
  ['AN', 'Account no.'],
  ['TAX', 'Tax no.'],
])
