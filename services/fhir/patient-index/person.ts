import { fold } from '../../../packages/fhir/fold.ts'
import type { ContactPoint, HumanName, Identifier, Patient } from '../../../packages/fhir/r4.ts'
import { isUnknownName } from './unknown-name.ts'

/** What of a Patient says who it is, folded so that values can be compared as they are. */
export interface Person {
  readonly names: readonly PersonName[]
  /** A name that means "unknown" was given: it says nothing, and such a record is never linked by itself. */
  readonly isUnnamed: boolean
  /** `2001`, `2001-03` or `2001-03-04`. */
  readonly birthDate: string | undefined
  readonly sex: 'male' | 'female' | undefined
  /** `system|value` of numbers that a country gives a person once. */
  readonly nationalIds: readonly string[]
  /** `system|value` of all other numbers: those of hospitals. */
  readonly recordIds: readonly string[]
  /** The last nine digits: country and trunk prefixes are written or left out as people like. */
  readonly phones: readonly string[]
  readonly postcodes: readonly string[]
}

/** Words without accents, hyphens and apostrophes, one space between them. */
export interface PersonName {
  readonly family: string
  readonly given: string
}

export function personOf(patient: Patient): Person {
  const names = distinctNames((patient.name ?? []).map(nameOf).filter(({ family, given }) => family + given !== ''))
  const known = names.filter(({ family, given }) => !isUnknownName(family, given))
  const identifiers = (patient.identifier ?? []).filter((identifier) => identifier.use !== 'old')
  const nationalIds = identifiers.filter(isNational).flatMap(identifierText)
  return {
    names: known,
    isUnnamed: known.length < names.length,
    birthDate: birthDateOf(patient.birthDate),
    sex: patient.gender === 'male' || patient.gender === 'female' ? patient.gender : undefined,
    nationalIds: distinct(nationalIds),
    recordIds: distinct(identifiers.flatMap(identifierText).filter((text) => !nationalIds.includes(text))),
    phones: distinct((patient.telecom ?? []).flatMap(phoneOf)),
    postcodes: distinct((patient.address ?? []).flatMap(({ postalCode = '' }) => letters(postalCode) || [])),
  }
}

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
  fold(text.replace(/['’`ʼ]/g, ''))
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const letters = (text: string) => fold(text).replace(/[^\p{L}\p{N}]+/gu, '')

/** HL7 table 0203: national person numbers (NNxxx with the country), social security, health card, jurisdiction. */
const nationalTypes = /^(?:NI|NN[A-Z]{0,3}|SS|HC|JHN|NIIP)$/

const isNational = (identifier: Identifier) =>
  identifier.type?.coding?.some(({ code }) => code !== undefined && nationalTypes.test(code)) === true

function identifierText({ system, value }: Identifier): string[] {
  const digits = value === undefined ? '' : letters(value)
  // Without its system a number says nothing, and a row of zeros stands for "none".
  return system === undefined || /^0*$/.test(digits) ? [] : [`${system}|${digits}`]
}

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

const distinctNames = (names: readonly PersonName[]) => [
  ...new Map(names.map((name) => [`${name.family}|${name.given}`, name])).values(),
]
