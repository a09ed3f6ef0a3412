import type {
  CodeableConcept,
  HealthcareService,
  Period,
  PractitionerRole,
  Reference,
} from '../../../../../packages/fhir/r4.ts'
import { type Part, readTimestamp, type Segment, type SegmentList } from '../../../../../packages/hl7/index.ts'
import { type At, at } from '../../at.ts'
import { codeText } from '../../code-map.ts'
import { compact } from '../../compact.ts'
import type { Draft } from '../../draft.ts'
import { cweOf } from '../../dt/cwe.ts'
import { isOrdered, periodOf } from '../../dt/ts.ts'
import { derivedKey, readableKey } from '../../drafted-keys.ts'
import { keyIdentifier } from '../../keys.ts'
import type { WriteMode } from '../../mapped.ts'
import { nothingSaid, readSegment, type Said } from '../../segment-map.ts'
import { orgToPractitionerRole, unit, unitOf } from '../../segments/org.ts'
import { praToPractitionerRole } from '../../segments/pra.ts'

export interface RolePerson {
  readonly practitioner: Reference
  readonly active: boolean | undefined
  readonly mode: WriteMode
}

/** The system of the identifiers of the roles that this facility tells of. */
export const roleSystem = (draft: Draft): string => derivedKey(draft, 'role').system

/** Whether the record says in which units someone works: then those are all of them, and what they did elsewhere has ended. */
export const namesUnits = (group: SegmentList): boolean =>
  group.has('ORG') || group.segment('STF')?.text(8) !== undefined

/** What someone does, and for whom: a role for each ORG, else for each department of STF-8, else one for the institution. */
export function putRoles(group: SegmentList, person: RolePerson, draft: Draft): void {
  const stf = group.segment('STF')
  const common = commonOf(group, draft)
  const orgs = group.segments('ORG')
  if (orgs.length > 0) {
    for (const org of orgs) {
      const said = readSegment(orgToPractitionerRole, org, draft)
      put(unitOf(org, draft) ?? facility(draft), joined(common, said), person, draft)
    }
    return
  }
  const departments = stf?.repetitions(8).map((part, index) => unit(part, at(draft, stf, 8, index))) ?? []
  const units = departments.filter((one) => one !== undefined)
  const own = units.length > 0 ? units : [institutionOf(group.segment('PRA'), draft) ?? facility(draft)]
  for (const organization of own) put(organization, common, person, draft)
}

/** What PRA and STF-4, 9, 12 and 13 say of every role. */
function commonOf(group: SegmentList, draft: Draft): Said {
  const said = nothingSaid()
  const pra = group.segment('PRA')
  const stf = group.segment('STF')
  if (pra !== undefined) readSegment(praToPractitionerRole, pra, draft, said)
  if (stf === undefined) return said
  const types = stf.repetitions(4).map((part, index) => cweOf('0182')(part, at(draft, stf, 4, index)))
  const codes = [
    ...((said.elements['code'] as CodeableConcept[] | undefined) ?? []),
    ...types.filter((one) => one !== undefined),
  ]
  if (codes.length > 0) said.elements['code'] = codes
  const services = stf.repetitions(9).map((part, index) => service(part, at(draft, stf, 9, index), draft))
  const known = services.filter((one) => one !== undefined)
  if (known.length > 0) said.elements['healthcareService'] = known
  // DIN: a date, and at which institution.
  const period = periodOf(readTimestamp(stf.part(12)), readTimestamp(stf.part(13)), at(draft, stf, 12))
  if (period !== undefined) said.elements['period'] = { ...(said.elements['period'] as Period | undefined), ...period }
  return said
}

function joined(common: Said, { elements, deletes }: Said): Said {
  const specialty = [
    ...((common.elements['specialty'] as unknown[]) ?? []),
    ...((elements['specialty'] as unknown[]) ?? []),
  ]
  return {
    elements: { ...common.elements, ...elements, ...(specialty.length === 0 ? {} : { specialty }) },
    deletes: [...common.deletes, ...deletes],
    removes: common.removes,
  }
}

function put(organization: Reference, said: Said, { practitioner, active, mode }: RolePerson, draft: Draft): void {
  // The same parts as where an order names both, so that it is the same role.
  const key = derivedKey(
    draft,
    'role',
    practitioner.reference ?? '',
    organization.reference ?? organization.display ?? '',
  )
  const { identifier = [], period, ...others } = said.elements as Partial<PractitionerRole>
  const resource = compact<PractitionerRole>({
    ...others,
    // Its ends may come from two segments that disagree.
    period: period !== undefined && isOrdered(period) ? period : undefined,
    resourceType: 'PractitionerRole',
    identifier: [keyIdentifier(key), ...identifier],
    active,
    practitioner,
    organization,
  })
  draft.put(resource as PractitionerRole, {
    key,
    mode,
    defaults: { active: true },
    deletes: said.deletes,
    removes: said.removes,
  })
}

/** PRA-9, the institution; else PRA-2, the group. */
function institutionOf(pra: Segment | undefined, draft: Draft): Reference | undefined {
  if (pra === undefined) return undefined
  return unit(pra.part(9), at(draft, pra, 9)) ?? unit(pra.part(2), at(draft, pra, 2))
}

const facility = ({ context }: Draft): Reference => ({ reference: context.facility.organization })

/** STF-9: the hospital service for which someone works. */
function service(part: Part, place: At, draft: Draft): Reference | undefined {
  const code = codeText(part.text(1))
  if (code === undefined) return undefined
  const name = part.componentText(2)
  const key = readableKey(draft, 'service', code)
  const type = cweOf('0069')(part, place)
  const resource: HealthcareService = {
    resourceType: 'HealthcareService',
    identifier: [keyIdentifier(key)],
    providedBy: facility(draft),
    ...(type === undefined ? {} : { type: [type] }),
    name: name ?? code,
  }
  return { ...draft.put(resource, { key, mode: 'ensure' }), display: name ?? code }
}
