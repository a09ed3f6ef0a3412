import { fold } from '../../../packages/fhir/fold.ts'
import type { FhirResource, Identifier } from '../../../packages/fhir/r4.ts'
import { numberKind } from '../../../ports/patient-index/number-kinds.ts'
import { isAmong } from './distinct-identifiers.ts'
import type { Write } from './mapped.ts'

/**
 * Of the national numbers that are stored of a patient, those in whose place a message names another: a person has one of a
 * kind, so the former was mistyped or is somebody else's, and whoever has it must not be found by it here. One that is written
 * otherwise is the same; who names just one that is out of use (A47) has not heard of the other.
 */
export function formerNationalNumbers(write: Write, stored: FhirResource): readonly Identifier[] {
  const { resource, mode, isMention } = write
  if (resource.resourceType !== 'Patient' || stored.resourceType !== 'Patient') return []
  if (mode !== 'upsert' || isMention === true) return []
  const [said, there] = [resource.identifier ?? [], stored.identifier ?? []]
  const isOutOfUse = isAmong(there.filter(({ use }) => use === 'old'))
  const named = said.filter((one) => isNational(one) && !isOutOfUse(one))
  if (named.length === 0) return []
  const kinds = new Set(named.map(kindOf))
  const numbers = new Set(said.map(numberOf))
  return there.filter((one) => isNational(one) && kinds.has(kindOf(one)) && !numbers.has(numberOf(one)))
}

const isNational = (one: Identifier): boolean =>
  one.use !== 'old' && one.value !== undefined && numberKind(one) === 'national'

/** Of one authority there may be a health card beside the social security number. */
const kindOf = ({ system, type }: Identifier): string => JSON.stringify([system, type?.coding?.[0]?.code])

/** People write them with spaces and hyphens or without. */
const numberOf = ({ system, value = '' }: Identifier): string =>
  JSON.stringify([system, fold(value).replaceAll(/[^\p{L}\p{N}]+/gu, '')])
