import type { CodeableConcept, Identifier, Location, Reference } from '../../../../packages/fhir/r4.ts'
import { readPl, type Part, type PatientLocation } from '../../../../packages/hl7/index.ts'
import type { At } from '../at.ts'
import { concept } from '../code-map.ts'
import { readableKey, keyIdentifier } from '../keys.ts'
import { entityIdentifier } from './ei.ts'
import { systemOf } from './hd.ts'

/** PL: a reference to the innermost place it names. Each level is a Location that is part of the one above it. */
export function pl(part: Part | undefined, place: At): Reference | undefined {
  return location(readPl(part), place)
}

/** A place that was already read, as that of NDL. */
export function location(read: PatientLocation | undefined, place: At): Reference | undefined {
  return read === undefined ? undefined : locations(read, place).at(-1)?.reference
}

/** The levels that are named, from the site down to the bed, each put as a Location. */
export function locations(read: PatientLocation, place: At): readonly PlacedLocation[] {
  const { draft } = place
  const placed: PlacedLocation[] = []
  const path: string[] = []
  for (const { level, code, display: shown } of levels) {
    const value = level === 'facility' ? facilityName(read, place) : read[level]?.trim()
    // Without a site the path begins at the sending facility, so that two hospitals' ward 1 are two wards.
    if (level === 'facility') path.push(value ?? draft.context.facility.code)
    else path.push(value ?? '')
    if (value === undefined || value === '') continue
    const key = readableKey(draft, 'location', ...path)
    const parent = placed.at(-1)?.reference
    const resource: Location = {
      resourceType: 'Location',
      identifier: [keyIdentifier(key)],
      name: value,
      mode: 'instance',
      physicalType: concept(physicalTypes, code, shown),
      managingOrganization: { reference: draft.context.facility.organization },
      ...(parent === undefined ? {} : { partOf: parent }),
    }
    const display = [...placed.map(({ resource: outer }) => outer.name), value].join(' ')
    placed.push({ reference: { ...draft.put(resource, { key, mode: 'ensure' }), display }, resource })
  }
  const innermost = placed.at(-1)
  if (innermost !== undefined) describe(innermost.resource, read, place)
  return placed
}

export interface PlacedLocation {
  readonly reference: Reference
  readonly resource: Location
}

function facilityName({ facility }: PatientLocation, { draft }: At): string | undefined {
  if (facility === undefined) return undefined
  return facility.namespace?.trim() ?? systemOf(facility, 'facility', draft.context)
}

/** PL.9 to PL.11 are about the place as a whole. */
function describe(resource: Location, { description, identifier, authority }: PatientLocation, place: At): void {
  if (description !== undefined) resource.description = description
  const own: Identifier | undefined = entityIdentifier(
    identifier === undefined ? undefined : { ...authority, ...identifier },
    place,
    undefined,
  )
  if (own !== undefined) resource.identifier = [...(resource.identifier ?? []), own]
}

const physicalTypes = 'http://terminology.hl7.org/CodeSystem/location-physical-type'

/** From the outside in. The guide has no code for a point of care and lets a building be part of itself. */
const levels = [
  { level: 'facility', code: 'si', display: 'Site' },
  { level: 'building', code: 'bu', display: 'Building' },
  { level: 'pointOfCare', code: 'wa', display: 'Ward' },
  { level: 'floor', code: 'lvl', display: 'Level' },
  { level: 'room', code: 'ro', display: 'Room' },
  { level: 'bed', code: 'bd', display: 'Bed' },
] as const

/** The kind of place by its level, for master files that name it. */
export const physicalType = (code: string, display: string): CodeableConcept => concept(physicalTypes, code, display)
