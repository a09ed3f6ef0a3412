import type { Random } from '../../../../packages/clock/ids.ts'
import type { HumanName, Patient } from '../../../../packages/fhir/r4.ts'
import { families } from './names.ts'
import { digits, nameFrom, phone, pick } from './population.ts'

type Corruption = (patient: Patient, random: Random) => Patient

/** The same person as another facility would write them: another record number, and one to three things different. */
export function corrupted(patient: Patient, id: string, random: Random): Patient {
  const identifier = (patient.identifier ?? []).slice(1)
  let copy: Patient = {
    ...patient,
    id,
    identifier: [{ system: 'urn:example:elsewhere', value: `MR${id}` }, ...identifier],
  }
  for (let count = 1 + random.below(3); count > 0; count--) copy = pick(corruptions, random)(copy, random)
  return copy
}

const corruptions: readonly Corruption[] = [
  (patient, random) => renamed(patient, ({ family, ...rest }) => ({ ...rest, family: misspelt(family ?? '', random) })),
  (patient, random) =>
    renamed(patient, ({ given = [], ...rest }) => ({
      ...rest,
      given: [misspelt(given[0] ?? '', random), ...given.slice(1)],
    })),
  (patient) => renamed(patient, ({ family, given = [] }) => ({ family: given[0] ?? '', given: [family ?? ''] })),
  (patient) => renamed(patient, ({ given = [], ...rest }) => ({ ...rest, given: given.slice(0, 1) })),
  (patient) => renamed(patient, ({ given = [], ...rest }) => ({ ...rest, given: [(given[0] ?? '').slice(0, 1)] })),
  (patient) => renamed(patient, ({ family = '', ...rest }) => ({ ...rest, family: family.toUpperCase() })),
  (patient) => renamed(patient, ({ family = '', ...rest }) => ({ ...rest, family: withoutAccents(family) })),
  (patient, random) => renamed(patient, (name) => ({ ...name, family: nameFrom(families, random) })),
  (patient) => redated(patient, (year, month, day) => (Number(day) <= 12 ? [year, day, month] : [year, month, day])),
  (patient, random) => redated(patient, (year, month) => [year, month, String(1 + random.below(28)).padStart(2, '0')]),
  (patient, random) =>
    redated(patient, (year, month, day) => [String(Number(year) + 1 - 2 * random.below(2)), month, day]),
  (patient) => ({ ...patient, birthDate: (patient.birthDate ?? '').slice(0, 4) }),
  withoutNationalId,
  withoutNationalId,
  (patient, random) => ({
    ...patient,
    identifier: (patient.identifier ?? []).map((identifier, index) =>
      index === 0 ? identifier : { ...identifier, value: misdialled(identifier.value ?? '', random) },
    ),
  }),
  (patient, random) => ({ ...patient, telecom: [phone(random)] }),
  (patient) => ({ ...patient, telecom: [] }),
  (patient, random) => ({ ...patient, address: [{ postalCode: String(10_000 + random.below(400)) }] }),
]

function withoutNationalId(patient: Patient): Patient {
  return { ...patient, identifier: (patient.identifier ?? []).slice(0, 1) }
}

const renamed = (patient: Patient, change: (name: HumanName) => HumanName): Patient => ({
  ...patient,
  name: (patient.name ?? []).map(change),
})

function redated(patient: Patient, change: (year: string, month: string, day: string) => string[]): Patient {
  const [year = '', month, day] = (patient.birthDate ?? '').split('-')
  return month === undefined || day === undefined
    ? patient
    : { ...patient, birthDate: change(year, month, day).join('-') }
}

const withoutAccents = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '')

/** One letter wrong, missing, twice, or two neighbours swapped. */
function misspelt(name: string, random: Random): string {
  const place = random.below(Math.max(1, name.length - 1))
  const [before, after] = [name.slice(0, place), name.slice(place + 1)]
  const letter = name.charAt(place)
  const forms = [
    before + pick(['a', 'e', 'i', 'o', 'n', 'r', 's'], random) + after,
    before + after,
    before + letter + letter + after,
    before + after.slice(0, 1) + letter + after.slice(1),
  ]
  return pick(forms, random)
}

function misdialled(number: string, random: Random): string {
  const place = random.below(number.length)
  return number.slice(0, place) + digits(1, random) + number.slice(place + 1)
}
