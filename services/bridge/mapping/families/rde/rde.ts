import type { MedicationRequest, ProvenanceAgent, Reference } from '../../../../../packages/fhir/r4.ts'
import type { SegmentList } from '../../../../../packages/hl7/index.ts'
import type { Draft } from '../../draft.ts'
import { mentionEncounter } from '../../encounter.ts'
import { putMedicationRequest, verifiersOf } from '../../medication-request.ts'
import { putPatient } from '../../patient.ts'
import { missingSegment, unsupportedEvent } from '../../refusals.ts'
import { putAllergy } from '../../segments/al1.ts'
import { putProvenance } from '../../segments/evn.ts'
import { putCoverage } from '../../segments/in1.ts'
import { triggerOf } from '../../segments/msh.ts'
import { notesIn } from '../../segments/nte.ts'
import { agentsOfOrder } from '../../segments/orc.ts'
import { segmentsOfEach } from '../../patient-groups.ts'

/** HL7 table 0003 for prescriptions. */
export const prescriptionEvents: Readonly<Record<string, string>> = {
  O01: 'Encoded order, before 2.4',
  O11: 'Encoded order',
  O25: 'Refill authorization request',
}

/** RDE: prescriptions as a pharmacy encoded them, one MedicationRequest an RXE; an ORC alone tells what becomes of one. */
export function mapRde(draft: Draft): void {
  if (!Object.hasOwn(prescriptionEvents, triggerOf(draft))) unsupportedEvent('RDE', draft)
  const agents = segmentsOfEach(draft).flatMap((segments) => mapPrescriptionsOf(segments, draft))
  if (draft.main === undefined) missingSegment('RXE', draft)
  // What replaces is what the message is about.
  draft.main = replacementOf(draft) ?? draft.main
  putProvenance(draft, agents)
}

/** Those of one patient; and who had to do with them. */
function mapPrescriptionsOf(segments: SegmentList, draft: Draft): ProvenanceAgent[] {
  const { before, groups } = segments.groups('ORC', 'RXO', 'RXE')
  const patient = putPatient(segments, draft)
  const encounter = mentionEncounter(segments, patient, draft)
  for (const al1 of before.segments('AL1')) putAllergy(al1, patient, draft)
  for (const in1 of before.segments('IN1')) putCoverage(in1, patient, draft)
  const about = { patient, encounter, notes: notesIn(before.all, draft) }
  const agents: ProvenanceAgent[] = []
  let replaced: Reference | undefined
  for (const group of groups) {
    const orc = group.segment('ORC')
    const control = orc?.text(1)?.trim().toUpperCase() ?? ''
    const prior = control === 'RO' ? replaced : undefined
    const written = putMedicationRequest(group, { ...about, prior }, draft)
    if (control === 'RP' || control === 'RU') replaced = written
    if (orc !== undefined) for (const agent of agentsOfOrder(orc, draft)) agents.push(agent)
    for (const agent of verifiersOf(group, draft)) agents.push(agent)
    draft.main ??= written?.reference
  }
  return agents
}

function replacementOf(draft: Draft): string | undefined {
  const isReplacement = (resource: MedicationRequest) => resource.priorPrescription !== undefined
  return draft.writes.find(({ resource }) => resource.resourceType === 'MedicationRequest' && isReplacement(resource))
    ?.fullUrl
}
