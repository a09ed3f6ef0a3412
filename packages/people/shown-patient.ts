import type { CodeableConcept, HumanName, Patient } from '../fhir/r4.ts'
import { ageIn } from './age.ts'

/** A patient as a page shows them. */
export interface ShownPatient {
  readonly id: string
  readonly name: string
  readonly birthDate: string | undefined
  /** In words, as clinicians say it: `34 years`, `5 weeks`. */
  readonly age: string | undefined
  readonly sex: string | undefined
  readonly identifiers: readonly { readonly label: string; readonly value: string }[]
}

const identifiersMax = 3

export function shownPatient(patient: Patient, now: Date): ShownPatient {
  const { id = '', name, birthDate, gender, identifier = [] } = patient
  return {
    id,
    name: nameOf(name) ?? 'No name',
    birthDate,
    age: birthDate === undefined ? undefined : ageIn(birthDate, now),
    sex: gender,
    identifiers: identifier
      .slice(0, identifiersMax)
      .flatMap(({ type, system, value }) => (value === undefined ? [] : [{ label: labelOf(type, system), value }])),
  }
}

/** The official name, else the usual one, else the first: as written, or its parts. */
export function nameOf(names: readonly HumanName[] = []): string | undefined {
  const name = names.find(({ use }) => use === 'official') ?? names.find(({ use }) => use === 'usual') ?? names[0]
  const parts = [...(name?.prefix ?? []), ...(name?.given ?? []), name?.family ?? '']
  const text = (name?.text ?? parts.join(' ')).trim()
  return text === '' ? undefined : text
}

function labelOf(type: CodeableConcept | undefined, system: string | undefined): string {
  const code = type?.coding?.[0]?.code
  const word = code === undefined ? undefined : identifierWords[code]
  return word ?? type?.text ?? type?.coding?.[0]?.display ?? code ?? system?.split(/[/:]/).at(-1) ?? 'Identifier'
}

/** HL7 table 0203, for people. */
const identifierWords: Readonly<Record<string, string>> = {
  MR: 'Medical record',
  NI: 'National id',
  NIIP: 'National id',
  PI: 'Patient number',
  PPN: 'Passport',
  SS: 'Social security',
  DL: 'Driving licence',
  AN: 'Account',
}
