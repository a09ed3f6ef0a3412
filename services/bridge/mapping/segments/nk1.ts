import type {
  CodeableConcept,
  ContactPoint,
  HumanName,
  Identifier,
  PatientContact,
  Period,
  Reference,
  RelatedPerson,
} from '../../../../packages/fhir/r4.ts'
import { readXpn, type Part, type Segment } from '../../../../packages/hl7/index.ts'
import { type At, at } from '../at.ts'
import { by, rowOf } from '../code-map.ts'
import { compact } from '../compact.ts'
import type { Draft } from '../draft.ts'
import { cx } from '../dt/cx.ts'
import { cweOf } from '../dt/cwe.ts'
import { language } from '../dt/language.ts'
import { date, isOrdered } from '../dt/ts.ts'
import { xad } from '../dt/xad.ts'
import { xon } from '../dt/xon.ts'
import { humanName } from '../dt/xpn.ts'
import { xtn, xtnAs } from '../dt/xtn.ts'
import { calledOf } from '../another-person.ts'
import { derivedKey, numberedKey, ownKey } from '../drafted-keys.ts'
import { keyIdentifier, keyText } from '../keys.ts'
import type { Key } from '../mapped.ts'
import { administrativeSex } from '../v/0001-administrative-sex.ts'
import { relationship } from '../v/0063-relationship.ts'
import { socialSecurityNumber } from './pid-rules.ts'

/** What Patient.contact and RelatedPerson both want of an NK1, read once. */
export interface NextOfKin {
  readonly nk1: Segment
  readonly name: HumanName | undefined
  readonly telecom: ContactPoint[]
  readonly relationship: CodeableConcept | undefined
  readonly gender: 'male' | 'female' | 'other' | 'unknown' | undefined
  readonly period: Period | undefined
}

export interface WithinPatient {
  readonly patientKey: Key
  readonly namesakes: ReadonlySet<string>
}

export function readNextOfKin(nk1: Segment, draft: Draft): NextOfKin {
  return {
    nk1,
    name: humanName(readXpn(nk1.part(2)) ?? {}, at(draft, nk1, 2)),
    telecom: telecoms(nk1, draft),
    relationship: relationshipOf(nk1, draft),
    gender: by(administrativeSex)(nk1.part(15), at(draft, nk1, 15)),
    period: periodOf(nk1, draft),
  }
}

/** NK1 to Patient.contact. A contact needs a name, a number, an address or an organisation. */
export function contact(
  { nk1, name, telecom, relationship: related, gender, period }: NextOfKin,
  draft: Draft,
): PatientContact | undefined {
  const place = (field: number): At => at(draft, nk1, field)
  const said = compact<PatientContact>({
    name: name ?? humanName(readXpn(nk1.part(30)) ?? {}, place(2)),
    telecom,
    address: xad(nk1.part(4), place(4)) ?? xad(nk1.part(32), place(32)),
    organization: xon(nk1.part(13), place(13)),
  })
  if (said === undefined) return undefined
  return compact<PatientContact>({
    relationship: [related, cweOf('0131')(nk1.part(7), place(7))].filter((one) => one !== undefined),
    ...said,
    gender,
    period,
  })
}

/**
 * NK1 to RelatedPerson, for people; an employer, agency or mere emergency contact is a contact only. Who is related
 * (NK1-3) stays so when called first (NK1-7); that counts only where nothing else is said.
 */
export function relatedPerson(kin: NextOfKin, patient: Reference, within: WithinPatient, draft: Draft): void {
  const { nk1, name, relationship: related } = kin
  const role = nk1.text(3) ?? nk1.text(7) ?? ''
  if (contactOnly.has(role.trim().toUpperCase())) return
  const numbers = [...listOf(nk1, 33, cx, draft), ...listOf(nk1, 12, cx, draft)]
  const identifiers = [...numbers, ...listOf(nk1, 37, socialSecurityNumber, draft)]
  if (name === undefined && identifiers.length === 0) return
  const [first] = numbers
  const { key, otherKeys } = keysOfKin(kin, first, within, draft)
  const spoken = language(nk1.part(20), at(draft, nk1, 20))
  const resource = compact<RelatedPerson>({
    resourceType: 'RelatedPerson',
    identifier: [...identifiers, keyIdentifier(key)],
    patient,
    relationship: related === undefined ? undefined : [related],
    name: name === undefined ? undefined : [name],
    telecom: kin.telecom,
    address: listOf(nk1, 4, xad, draft),
    gender: kin.gender,
    birthDate: date(nk1.part(16), at(draft, nk1, 16)),
    period: kin.period,
    communication: spoken === undefined ? undefined : [{ language: spoken, preferred: true }],
  })
  if (resource !== undefined) draft.put(resource, { key, otherKeys })
}

/**
 * A father of two has a RelatedPerson with each. Who has no number is found by name, and where two are called alike by relationship,
 * too: NK1-1 only counts those of one message, and whoever was counted so before may have an account of the portal. Who was stored by
 * NK1-1 is found by it.
 */
function keysOfKin(
  { nk1, name }: NextOfKin,
  number: Identifier | undefined,
  { patientKey, namesakes }: WithinPatient,
  draft: Draft,
): { readonly key: Key; readonly otherKeys?: readonly Key[] } {
  if (number !== undefined) return { key: numberedKey(draft, nextOfKin, patientKey, number) }
  const owner = keyText(patientKey)
  const counted = derivedKey(draft, nextOfKin, owner, nk1.text(1) ?? draft.pathOf(nk1))
  const called = name === undefined ? '' : calledOf(name)
  if (called === '') return { key: counted }
  const role = namesakes.has(called) ? [(nk1.text(3) ?? '').trim().toUpperCase()] : []
  const named = derivedKey(draft, nextOfKin, owner, 'name', called, ...role)
  return { key: ownKey(draft, { type: 'RelatedPerson', kind: nextOfKin, key: named }), otherKeys: [counted] }
}

/** Who is called like another of the same message: a father and his son. */
export function namesakesAmong(kin: readonly NextOfKin[]): ReadonlySet<string> {
  const seen = new Set<string>()
  const again = new Set<string>()
  for (const { name } of kin) {
    const called = name === undefined ? '' : calledOf(name)
    if (seen.has(called)) again.add(called)
    seen.add(called)
  }
  return again
}

/** Of their keys, the kind. */
export const nextOfKin = 'next-of-kin'

const contactOnly = new Set(['EMR', 'E', 'F', 'I', 'S', 'EMC', 'C'])

/** NK1-3 with its role in v3-RoleCode in front, where that has one. */
function relationshipOf(nk1: Segment, draft: Draft): CodeableConcept | undefined {
  const original = cweOf('0063')(nk1.part(3), at(draft, nk1, 3))
  const code = rowOf(relationship, nk1.text(3) ?? '')
  if (original === undefined || code === undefined) return original
  const standard = { system: 'http://terminology.hl7.org/CodeSystem/v3-RoleCode', code }
  return { ...original, coding: [standard, ...(original.coding ?? [])] }
}

const telecomFields = [
  { field: 5, rule: xtn },
  { field: 6, rule: xtnAs('work') },
  { field: 40, rule: xtn },
  { field: 41, rule: xtn },
  { field: 31, rule: xtn },
]

const telecoms = (nk1: Segment, draft: Draft): ContactPoint[] =>
  telecomFields.flatMap(({ field, rule }) => listOf(nk1, field, rule, draft))

/** What a rule makes of the repetitions of a field. */
function listOf<Value>(
  nk1: Segment,
  field: number,
  rule: (part: Part, place: At) => Value | undefined,
  draft: Draft,
): Value[] {
  const found: Value[] = []
  for (const [repetition, part] of nk1.repetitions(field).entries()) {
    const value = rule(part, at(draft, nk1, field, repetition))
    if (value !== undefined) found.push(value)
  }
  return found
}

function periodOf(nk1: Segment, draft: Draft) {
  const start = date(nk1.part(8), at(draft, nk1, 8))
  const end = date(nk1.part(9), at(draft, nk1, 9))
  const period = compact<{ start?: string; end?: string }>({ start, end })
  return period !== undefined && isOrdered(period) ? period : undefined
}
