import type { HumanName, Identifier, Location, Practitioner, Reference } from '../../../../packages/fhir/r4.ts'
import type { ComponentValue, FieldValue } from '../../../../packages/hl7/index.ts'
import type { WriterDeps } from '../written-segment.ts'
import { hd, typeCode } from './identifiers.ts'
import { empty, nameParts } from './names.ts'

/** XCN: the practitioner that a reference means; at least the name that it shows. */
export function xcn(reference: Reference | undefined, deps: WriterDeps): readonly ComponentValue[] | undefined {
  if (reference === undefined) return undefined
  const found = practitionerOf(reference, deps)
  const identifier: Identifier = found?.identifier?.[0] ?? reference.identifier ?? {}
  const { value, type } = identifier
  const name = found?.name?.[0]
  const shown = name ?? (reference.display === undefined ? undefined : nameOfDisplay(reference.display))
  if (value === undefined && shown === undefined) return undefined
  const parts = shown === undefined ? empty(5) : nameParts(shown)
  return [
    value,
    ...parts,
    degreeOf(found),
    undefined,
    hd(identifier, deps.authorities),
    undefined,
    undefined,
    undefined,
    typeCode(type),
  ]
}

const degreeOf = (person: Practitioner | undefined): string | undefined => {
  const { coding, text } = person?.qualification?.[0]?.code ?? {}
  return coding?.find(({ system }) => system?.endsWith('/v2-0360') === true)?.code ?? text
}

/** PL: from the place that a reference means up to its site, each at its own level. */
export function pl(reference: Reference | undefined, deps: WriterDeps): FieldValue {
  if (reference === undefined) return undefined
  const levels = new Map<string, string>()
  let place: Location | undefined = locationOf(reference, deps)
  // PL.1 is an id by which receivers look for a ward: what is written for people goes to the description.
  if (place === undefined) return reference.display === undefined ? undefined : [...empty(8), reference.display]
  for (let outer = 0; place !== undefined && outer < levelsMax; outer++) {
    const kind = place.physicalType?.coding?.[0]?.code ?? 'wa'
    if (place.name !== undefined && !levels.has(kind)) levels.set(kind, place.name)
    place = place.partOf === undefined ? undefined : locationOf(place.partOf, deps)
  }
  const [ward, room, bed, site, building, floor] = ['wa', 'ro', 'bd', 'si', 'bu', 'lvl'].map((kind) => levels.get(kind))
  return [ward, room, bed, site, undefined, undefined, building, floor]
}

/** A place has at most this many levels around it: a circle in the store must end somewhere. */
const levelsMax = 10

/** The practitioner, also of a role. */
function practitionerOf(reference: Reference, { resolve }: WriterDeps): Practitioner | undefined {
  const found = resolve(reference)
  const inner = found?.resourceType === 'PractitionerRole' ? found.practitioner : undefined
  const person = inner === undefined ? found : resolve(inner)
  return person?.resourceType === 'Practitioner' ? person : undefined
}

function locationOf(reference: Reference, { resolve }: WriterDeps): Location | undefined {
  const found = resolve(reference)
  return found?.resourceType === 'Location' ? found : undefined
}

/** `Dr Chidi Okafor`: titles, given names, and the last word is the family name. */
function nameOfDisplay(display: string): HumanName {
  const words = display.trim().split(/\s+/)
  const family = words.pop() ?? ''
  const named = words.findIndex((word) => !isTitle.test(word))
  const prefix = named === -1 ? words : words.slice(0, named)
  const given = words.slice(prefix.length)
  return { family, ...(prefix.length === 0 ? {} : { prefix }), ...(given.length === 0 ? {} : { given }) }
}

const isTitle = /^(dr|prof|mr|mrs|ms|miss|mx|sr|sir|dame|rn)\.?$/i
