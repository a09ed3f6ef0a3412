import type { Extension, HumanName } from '../../../../packages/fhir/r4.ts'
import { readXpn, type Part, type PersonName } from '../../../../packages/hl7/index.ts'
import { type At, warnAt } from '../at.ts'
import { codeText, coding, mapCode, rowOf, v2System } from '../code-map.ts'
import { compact } from '../compact.ts'
import { extensionBase } from '../extension-base.ts'
import { nameType } from '../v/0200-name-type.ts'
import { nameRepresentation } from '../v/0465-name-representation.ts'
import { periodOf } from './ts.ts'

/** XPN: a person's name; a name to call the person by (XPN.15) is a second one. */
export function xpn(part: Part | undefined, place: At): HumanName[] | undefined {
  const read = readXpn(part)
  if (read === undefined) return undefined
  const name = humanName(read, place)
  const nickname: HumanName[] = read.calledBy === undefined ? [] : [{ use: 'nickname', given: [read.calledBy] }]
  const names = name === undefined ? nickname : [name, ...nickname]
  return names.length === 0 ? undefined : names
}

/** A name that was already read, as that of XCN. */
export function humanName(read: PersonName, place: At): HumanName | undefined {
  const { family, given, prefix, suffix, degree, professionalSuffix } = read
  const suffixes = [suffix, degree, professionalSuffix].filter((one) => one !== undefined)
  const isNamed = family !== undefined || given !== undefined || prefix !== undefined || suffixes.length > 0
  if (!isNamed) return undefined
  return compact<HumanName>({
    family,
    given: given === undefined ? undefined : [...given],
    prefix: prefix === undefined ? undefined : [prefix],
    suffix: suffixes,
    _family: family === undefined ? undefined : familyParts(read),
    extension: [...representation(read, place), ...assemblyOrder(read, place)],
    use: useOf(read.type, place),
    period: periodOf(read.start, read.end, place),
  })
}

/** `Dr Gregory House` */
export const shownName = ({ prefix = [], given = [], family }: HumanName): string =>
  [...prefix, ...given, family].filter(Boolean).join(' ')

function useOf(type: string | undefined, place: At): HumanName['use'] {
  if (type === undefined) return undefined
  const use = rowOf(nameType, type)
  // Table 0200 has many types of name for which FHIR has no use; only codes that it does not have are worth a word.
  if (use === undefined && !typesWithoutUse.has(type.trim().toUpperCase())) {
    warnAt(place, 'unknown-value', 'The value is not in table 0200 (Name Type).')
  }
  return use
}

const typesWithoutUse = new Set(['A', 'B', 'C', 'F', 'I', 'K', 'NB', 'NOUSE', 'P', 'REL', 'T', 'U', 'BIR'])

/** FN.2 to FN.5: the own and the partner's name, and their prefixes. */
function familyParts(read: PersonName): HumanName['_family'] {
  const extension: Extension[] = []
  for (const { part, url } of familyExtensions) {
    const valueString = read[part]
    if (valueString !== undefined) extension.push({ url, valueString })
  }
  return extension.length === 0 ? undefined : { extension }
}

const familyExtensions = [
  { part: 'ownPrefix', url: `${extensionBase}/humanname-own-prefix` },
  { part: 'ownName', url: `${extensionBase}/humanname-own-name` },
  { part: 'partnerPrefix', url: `${extensionBase}/humanname-partner-prefix` },
  { part: 'partnerName', url: `${extensionBase}/humanname-partner-name` },
] as const

/** XPN.8: the same name may be told in ideograms and as it sounds. */
function representation({ representation: code }: PersonName, place: At): Extension[] {
  const valueCode = mapCode(nameRepresentation, code, place)
  return valueCode === undefined ? [] : [{ url: `${extensionBase}/iso21090-EN-representation`, valueCode }]
}

/** XPN.11: family or given name first. HL7's own extension tells apart whose family name is used, and has no codes for this. */
function assemblyOrder({ assemblyOrder: order }: PersonName, { draft }: At): Extension[] {
  const code = codeText(order)
  if (code === undefined) return []
  return [{ url: draft.extensionUrl('name-assembly-order'), valueCoding: coding(v2System('0444'), code) }]
}
