import {
  sequencesOf,
  vaccineGroups,
  type CertifiedDose,
  type CertifiedPerson,
  type VaccineGroup,
} from './certified-dose.ts'
import { mrzName } from './mrz-name.ts'

/** What the certificate's QR code says: VDS-NC in the form of the specification, unsigned. */
export interface CertificatePayload {
  readonly typ: 'icao.vacc'
  readonly msg: {
    readonly uvci: string
    readonly pid: { readonly dob?: string; readonly n?: string }
    readonly ve: readonly PayloadVaccine[]
  }
}

export interface PayloadVaccine {
  readonly des: string
  readonly nam: string
  readonly dis: 'RA01'
  readonly vd: readonly PayloadDose[]
}

export interface PayloadDose {
  readonly dvc: string
  readonly seq: number
  readonly lot?: string
  readonly adm?: string
}

export interface CertificateInput {
  readonly patient: CertifiedPerson
  /** The history in its order, newest first; what is not valid is left out here. */
  readonly immunizations: readonly CertifiedDose[]
  /** See `newUvci`. The codes of one certificate share it. */
  readonly uvci: string
}

/** Members in the order of the specification; what is not known is left out. */
export function certificatePayload({ patient, immunizations, uvci }: CertificateInput): CertificatePayload {
  return {
    typ: 'icao.vacc',
    msg: {
      uvci,
      pid: {
        ...(patient.birthDate === null ? {} : { dob: patient.birthDate }),
        ...(patient.name === null ? {} : { n: mrzName(patient.name) }),
      },
      ve: vaccineGroups(immunizations).map((group) => ({
        des: group.code,
        nam: group.name,
        dis: 'RA01',
        vd: dosesOf(group),
      })),
    },
  }
}

function dosesOf(group: VaccineGroup): PayloadDose[] {
  const sequences = sequencesOf(group)
  return group.doses.map((dose) => ({
    dvc: dose.occurrenceDate,
    seq: sequences.get(dose) ?? 1,
    ...(dose.lotNumber === null ? {} : { lot: dose.lotNumber }),
    ...(dose.performerDisplay === null ? {} : { adm: dose.performerDisplay }),
  }))
}

/** The text of the QR code: compact JSON. */
export const payloadText = (payload: CertificatePayload): string => JSON.stringify(payload)
