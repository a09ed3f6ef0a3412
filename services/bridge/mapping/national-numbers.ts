import type { FhirResource, Identifier } from '../../../packages/fhir/r4.ts'
import { isNumberOfNobody, numberKind, signsOf } from '../../../ports/patient-index/number-kinds.ts'
import { isAmong } from './distinct-identifiers.ts'
import type { Write } from './mapped.ts'

/**
 * Of the national numbers that are stored of a patient, those in whose place a message names another: a person has one of a
 * kind, so the former was mistyped or is somebody else's, and whoever has it must not be found by it here. One that is written
 * otherwise is the same; who names just one that is out of use (A47) has not heard of the other, and who writes 999-99-9999 names none.
 */
export function formerNationalNumbers(write: Write, stored: FhirResource): readonly Identifier[] {
  const { resource, mode, isMention } = write
  if (resource.resourceType !== 'Patient' || stored.resourceType !== 'Patient') return []
  if (mode !== 'upsert' || isMention === true) return []
  const [said, there] = [resource.identifier ?? [], stored.identifier ?? []]
  const isOutOfUse = isAmong(there.filter(({ use }) => use === 'old'))
  const named = said.filter((one) => !isNumberOfNobody(one) && !isOutOfUse(one))
  return others(there, named, said)
}

/** Of these numbers, the national ones of which others of their kind are in use. */
export const othersThan = (inUse: readonly Identifier[], among: readonly Identifier[]): readonly Identifier[] =>
  others(
    among,
    inUse.filter((one) => !isNumberOfNobody(one)),
    inUse,
  )

/** @param same those that are written otherwise at most, and of any kind */
function others(
  among: readonly Identifier[],
  named: readonly Identifier[],
  same: readonly Identifier[],
): readonly Identifier[] {
  const kinds = new Set(named.filter(isNational).map(kindOf))
  const numbers = new Set(same.map(numberOf))
  return among.filter((one) => isNational(one) && kinds.has(kindOf(one)) && !numbers.has(numberOf(one)))
}

const isNational = (one: Identifier): boolean =>
  one.use !== 'old' && one.value !== undefined && numberKind(one) === 'national'

/** Of one authority there may be a health card beside the social security number. */
const kindOf = ({ system, type }: Identifier): string => JSON.stringify([system, type?.coding?.[0]?.code])

/** People write them with spaces and hyphens or without. */
const numberOf = ({ system, value = '' }: Identifier): string => JSON.stringify([system, signsOf(value)])
