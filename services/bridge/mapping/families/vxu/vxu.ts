import type { SegmentList } from '../../../../../packages/hl7/index.ts'
import type { Draft } from '../../draft.ts'
import { mentionEncounter } from '../../encounter.ts'
import { putImmunization } from '../../immunization.ts'
import { putPatient } from '../../patient.ts'
import { checkEvent } from '../../refusals.ts'
import { putProvenance } from '../../segments/evn.ts'
import { putCoverage } from '../../segments/in1.ts'
import { agentsOfOrder } from '../../segments/orc.ts'
import { segmentsOfEach } from '../../patient-groups.ts'

export const vaccinationEvents: Readonly<Record<string, string>> = { V04: 'Vaccination record' }

/** VXU^V04: vaccinations, one Immunization an RXA. */
export function mapVxu(draft: Draft): void {
  checkEvent(vaccinationEvents, 'VXU', draft)
  for (const segments of segmentsOfEach(draft)) mapVaccinationsOf(segments, draft)
  const agents = draft.message.segments('ORC').flatMap((orc) => agentsOfOrder(orc, draft))
  putProvenance(draft, agents)
}

/** Those of one patient. */
function mapVaccinationsOf(segments: SegmentList, draft: Draft): void {
  const { before, groups } = segments.groups('ORC', 'RXA')
  const patient = putPatient(segments, draft, { mode: 'ensure' })
  const encounter = mentionEncounter(segments, patient, draft)
  for (const in1 of before.segments('IN1')) putCoverage(in1, patient, draft)
  for (const group of groups) {
    const written = putImmunization(group, { patient, encounter }, draft)
    draft.main ??= written?.reference
  }
  draft.main ??= patient.reference.reference
}
