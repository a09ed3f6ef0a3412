import { vaccineGroups, type VaccineGroup } from './certificate/certified-dose.ts'
import type { CertificateInput } from './certificate/payload.ts'
import { newUvci } from './certificate/uvci.ts'
import type { ImmunizationDeps } from './deps.ts'
import type { PatientRecord, Person } from './read-model/patient-record.ts'
import type { VaccinationRecord } from './read-model/vaccination.ts'
import type { Session } from './session/session.ts'
import { addCertificate } from './store/certificates.ts'

export interface IssuedCertificate extends CertificateInput {
  readonly patient: Person
  readonly immunizations: readonly VaccinationRecord[]
}

/**
 * Whatever is made of a new certificate of a record, or of one vaccine of it, under an id of its own. The id is kept once
 * that was made: of what failed nobody has a paper.
 */
export async function issueCertificate<Made>(
  session: Session,
  { patient, vaccinations }: PatientRecord,
  deps: Pick<ImmunizationDeps, 'settings' | 'database' | 'clock' | 'ids'>,
  make: (certificate: IssuedCertificate) => Made | Promise<Made>,
  vaccineCode?: string,
): Promise<Made> {
  const immunizations =
    vaccineCode === undefined || vaccineCode.trim() === ''
      ? vaccinations
      : vaccinations.filter((dose) => dose.vaccineCode?.toLowerCase() === vaccineCode.trim().toLowerCase())
  const uvci = newUvci(deps.settings.certificateIssuer, patient, deps)
  const made = await make({ patient, immunizations, uvci })
  const { patientId, subject } = session
  await addCertificate({ uvci, patientId, subject }, deps.clock.now(), deps.database)
  return made
}

/** What is certified, by vaccine; a dose that the patient only remembers is told from the others. */
export const certifiedVaccines = (immunizations: readonly VaccinationRecord[]): readonly CertifiedVaccine[] =>
  vaccineGroups(immunizations)

export type CertifiedVaccine = VaccineGroup<VaccinationRecord>
