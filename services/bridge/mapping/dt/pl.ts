import type { CodeableConcept, Location, Reference } from '../../../../packages/fhir/r4.ts'
import {
  readPl,
  type Authority,
  type EntityIdentifier,
  type Part,
  type PatientLocation,
} from '../../../../packages/hl7/index.ts'
import type { At } from '../at.ts'
import { concept } from '../code-map.ts'
import { pathKey } from '../drafted-keys.ts'
import { keyIdentifier, segmentOfUrl } from '../keys.ts'
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
  const { facility } = draft.context
  const placed: PlacedLocation[] = []
  let innermost: PlacedLocation | undefined
  let path = ''
  for (const { level, code, display: shown } of levels) {
    const value = level === 'facility' ? facilityName(read, place) : read[level]?.trim()
    // Without a site the path begins at the sending facility, so that two hospitals' ward 1 are two wards.
    path = level === 'facility' ? segmentOfUrl(value ?? facility.code) : `${path}/${segmentOfUrl(value ?? '')}`
    if (value === undefined || value === '') continue
    const key = pathKey(draft, 'location', path)
    const resource: Location = {
      resourceType: 'Location',
      identifier: [keyIdentifier(key)],
      name: value,
      mode: 'instance',
      physicalType: concept(physicalTypes, code, shown),
      managingOrganization: { reference: facility.organization },
    }
    if (innermost !== undefined) resource.partOf = innermost.reference
    const display: string = innermost === undefined ? value : `${innermost.reference.display} ${value}`
    innermost = { reference: { ...draft.put(resource, { key, mode: 'ensure' }), display }, resource }
    placed.push(innermost)
  }
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
  const own = entityIdentifier(identifier && withAuthority(identifier, authority), place, undefined)
  if (own !== undefined) resource.identifier = [...(resource.identifier ?? []), own]
}

/** PL.11 says who gave PL.10 its number, where PL.10 does not. */
const withAuthority = (identifier: EntityIdentifier, authority: Authority = {}): EntityIdentifier => ({
  value: identifier.value,
  namespace: identifier.namespace ?? authority.namespace,
  universalId: identifier.universalId ?? authority.universalId,
  universalIdType: identifier.universalIdType ?? authority.universalIdType,
})

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
