import type { Annotation, Reference } from '../../../../../packages/fhir/r4.ts'
import type { SegmentList } from '../../../../../packages/hl7/index.ts'
import type { Draft } from '../../draft.ts'
import { mentionEncounter } from '../../encounter.ts'
import { keyText } from '../../keys.ts'
import { Members, putObservations } from '../../observations.ts'
import { orderGroups } from '../../order-group.ts'
import { putPatient } from '../../patient.ts'
import { checkContent, checkEvent } from '../../refusals.ts'
import { putReport } from '../../report.ts'
import { putProvenance } from '../../segments/evn.ts'
import { notesIn } from '../../segments/nte.ts'
import { agentsOfOrder } from '../../segments/orc.ts'
import { patientGroups } from '../../patient-groups.ts'
import { resultEvents } from './events.ts'
import { EarlierResults } from './parent-result.ts'

/** ORU: results. Each PID begins a patient, each OBR a report of that patient. */
export function mapOru(draft: Draft): void {
  checkEvent(resultEvents, 'ORU', draft)
  checkContent(['OBR', 'OBX'], draft)
  // A note on the message or the patient goes to every report: R4 has no place for it on either.
  const header = notesIn(draft.message.groups('PID').before.all, draft)
  for (const group of patientGroups(draft)) mapPatientResult(group, header, draft)
  const agents = draft.message.segments('ORC').flatMap((orc) => agentsOfOrder(orc, draft))
  putProvenance(draft, agents)
}

function mapPatientResult(segments: SegmentList, header: readonly Annotation[], draft: Draft): void {
  const { before, orders } = orderGroups(segments, draft)
  const patient = putPatient(segments, draft, { mode: 'ensure' })
  const encounter = mentionEncounter(segments, patient, draft)
  const ofPatient = notesIn(before.all, draft)
  const about = { patient, encounter, category: 'laboratory', notes: [...header, ...ofPatient] } as const
  const alone = putObservations(
    before.all.filter(({ name }) => name === 'OBX'),
    { patient, encounter, within: keyText(patient.key), isToldByTime: true },
    draft,
  )
  const earlier = new EarlierResults()
  const members = new Members()
  for (const order of orders) {
    const parent = earlier.parentOf(order)
    const report = putReport(order, { ...about, hasParent: parent !== undefined }, draft)
    const valid = report.results.filter(({ isMistake }) => !isMistake).map(({ reference }) => reference)
    if (parent !== undefined) members.add(parent.resource, valid)
    earlier.add(report.group, report.results)
    draft.main ??= (report.reference ?? report.results[0]?.reference)?.reference
  }
  const fallback: Reference = alone[0]?.reference ?? patient.reference
  draft.main ??= fallback.reference
}
