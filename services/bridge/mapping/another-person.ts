import { fold } from '../../../packages/fhir/fold.ts'
import type { CodeableConcept, FhirResource, HumanName } from '../../../packages/fhir/r4.ts'

/**
 * Next of kin without a number were found by their place in the message (NK1-1), which may be another's the next time. Whoever was
 * stored so is meant where nothing speaks against it: another name, or another relationship.
 */
export function isAnotherPerson(said: FhirResource, stored: FhirResource): boolean {
  if (said.resourceType !== 'RelatedPerson' || stored.resourceType !== 'RelatedPerson') return false
  return !areOne({ name: said.name?.[0], relationship: said.relationship }, { ...stored, name: stored.name?.[0] })
}

/** As a contact of the patient, or as a person of their own. */
export interface Kin {
  readonly name?: HumanName | undefined
  readonly relationship?: readonly CodeableConcept[] | undefined
}

/** One name and one relationship, as far as both are told. */
const areOne = (one: Kin, other: Kin): boolean =>
  (one.name === undefined || other.name === undefined || calledOf(one.name) === calledOf(other.name)) &&
  (roleOf(one) === undefined || roleOf(other) === undefined || roleOf(one) === roleOf(other))

/** Whether somebody is among these, who are looked through once: a message may name thousands. Who has no name is nobody. */
export function isNamedAmong(all: readonly Kin[]): (one: Kin) => boolean {
  const named = all.filter(({ name }) => name !== undefined)
  const byName = Map.groupBy(named, ({ name }) => calledOf(name ?? {}))
  return (one) => one.name !== undefined && byName.get(calledOf(one.name))?.some((other) => areOne(one, other)) === true
}

/** A second name may be told or left out. */
export const calledOf = ({ family = '', given: [first = ''] = [] }: HumanName): string =>
  fold(`${family} ${first}`.trim())

const roleOf = ({ relationship }: Kin): string | undefined => relationship?.[0]?.coding?.[0]?.code
