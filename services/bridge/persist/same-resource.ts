import { Decimal, decimalText } from '../../../packages/fhir/parse-json.ts'
import type { FhirResource } from '../../../packages/fhir/r4.ts'

/** Whether storing the one over the other would change nothing but its version. */
export function isSameResource(one: FhirResource, other: FhirResource): boolean {
  return isSame(unversioned(one), unversioned(other))
}

function unversioned({ meta = {}, ...rest }: FhirResource): object {
  const { versionId: _version, lastUpdated: _time, ...said } = meta
  return { ...rest, ...(Object.keys(said).length === 0 ? {} : { meta: said }) }
}

/** JSON, in whatever order its members stand. A decimal is the same when it was written the same. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (isDecimal(one) || isDecimal(other)) {
    return isDecimal(one) && isDecimal(other) && decimalText(one) === decimalText(other)
  }
  if (!isNode(one) || !isNode(other) || Array.isArray(one) !== Array.isArray(other)) return false
  const names = Object.keys(one)
  return names.length === Object.keys(other).length && names.every((name) => isSame(one[name], other[name]))
}

const isDecimal = (value: unknown): value is number | Decimal => typeof value === 'number' || value instanceof Decimal

/** An array is one too: its members are its items. */
const isNode = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
