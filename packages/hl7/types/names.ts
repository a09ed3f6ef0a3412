import type { Part } from '../part.ts'
import { readHd, type Authority } from './identifiers.ts'
import { present } from './present.ts'
import { readRange, readTimestamp, type Timestamp } from './time.ts'

/** XPN: a person's name. */
export interface PersonName {
  readonly family?: string
  readonly ownPrefix?: string
  readonly ownName?: string
  readonly partnerPrefix?: string
  readonly partnerName?: string
  /** The first given name and then each further one. */
  readonly given?: readonly string[]
  readonly suffix?: string
  readonly prefix?: string
  readonly degree?: string
  /** HL7 table 0200: L legal, M maiden, N nickname … */
  readonly type?: string
  /** HL7 table 0444: F family first, G given first. */
  readonly assemblyOrder?: string
  readonly professionalSuffix?: string
  readonly calledBy?: string
  readonly start?: Timestamp
  readonly end?: Timestamp
}

/** XCN and CNN: a person with an identifier. */
export interface PersonReference {
  readonly id?: string
  readonly authority?: Authority
  readonly idType?: string
  readonly name?: PersonName
  readonly facility?: Authority
}

/** XON: an organisation. */
export interface OrganisationName {
  readonly name?: string
  readonly nameType?: string
  readonly id?: string
  readonly authority?: Authority
  readonly idType?: string
  readonly facility?: Authority
}

export function readXpn(part: Part | undefined): PersonName | undefined {
  if (part === undefined || part.isEmpty) return undefined
  const validity = readRange(part.part(10))
  return present<PersonName>({
    ...nameParts(part, 1),
    type: part.text(7),
    assemblyOrder: part.text(11),
    professionalSuffix: part.text(14),
    calledBy: part.text(15),
    start: readTimestamp(part.part(12)) ?? validity?.start,
    end: readTimestamp(part.part(13)) ?? validity?.end,
  })
}

export function readXcn(part: Part | undefined): PersonReference | undefined {
  if (part === undefined || part.isEmpty) return undefined
  const validity = readRange(part.part(17))
  const name = present<PersonName>({
    ...nameParts(part, 2),
    type: part.text(10),
    assemblyOrder: part.text(18),
    professionalSuffix: part.text(21),
    calledBy: undefined,
    start: readTimestamp(part.part(19)) ?? validity?.start,
    end: readTimestamp(part.part(20)) ?? validity?.end,
  })
  const { type: _type, ...said } = name ?? {}
  return present<PersonReference>({
    id: part.text(1),
    authority: readHd(part.part(9)),
    idType: part.text(13),
    // A kind of name without a name is no name.
    name: Object.keys(said).length === 0 ? undefined : name,
    facility: readHd(part.part(14)),
  })
}

/** CNN keeps its parts in sub-components where it stands inside another type (NDL). */
export function readCnn(part: Part | undefined): PersonReference | undefined {
  if (part === undefined || part.isEmpty) return undefined
  return present<PersonReference>({
    id: part.text(1),
    authority: present<Authority>({
      namespace: part.text(9),
      universalId: part.text(10),
      universalIdType: part.text(11),
    }),
    idType: undefined,
    name: present<PersonName>({ ...nameParts(part, 2), ...noMore }),
    facility: undefined,
  })
}

export function readXon(part: Part | undefined): OrganisationName | undefined {
  if (part === undefined || part.isEmpty) return undefined
  return present<OrganisationName>({
    name: part.text(1),
    nameType: part.text(2),
    id: part.text(10) ?? part.text(3),
    authority: readHd(part.part(6)),
    idType: part.text(7),
    facility: readHd(part.part(8)),
  })
}

const noMore = {
  type: undefined,
  assemblyOrder: undefined,
  professionalSuffix: undefined,
  calledBy: undefined,
  start: undefined,
  end: undefined,
}

/** Six neighbouring components: family, given, further given, suffix, prefix, degree. */
function nameParts(part: Part, first: number) {
  const family = part.part(first)
  const further =
    part
      .text(first + 2)
      ?.split(/\s+/)
      .filter(Boolean) ?? []
  const given = [part.text(first + 1), ...further].filter((name) => name !== undefined)
  return {
    family: family?.text(1),
    ownPrefix: family?.text(2),
    ownName: family?.text(3),
    partnerPrefix: family?.text(4),
    partnerName: family?.text(5),
    given: given.length === 0 ? undefined : given,
    suffix: part.text(first + 3),
    prefix: part.text(first + 4),
    degree: part.text(first + 5),
  }
}
