import type { CodeableConcept, Encounter, HumanName, Patient } from '../../../ports/fhir-store/resources.ts'

/** A patient as the portal shows them. */
export interface PatientRow {
  readonly id: string
  readonly name: string
  readonly birthDate: string | undefined
  readonly age: string | undefined
  readonly sex: string | undefined
  readonly identifiers: readonly { readonly label: string; readonly value: string }[]
  readonly lastEncounter: EncounterRow | undefined
}

export interface EncounterRow {
  readonly id: string
  readonly what: string
  readonly status: string
  readonly start: string | undefined
}

export function patientRow(patient: Patient, encounters: readonly Encounter[], now: Date): PatientRow {
  const own = encounters.filter(({ subject }) => subject?.reference === `Patient/${patient.id ?? ''}`)
  const last = own.toSorted((a, b) => (b.period?.start ?? '').localeCompare(a.period?.start ?? ''))[0]
  return {
    id: patient.id ?? '',
    name: nameOf(patient.name),
    birthDate: patient.birthDate,
    age: patient.birthDate === undefined ? undefined : ageIn(patient.birthDate, now),
    sex: patient.gender,
    identifiers: (patient.identifier ?? [])
      .filter(({ value }) => value !== undefined)
      .slice(0, 3)
      .map(({ type, system, value }) => ({ label: labelOf(type, system), value: value ?? '' })),
    lastEncounter: last === undefined ? undefined : encounterRow(last),
  }
}

export function encounterRow(encounter: Encounter): EncounterRow {
  const { id = '', type, reasonCode, status, period, class: kind } = encounter
  const what =
    type?.[0]?.text ?? type?.[0]?.coding?.[0]?.display ?? reasonCode?.[0]?.text ?? kind?.display ?? 'Encounter'
  return { id, what, status, start: period?.start }
}

function nameOf(names: readonly HumanName[] = []): string {
  const name = names.find(({ use }) => use === 'official') ?? names[0]
  const parts = [...(name?.prefix ?? []), ...(name?.given ?? []), name?.family ?? ''].filter((part) => part !== '')
  return name?.text ?? (parts.length === 0 ? 'No name' : parts.join(' '))
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
  ['NNxxx', 'National id'],
  ['SS', 'Social security no.'],
  ['PPN', 'Passport no.'],
  ['DL', 'Driving licence'],
  ['BCT', 'Birth certificate'],
  ['HC', 'Health card'],
  ['AN', 'Account no.'],
  ['TAX', 'Tax no.'],
])

/** As clinicians say it: days and weeks for the newborn, months below two years, then years. */
export function ageIn(birthDate: string, now: Date): string | undefined {
  const born = new Date(birthDate)
  const days = Math.floor((now.getTime() - born.getTime()) / 86_400_000)
  if (Number.isNaN(days) || days < 0) return undefined
  const months =
    (now.getUTCFullYear() - born.getUTCFullYear()) * 12 +
    (now.getUTCMonth() - born.getUTCMonth()) -
    (now.getUTCDate() < born.getUTCDate() ? 1 : 0)
  if (months >= 24) return counted(Math.floor(months / 12), 'year')
  if (months >= 3) return counted(months, 'month')
  return days >= 14 ? counted(Math.floor(days / 7), 'week') : counted(days, 'day')
}

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`
