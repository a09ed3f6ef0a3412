import { fold } from '../../../packages/fhir/fold.ts'
import type { ContactPoint, HumanName, Identifier, Patient } from '../../../packages/fhir/r4.ts'
import { isNumberOfNobody, numberKind, type NumberKind } from '../../../ports/patient-index/number-kinds.ts'
import { isUnknownName } from './unknown-name.ts'

/** What of a Patient says who it is, folded so that values can be compared as they are. */
export interface Person {
  readonly names: readonly PersonName[]
  /** No other name was given than one that means "unknown": it says nothing, and such a record is never linked by itself. */
  readonly isUnnamed: boolean
  /** `2001`, `2001-03` or `2001-03-04`. */
  readonly birthDate: string | undefined
  readonly sex: 'male' | 'female' | undefined
  /** `system|value` of numbers that a country gives a person once. */
  readonly nationalIds: readonly string[]
  /** The same of papers, benefits and what else is a person's or a relative's; one person may have several. */
  readonly personalIds: readonly string[]
  /** `system|value`, as it is written, of the numbers of hospitals: 12/3 and 1/23 are two. */
  readonly recordIds: readonly string[]
  /** The same of numbers that a family has in common, which say of nobody who they are. */
  readonly sharedIds: readonly string[]
  /** The last nine digits: country and trunk prefixes are written or left out as people like. */
  readonly phones: readonly string[]
  readonly postcodes: readonly string[]
}

/** Words without accents, hyphens and apostrophes, one space between them. */
export interface PersonName {
  readonly family: string
  readonly given: string
}

/** What comes after so many says no more of who somebody is, and comparing each with each takes its time. */
const valuesMax = 50
const nameLengthMax = 200

export function personOf(patient: Patient): Person {
  const named = (patient.name ?? []).slice(0, valuesMax).map(nameOf)
  const names = distinctNames(named.filter(({ family, given }) => family + given !== ''))
  const known = names.filter(({ family, given }) => !isUnknownName(family, given))
  const identifiers = (patient.identifier ?? []).filter((identifier) => identifier.use !== 'old')
  const ofKind = (kind: NumberKind) => identifiers.filter((identifier) => numberKind(identifier) === kind)
  const nationalIds = new Set(ofKind('national').flatMap(foldedNumber))
  const ofNobody = new Set(identifiers.filter(isNumberOfNobody).flatMap(foldedNumber))
  const personalIds = new Set(ofKind('personal').flatMap(foldedNumber))
  // The same number may be there once more without its type.
  const isOfPerson = (number: string) => nationalIds.has(number) || personalIds.has(number)
  return {
    names: known,
    isUnnamed: (known.length === 0 && names.length > 0) || isUnknownPerson(patient),
    birthDate: birthDateOf(patient.birthDate),
    sex: patient.gender === 'male' || patient.gender === 'female' ? patient.gender : undefined,
    nationalIds: few([...nationalIds].filter((number) => !ofNobody.has(number))),
    personalIds: few([...personalIds]),
    recordIds: distinct(
      ofKind('record').flatMap((one) => (foldedNumber(one).some(isOfPerson) ? [] : writtenNumber(one))),
    ),
    sharedIds: distinct(ofKind('shared').flatMap(writtenNumber)),
    phones: few((patient.telecom ?? []).flatMap(phoneOf)),
    postcodes: few((patient.address ?? []).flatMap(({ postalCode = '' }) => letters(postalCode) || [])),
  }
}

/** The sender says so (PID-31), or that the name is a cover (PID-5, type S). */
const isUnknownPerson = ({ extension = [], name = [] }: Patient): boolean =>
  name.some(({ use }) => use === 'anonymous') ||
  extension.some(({ url, valueBoolean }) => valueBoolean === true && url.endsWith('/identity-unknown'))

/** With its day; a shorter one says less. */
export const fullBirthDate = ({ birthDate }: Person): string | undefined =>
  birthDate?.length === 10 ? birthDate : undefined

function nameOf({ family, given, text }: HumanName): PersonName {
  if (family === undefined && given === undefined && text !== undefined) return nameOfText(text)
  return { family: words(family ?? ''), given: words((given ?? []).join(' ')) }
}

/** `Diallo, Amina` or `Amina Diallo`. */
function nameOfText(text: string): PersonName {
  const comma = text.indexOf(',')
  if (comma !== -1) return { family: words(text.slice(0, comma)), given: words(text.slice(comma + 1)) }
  const parts = words(text).split(' ')
  return { family: parts.at(-1) ?? '', given: parts.slice(0, -1).join(' ') }
}

const words = (text: string) =>
  fold(text.slice(0, nameLengthMax).replace(/['’`ʼ]/g, ''))
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const letters = (text: string) => fold(text).replace(/[^\p{L}\p{N}]+/gu, '')

/** People write national numbers with spaces and hyphens or without. */
function foldedNumber({ system, value = '' }: Identifier): string[] {
  const digits = letters(value)
  // Without its system a number says nothing, and a row of zeros stands for "none".
  return system === undefined || /^0*$/.test(digits) ? [] : [`${system}|${digits}`]
}

/** A hospital's number is what the hospital's system wrote; the store finds its record by that, too. */
const writtenNumber = (identifier: Identifier): string[] =>
  foldedNumber(identifier).length === 0 ? [] : [`${identifier.system}|${printed(identifier.value ?? '')}`]

/** A text of PostgreSQL has no zero bytes. */
const printed = (text: string) => text.replace(/\p{Cc}+/gu, ' ').trim()

function phoneOf({ system, value = '' }: ContactPoint): string[] {
  if (system !== 'phone' && system !== 'sms' && system !== 'fax') return []
  const digits = value.normalize('NFKC').replace(/\D/g, '')
  return digits.length < 7 || /^(.)\1*$/.test(digits) ? [] : [digits.slice(-9)]
}

/** The days that systems write when they must write one and know none. */
function birthDateOf(date: string | undefined): string | undefined {
  if (date === undefined || /^(?:1800|1900|9999)-01-01$|^1000|^0/.test(date)) return undefined
  // The first of January is written for people who know just their year, far more often than it is anyone's birthday.
  return date.endsWith('-01-01') ? date.slice(0, 4) : date
}

const distinct = (texts: readonly string[]) => [...new Set(texts)]

const few = (texts: readonly string[]) => distinct(texts).slice(0, valuesMax)

const distinctNames = (names: readonly PersonName[]) => [
  ...new Map(names.map((name) => [`${name.family}|${name.given}`, name])).values(),
]
