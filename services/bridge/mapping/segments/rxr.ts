import type { Dosage } from '../../../../packages/fhir/r4.ts'
import type { Segment } from '../../../../packages/hl7/index.ts'
import type { Draft } from '../draft.ts'
import { cweOf } from '../dt/cwe.ts'
import { readSegment, row, type SegmentMap } from '../segment-map.ts'
import { siteRows } from './site-rows.ts'

const [administrationSite, administrationSiteModifier] = siteRows(
  'site',
  { field: 2, name: 'Administration Site', by: cweOf('0163') },
  { field: 6, name: 'Administration Site Modifier', table: '0495' },
)

/** RXR: by which way, where and how a dose is given. R4 has concepts here; the guide has codes. */
export const rxrToDosage: SegmentMap = {
  segment: 'RXR',
  resource: 'Dosage',
  rows: [
    row(1, 'Route', 'route', cweOf('0162')),
    administrationSite,
    row(4, 'Administration Method', 'method', cweOf('0165')),
    row(5, 'Routing Instruction', 'additionalInstruction[]', cweOf('0714')),
    administrationSiteModifier,
  ],
}

export interface RouteAndSite {
  readonly way: Pick<Dosage, 'route' | 'site' | 'method' | 'additionalInstruction'>
  /** The parts of a dosage whose field was `""`. */
  readonly deletes: readonly string[]
}

/** What RXR says; nothing where there is none. For prescriptions and for immunizations. */
export function readRxr(rxr: Segment | undefined, draft: Draft): RouteAndSite {
  if (rxr === undefined) return { way: {}, deletes: [] }
  const { elements, deletes } = readSegment(rxrToDosage, rxr, draft)
  return { way: elements, deletes }
}
