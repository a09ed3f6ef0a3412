import type { FhirResource, HumanName, RelatedPerson } from '../../../packages/fhir/r4.ts'

/**
 * Next of kin without a number are counted (NK1-1), and a number may stand for somebody else the next time. Then nothing
 * that is stored is theirs: the wife's telephone is not the daughter's.
 */
export function isAnotherPerson(said: FhirResource, stored: FhirResource): boolean {
  if (said.resourceType !== 'RelatedPerson' || stored.resourceType !== 'RelatedPerson') return false
  return isCounted(said) && (hasOtherName(said, stored) || hasOtherRole(said, stored))
}

/** Of somebody who has a number of their own, the derived one is not the only identifier. */
const isCounted = ({ identifier = [] }: RelatedPerson): boolean => identifier.length === 1

function hasOtherName({ name: said }: RelatedPerson, { name: stored }: RelatedPerson): boolean {
  const [one, other] = [said?.[0], stored?.[0]]
  return one !== undefined && other !== undefined && textOf(one) !== textOf(other)
}

/** A second name may be told or left out. */
const textOf = ({ family = '', given: [first = ''] = [] }: HumanName): string => `${family} ${first}`.toLowerCase()

function hasOtherRole({ relationship: said }: RelatedPerson, { relationship: stored }: RelatedPerson): boolean {
  const [one, other] = [said?.[0]?.coding?.[0]?.code, stored?.[0]?.coding?.[0]?.code]
  return one !== undefined && other !== undefined && one !== other
}
