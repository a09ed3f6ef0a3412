import type { Extension, Location } from '../../../../../packages/fhir/r4.ts'
import { readPl, type Segment, type SegmentList } from '../../../../../packages/hl7/index.ts'
import { at } from '../../at.ts'
import { compact } from '../../compact.ts'
import type { Draft } from '../../draft.ts'
import { locations } from '../../dt/pl.ts'
import { identifierKey } from '../../keys.ts'
import { nothingSaid, readSegment } from '../../segment-map.ts'
import { characteristic } from '../../segments/lch.ts'
import { ldpToLocation } from '../../segments/ldp.ts'
import { locToLocation } from '../../segments/loc.ts'
import { parentPlace } from '../../segments/lrl.ts'
import { activity, endsLater, leaveOut, type RecordEvent } from '../../segments/mfe.ts'

/** A record of the places: LOC with LCH, LRL and LDP, as Location. LOC-1 (or MFE-4) says which, with all around it. */
export function putPlace(mfe: Segment, group: SegmentList, event: RecordEvent, draft: Draft): void {
  const loc = group.segment('LOC')
  const said = nothingSaid()
  if (loc !== undefined) readSegment(locToLocation, loc, draft, said)
  for (const ldp of group.segments('LDP')) readSegment(ldpToLocation, ldp, draft, said)
  const elements = said.elements as Partial<Location>
  const { status } = elements
  const active = activity(event, status === undefined ? undefined : status === 'active')
  if (endsLater(mfe, active, draft)) return
  const read = readPl(loc?.part(1)) ?? readPl(mfe.part(4))
  const place = loc?.text(1) === undefined ? at(draft, mfe, 4) : at(draft, loc, 1)
  const innermost = read === undefined ? undefined : locations(read, place).at(-1)
  const [identifier] = innermost?.resource.identifier ?? []
  if (innermost === undefined || identifier === undefined) {
    leaveOut(mfe, 'The record names no place, so it was left out.', draft)
    return
  }
  const { physicalType, managingOrganization, ...named } = innermost.resource
  const resource = compact<Location>({
    ...named,
    ...elements,
    resourceType: 'Location',
    status: active === undefined ? status : active ? 'active' : 'inactive',
    partOf: parentOf(group, draft) ?? named.partOf,
    extension: [...(elements.extension ?? []), ...characteristics(group, draft)],
  })
  const written = draft.put(resource as Location, {
    key: identifierKey(identifier),
    mode: event === 'deactivate' ? 'amend' : 'upsert',
    defaults: compact<Partial<Location>>({ status: 'active', physicalType, managingOrganization }) ?? {},
    deletes: said.deletes,
    removes: said.removes,
  })
  draft.main ??= written.reference
}

function parentOf(group: SegmentList, draft: Draft): Location['partOf'] {
  return group
    .segments('LRL')
    .map((lrl) => parentPlace(lrl, draft))
    .find((parent) => parent !== undefined)
}

const characteristics = (group: SegmentList, draft: Draft): Extension[] =>
  group
    .segments('LCH')
    .map((lch) => characteristic(lch, draft))
    .filter((one) => one !== undefined)
