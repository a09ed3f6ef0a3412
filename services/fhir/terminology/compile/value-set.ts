import type { ValueSet, ValueSetComposeInclude } from '../../../../packages/fhir/r4.ts'
import type { Inclusion, ShippedConcept, ShippedValueSet } from '../content.ts'

/** None where a part cannot be answered from what is shipped: half a value set would refuse good codes. */
export function compileValueSet(valueSet: ValueSet, systems: ReadonlySet<string>): ShippedValueSet[] {
  const { url, name, title, version, compose } = valueSet
  const include = (compose?.include ?? []).map((part) => inclusion(part, systems))
  const exclude = (compose?.exclude ?? []).map((part) => inclusion(part, systems))
  if (url === undefined || include.length === 0) return []
  if ([...include, ...exclude].includes(undefined)) return []
  return [
    {
      url,
      name: name ?? url,
      ...(title === undefined || title === name ? {} : { title }),
      ...(version === undefined ? {} : { version }),
      include: include.filter((part) => part !== undefined),
      ...(exclude.length === 0 ? {} : { exclude: exclude.filter((part) => part !== undefined) }),
    },
  ]
}

function inclusion(part: ValueSetComposeInclude, systems: ReadonlySet<string>): Inclusion | undefined {
  const { system, concept, filter = [], valueSet } = part
  const isShipped = system === undefined || systems.has(system)
  const isOpen = concept === undefined && !isShipped
  const below = filter.map(({ op, value }) => ({ code: value, isSelfIn: op === 'is-a' }))
  const isStrange = filter.some(
    ({ property, op }) => property !== 'concept' || (op !== 'is-a' && op !== 'descendent-of'),
  )
  // Codes that are named need no code system behind them, but those of systems with a licence of their own stay out.
  if (isOpen || isStrange || (system !== undefined && licensed.test(system))) return undefined
  return {
    ...(system === undefined ? {} : { system }),
    ...(concept === undefined ? {} : { codes: concept.map(({ code, display }) => row(code, display)) }),
    ...(below.length === 0 ? {} : { below }),
    ...(valueSet === undefined ? {} : { valueSets: valueSet.map((url) => url.split('|')[0] ?? url) }),
  }
}

const licensed = /snomed\.info|loinc\.org|icd|cpt|ama-assn|nucc|radlex|dicom|unitsofmeasure|iso:std|urn:oid/i

const row = (code: string, display: string | undefined): ShippedConcept =>
  display === undefined ? [code] : [code, display]
