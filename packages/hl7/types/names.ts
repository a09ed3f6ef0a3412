import type { Part } from '../part.ts'
import { readHd, type Authority } from './identifiers.ts'
import { present } from './present.ts'
import { readRange, readTimestamp, type Timestamp } from './time.ts'

/** XPN: a person's name. */
export interface PersonName {
  readonly family?: string | undefined
  readonly ownPrefix?: string | undefined
  readonly ownName?: string | undefined
  readonly partnerPrefix?: string | undefined
  readonly partnerName?: string | undefined
  /** The first given name and then each further one. */
  readonly given?: readonly string[] | undefined
  readonly suffix?: string | undefined
  readonly prefix?: string | undefined
  readonly degree?: string | undefined
  /** HL7 table 0200: L legal, M maiden, N nickname … */
  readonly type?: string | undefined
  /** HL7 table 0465: A letters, I ideograms, P as it sounds. */
  readonly representation?: string | undefined
  /** HL7 table 0444: F family first, G given first. */
  readonly assemblyOrder?: string | undefined
  readonly professionalSuffix?: string | undefined
  readonly calledBy?: string | undefined
  readonly start?: Timestamp | undefined
  readonly end?: Timestamp | undefined
}

/** XCN and CNN: a person with an identifier. */
export interface PersonReference {
  readonly id?: string | undefined
  readonly authority?: Authority | undefined
  readonly idType?: string | undefined
  readonly name?: PersonName | undefined
  readonly facility?: Authority | undefined
}

/** XON: an organisation. */
export interface OrganisationName {
  readonly name?: string | undefined
  readonly nameType?: string | undefined
  readonly id?: string | undefined
  readonly authority?: Authority | undefined
  readonly idType?: string | undefined
  readonly facility?: Authority | undefined
}

export function readXpn(part: Part | undefined): PersonName | undefined {
  return part === undefined || part.isEmpty ? undefined : readName(part, inXpn)
}

export function readXcn(part: Part | undefined): PersonReference | undefined {
  if (part === undefined || part.isEmpty) return undefined
  return present<PersonReference>({
    id: part.text(1),
    authority: readHd(part.part(9)),
    idType: part.text(13),
    name: readName(part, inXcn),
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
    name: readName(part, inCnn),
    facility: undefined,
  })
}

export function readXon(part: Part | undefined): OrganisationName | undefined {
  if (part === undefined || part.isEmpty) return undefined
  return present<OrganisationName>({
    name: part.componentText(1),
    nameType: part.text(2),
    id: part.text(10) ?? part.text(3),
    authority: readHd(part.part(6)),
    idType: part.text(7),
    facility: readHd(part.part(8)),
  })
}

/**
 * Where the parts of a name stand. From `first` on six neighbours: family, given, further given, suffix, prefix, degree.
 * What a type does not have stands at 0.
 */
type NamePlaces = Readonly<
  Record<
    | 'first'
    | 'type'
    | 'representation'
    | 'validity'
    | 'assemblyOrder'
    | 'start'
    | 'end'
    | 'professionalSuffix'
    | 'calledBy',
    number
  >
>

const inXpn: NamePlaces = {
  first: 1,
  type: 7,
  representation: 8,
  validity: 10,
  assemblyOrder: 11,
  start: 12,
  end: 13,
  professionalSuffix: 14,
  calledBy: 15,
}

const inXcn: NamePlaces = {
  first: 2,
  type: 10,
  representation: 0,
  validity: 17,
  assemblyOrder: 18,
  start: 19,
  end: 20,
  professionalSuffix: 21,
  calledBy: 0,
}

const inCnn: NamePlaces = {
  first: 2,
  type: 0,
  representation: 0,
  validity: 0,
  assemblyOrder: 0,
  start: 0,
  end: 0,
  professionalSuffix: 0,
  calledBy: 0,
}

/** A kind of name without a name is no name. */
function readName(part: Part, places: NamePlaces): PersonName | undefined {
  const { first } = places
  const family = part.part(first)
  const validity = readRange(part.part(places.validity))
  const name = {
    family: family?.text(1),
    ownPrefix: family?.text(2),
    ownName: family?.text(3),
    partnerPrefix: family?.text(4),
    partnerName: family?.text(5),
    given: givenNames(part.text(first + 1), part.text(first + 2)),
    suffix: part.text(first + 3),
    prefix: part.text(first + 4),
    degree: part.text(first + 5),
    type: part.text(places.type),
    representation: part.text(places.representation),
    assemblyOrder: part.text(places.assemblyOrder),
    professionalSuffix: part.text(places.professionalSuffix),
    calledBy: part.text(places.calledBy),
    start: readTimestamp(part.part(places.start)) ?? validity?.start,
    end: readTimestamp(part.part(places.end)) ?? validity?.end,
  }
  return present<PersonName>(name, 'type')
}

/** The further ones stand in one component, with spaces between. */
function givenNames(given: string | undefined, further: string | undefined): readonly string[] | undefined {
  if (further === undefined) return given === undefined ? undefined : [given]
  const others = further.split(/\s/).filter(Boolean)
  const names = given === undefined ? others : [given, ...others]
  return names.length === 0 ? undefined : names
}
