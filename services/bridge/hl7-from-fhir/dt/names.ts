import type { Address, ContactPoint, HumanName } from '../../../../packages/fhir/r4.ts'
import { repeated, type ComponentValue, type FieldValue } from '../../../../packages/hl7/index.ts'
import { telecommunicationUse } from '../../mapping/v/0201-telecommunication-use.ts'
import { backwards } from './coded.ts'

/** XPN: family, given, further given names, suffix, prefix, degree, type. */
export function xpn(name: HumanName): FieldValue {
  return [...nameParts(name), undefined, name.use === undefined ? undefined : nameTypes[name.use]]
}

/** The five components that XPN and XCN share. A name that is only a text is taken as the family name. */
export function nameParts({ family, given = [], suffix, prefix, text }: HumanName): readonly ComponentValue[] {
  const [first, ...further] = given
  const hasParts = family !== undefined || first !== undefined
  return [hasParts ? family : text, first, further.join(' '), suffix?.join(' '), prefix?.join(' ')]
}

/** XPN, every name of a list. The first is the one that receivers show: what somebody was once called comes last. */
export function xpnList(names: readonly HumanName[] | undefined): FieldValue {
  if (names === undefined || names.length === 0) return undefined
  const ordered = names.toSorted((one, other) => rankOf(one) - rankOf(other))
  return repeated(ordered.map(xpn))
}

const rankOf = ({ use }: HumanName): number => (use === undefined ? rankOfOthers : (nameRanks[use] ?? rankOfOthers))
const rankOfOthers = 3
const nameRanks: Partial<Record<NonNullable<HumanName['use']>, number>> = { official: 1, usual: 2, maiden: 4, old: 5 }

/** XAD: two lines, city, state, postal code, country, type, and the district in its own place. */
export function xad({ line = [], city, state, postalCode, country, use, type, district }: Address): FieldValue {
  const [first, ...others] = line
  const kind = type === 'postal' && use === undefined ? 'M' : use === undefined ? undefined : addressTypes[use]
  return [first, others.join(', '), city, state, postalCode, country, kind, undefined, district]
}

export const xadList = (addresses: readonly Address[] | undefined): FieldValue =>
  addresses === undefined || addresses.length === 0 ? undefined : repeated(addresses.map(xad))

/** XTN: the number in its first and twelfth component (old and new receivers), an e-mail address in the fourth. */
export function xtn({ system, value, use }: ContactPoint): FieldValue {
  if (system === 'email') return [undefined, 'NET', 'Internet', value]
  const isMobile = use === 'mobile'
  const kind = isMobile ? 'PRS' : (backwards(telecommunicationUse, use) ?? 'PRN')
  const equipment = isMobile ? 'CP' : system === 'fax' ? 'FX' : system === 'pager' ? 'BP' : 'PH'
  return [value, kind, equipment, ...empty(8), value]
}

export function xtnList(telecoms: readonly ContactPoint[]): FieldValue {
  const list = telecoms.filter(({ value }) => value !== undefined)
  return list.length === 0 ? undefined : repeated(list.map(xtn))
}

/** So many components that say nothing. */
export const empty = (count: number): undefined[] => Array.from({ length: count }, () => undefined)

/** Table 0200 from name-use. */
const nameTypes: Readonly<Record<NonNullable<HumanName['use']>, string>> = {
  official: 'L',
  usual: 'D',
  maiden: 'M',
  nickname: 'N',
  anonymous: 'S',
  temp: 'TEMP',
  old: 'BAD',
}

/** Table 0190 from address-use. */
const addressTypes: Readonly<Record<NonNullable<Address['use']>, string>> = {
  home: 'H',
  work: 'B',
  temp: 'C',
  old: 'BA',
  billing: 'BI',
}
