import type { Draft } from '../../draft.ts'
import { mentionEncounter } from '../../encounter.ts'
import { putImmunization } from '../../immunization.ts'
import { putPatient } from '../../patient.ts'
import { checkEvent } from '../../refusals.ts'
import { putProvenance } from '../../segments/evn.ts'
import { putCoverage } from '../../segments/in1.ts'
import { agentsOfOrder } from '../../segments/orc.ts'

export const vaccinationEvents: Readonly<Record<string, string>> = { V04: 'Vaccination record' }

/** VXU^V04: the vaccinations of one patient, one Immunization an RXA. */
export function mapVxu(draft: Draft): void {
  checkEvent(vaccinationEvents, 'VXU', draft)
  const { before, groups } = draft.message.groups('ORC', 'RXA')
  const patient = putPatient(draft.message, draft, { mode: 'ensure' })
  const encounter = mentionEncounter(draft.message, patient, draft)
  for (const in1 of before.segments('IN1')) putCoverage(in1, patient, draft)
  for (const group of groups) {
    const written = putImmunization(group, { patient, encounter }, draft)
    draft.main ??= written?.reference
  }
  draft.main ??= patient.reference.reference
  const agents = draft.message.segments('ORC').flatMap((orc) => agentsOfOrder(orc, draft))
  putProvenance(draft, agents)
}
