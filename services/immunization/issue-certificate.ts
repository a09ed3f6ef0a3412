import { vaccineGroups, type VaccineGroup } from './certificate/certified-dose.ts'
import type { CertificateInput } from './certificate/payload.ts'
import { newUvci } from './certificate/uvci.ts'
import type { ImmunizationDeps } from './deps.ts'
import type { PatientRecord, Person } from './read-model/patient-record.ts'
import type { VaccinationRecord } from './read-model/vaccination.ts'
import type { Session } from './session/session.ts'
import { addCertificate } from './store/certificates.ts'

interface IssuedCertificate extends CertificateInput {
  readonly patient: Person
  readonly immunizations: readonly VaccinationRecord[]
}

/** A new certificate of a record, or of one vaccine of it, under an id of its own that is kept. */
export async function issueCertificate(
  session: Session,
  { patient, vaccinations }: PatientRecord,
  deps: Pick<ImmunizationDeps, 'settings' | 'database' | 'clock' | 'ids'>,
  vaccineCode?: string,
): Promise<IssuedCertificate> {
  const immunizations =
    vaccineCode === undefined || vaccineCode.trim() === ''
      ? vaccinations
      : vaccinations.filter((dose) => dose.vaccineCode?.toLowerCase() === vaccineCode.trim().toLowerCase())
  const uvci = newUvci(deps.settings.certificateIssuer, patient, deps)
  const { patientId, subject } = session
  await addCertificate({ uvci, patientId, subject }, deps.clock.now(), deps.database)
  return { patient, immunizations, uvci }
}

/** What is certified, by vaccine; a dose that the patient only remembers is told from the others. */
export const certifiedVaccines = ({ immunizations }: IssuedCertificate): readonly CertifiedVaccine[] =>
  vaccineGroups(immunizations)

export type CertifiedVaccine = VaccineGroup<VaccinationRecord>
