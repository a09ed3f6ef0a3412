import type { Organization, Reference } from '../../../../packages/fhir/r4.ts'
import type { Part, Segment } from '../../../../packages/hl7/index.ts'
import { type At, at } from '../at.ts'
import { codeText } from '../code-map.ts'
import type { Draft } from '../draft.ts'
import { cwe, cweOf } from '../dt/cwe.ts'
import { cx } from '../dt/cx.ts'
import { dateTime } from '../dt/ts.ts'
import { readableKey } from '../drafted-keys.ts'
import { keyIdentifier } from '../keys.ts'
import { row, type SegmentMap } from '../segment-map.ts'

/** ORG to PractitionerRole: what the person is in one unit. */
export const orgToPractitionerRole: SegmentMap = {
  segment: 'ORG',
  resource: 'PractitionerRole',
  rows: [
    row(5, 'Practitioner Org Unit Identifier', 'identifier[]', cx),
    row(6, 'Health Care Provider Type Code', 'specialty[]', cweOf('0452')),
    row(7, 'Health Care Provider Classification Code', 'specialty[]', cweOf('0453')),
    row(8, 'Health Care Provider Area of Specialization Code', 'specialty[]', cweOf('0454')),
    row(9, 'Effective Date Range', 'period.start', (part, place) => dateTime(part.part(1), place)),
    row(9, 'Effective Date Range', 'period.end', (part, place) => dateTime(part.part(2), place)),
  ],
}

/** The unit of ORG-2, of the kind of ORG-3. */
export function unitOf(org: Segment, draft: Draft): Reference | undefined {
  const type = cwe(org.part(3), at(draft, org, 3))
  return unit(org.part(2), at(draft, org, 2), type === undefined ? {} : { type: [type] })
}

/** A coded unit, department or institution (CWE) of the facility as an Organization. */
export function unit(part: Part | undefined, { draft }: At, more: Partial<Organization> = {}): Reference | undefined {
  const code = codeText(part?.text(1))
  const name = part?.componentText(2) ?? code
  if (code === undefined || name === undefined)
    return name === undefined ? undefined : { type: 'Organization', display: name }
  const key = readableKey(draft, 'unit', code)
  const resource: Organization = {
    resourceType: 'Organization',
    identifier: [keyIdentifier(key)],
    name,
    partOf: { reference: draft.context.facility.organization },
    ...more,
  }
  return { ...draft.put(resource, { key, mode: 'ensure' }), display: name }
}
