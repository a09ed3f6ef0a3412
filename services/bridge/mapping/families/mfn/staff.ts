import type { Identifier, Practitioner, PractitionerQualification } from '../../../../../packages/fhir/r4.ts'
import type { Segment, SegmentList } from '../../../../../packages/hl7/index.ts'
import { at } from '../../at.ts'
import { compact } from '../../compact.ts'
import { distinctIdentifiers } from '../../distinct-identifiers.ts'
import type { Draft } from '../../draft.ts'
import { language } from '../../dt/language.ts'
import { cweOf } from '../../dt/cwe.ts'
import { identifierKey } from '../../keys.ts'
import { nothingSaid, readSegment, type Said } from '../../segment-map.ts'
import { affiliation } from '../../segments/aff.ts'
import { certificate } from '../../segments/cer.ts'
import { activity, endsLater, leaveOut, type RecordEvent } from '../../segments/mfe.ts'
import { praToPractitioner } from '../../segments/pra.ts'
import { primaryKey, stfToPractitioner } from '../../segments/stf.ts'
import { namesUnits, putRoles, roleSystem } from './roles.ts'

/** A record of the staff: STF with PRA, ORG, AFF, LAN, EDU and CER, as Practitioner and PractitionerRoles. */
export function putStaff(mfe: Segment, group: SegmentList, event: RecordEvent, draft: Draft): void {
  const said = staffSaid(group, draft)
  const identifiers = (said.elements['identifier'] as Identifier[] | undefined) ?? []
  const key = mfe.part(4)
  const own = key && primaryKey(key, at(draft, mfe, 4))
  // The same number may be the key of the file and stand in the list.
  const known = distinctIdentifiers(own === undefined ? identifiers : [...identifiers, own])
  const [first, ...others] = known
  if (first === undefined) {
    leaveOut(mfe, 'The record has no identifier, so it was left out.', draft)
    return
  }
  const elements = said.elements as Partial<Practitioner>
  const active = activity(event, elements.active)
  if (endsLater(mfe, active, draft)) return
  const resource = compact<Practitioner>({
    ...elements,
    resourceType: 'Practitioner',
    identifier: known,
    active,
    qualification: [...(elements.qualification ?? []), ...qualifications(group, draft)],
    communication: languages(group, draft),
  })
  const mode = event === 'deactivate' ? 'amend' : 'upsert'
  const practitioner = draft.put(resource as Practitioner, {
    key: identifierKey(first),
    // An order may have named them before, by any of these.
    otherKeys: others.map(identifierKey),
    mode,
    defaults: { active: true },
    deletes: said.deletes,
    removes: said.removes,
    endsRoles: active === false || namesUnits(group) ? roleSystem(draft) : undefined,
  })
  draft.main ??= practitioner.reference
  if (group.has('STF')) putRoles(group, { practitioner, active, mode }, draft)
}

function staffSaid(group: SegmentList, draft: Draft): Said {
  const said = nothingSaid()
  const stf = group.segment('STF')
  if (stf !== undefined) readSegment(stfToPractitioner, stf, draft, said)
  for (const pra of group.segments('PRA')) readSegment(praToPractitioner, pra, draft, said)
  return said
}

/** EDU: a degree (2, table 0360). CER: a licence or certificate. AFF: a professional body. */
function qualifications(group: SegmentList, draft: Draft): PractitionerQualification[] {
  const degrees = group.segments('EDU').map((edu) => {
    const code = cweOf('0360')(edu.part(2), at(draft, edu, 2))
    return code && { code }
  })
  const bodies = group.segments('AFF').map((aff) => affiliation(aff, draft))
  const certificates = group.segments('CER').map((cer) => certificate(cer, draft))
  return [...degrees, ...certificates, ...bodies].filter((one) => one !== undefined)
}

/** LAN-2: the languages that someone speaks. */
function languages(group: SegmentList, draft: Draft): Practitioner['communication'] {
  return group
    .segments('LAN')
    .map((lan) => language(lan.part(2), at(draft, lan, 2)))
    .filter((one) => one !== undefined)
}
