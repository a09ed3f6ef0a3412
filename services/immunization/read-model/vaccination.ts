import { isPatientsWord } from '../../../packages/fhir/patients-word.ts'
import type { Immunization, ImmunizationPerformer, ImmunizationProtocolApplied } from '../../../packages/fhir/r4.ts'
import type { VaccineCoding } from '../forecast/vaccine-codes.ts'
import {
  codesOf,
  countOf,
  dayOf,
  filled,
  isQualified,
  vaccineOf,
  wordsOf,
  type Precision,
  type VaccineName,
} from './fhir-parts.ts'

/** A dose as the app shows it: the members of the specification, in its order, and how exactly its day is known. */
export interface VaccinationRecord extends VaccineName {
  readonly fhirId: string | null
  readonly occurrenceDate: string | null
  readonly lotNumber: string | null
  readonly performerOrganisationRef: string | null
  readonly performerDisplay: string | null
  readonly doseNumber: string | null
  readonly seriesName: string | null
  readonly status: string
  readonly route: string | null
  readonly site: string | null
  readonly note: string | null
  readonly patientReported: boolean
  /** Who wrote down what is second-hand here; null where that is nobody but the patient, or it is first-hand. */
  readonly documentedBy: DocumentedBy | null
  /** Given, and known to have been too weak to protect. */
  readonly isSubpotent: boolean
  /** What it says is changed by something that nobody here understands (`modifierExtension`): perhaps that it was not given. */
  readonly isQualified?: boolean
  /** All that it is coded by; what is shown is one of them. */
  readonly alsoCoded?: readonly VaccineCoding[]
  readonly occurrencePrecision: Precision | null
}

/** Of R4's origins of a report those that are written somewhere: the patient's vaccination card is a `record`. */
export type DocumentedBy = (typeof documentedOrigins)[number]

const documentedOrigins = ['provider', 'record', 'school', 'jurisdiction'] as const

/** Nobody knows of it but the patient. */
export const isOnlyTold = ({
  patientReported,
  documentedBy = null,
}: {
  readonly patientReported: boolean
  readonly documentedBy?: DocumentedBy | null
}): boolean => patientReported && documentedBy === null

export function vaccinationOf(immunization: Immunization): VaccinationRecord {
  const { id, status, occurrenceDateTime, lotNumber, performer = [], protocolApplied = [], note = [] } = immunization
  const occurrence = dayOf(occurrenceDateTime)
  const given = performerOf(performer)
  const protocols = protocolApplied.filter((one) => !isQualified(one))
  const protocol = protocols.find((one) => doseNumberOf(one) !== null) ?? protocols.at(0)
  return {
    fhirId: filled(id),
    ...vaccineOf([immunization.vaccineCode]),
    occurrenceDate: occurrence?.day ?? null,
    lotNumber: filled(lotNumber),
    performerOrganisationRef: filled(given?.reference),
    performerDisplay: filled(given?.display),
    doseNumber: protocol === undefined ? null : doseNumberOf(protocol),
    seriesName: filled(protocol?.series),
    status,
    route: wordsOf(immunization.route),
    site: wordsOf(immunization.site),
    note: filled(note.at(0)?.text),
    patientReported: isPatientReported(immunization),
    documentedBy: documentedByOf(immunization),
    isSubpotent: immunization.isSubpotent === true,
    isQualified: isQualified(immunization),
    alsoCoded: codesOf(immunization.vaccineCode),
    occurrencePrecision: occurrence?.precision ?? null,
  }
}

/** Newest first, unknown days last, then by id. */
export function newestFirst(some: VaccinationRecord, other: VaccinationRecord): number {
  const byDay = (other.occurrenceDate ?? '').localeCompare(some.occurrenceDate ?? '')
  return byDay !== 0 ? byDay : (some.fhirId ?? '').localeCompare(other.fhirId ?? '')
}

const doseNumberOf = ({ doseNumberPositiveInt, doseNumberString }: ImmunizationProtocolApplied) =>
  countOf(doseNumberPositiveInt, doseNumberString)

/** The organisation that gave it, else whoever is named first. Who only ordered it gave nothing. */
function performerOf(performers: readonly ImmunizationPerformer[]) {
  const givers = performers.filter((performer) => !isOrderer(performer) && !isQualified(performer))
  const isOrganisation = ({ actor }: ImmunizationPerformer) => /(^|\/)Organization\//.test(actor.reference ?? '')
  return (givers.find(isOrganisation) ?? givers.at(0))?.actor
}

const isOrderer = ({ function: role }: ImmunizationPerformer): boolean =>
  role?.coding?.some(({ system, code }) => system === roleSystem && code === 'OP') === true

const roleSystem = 'http://terminology.hl7.org/CodeSystem/v2-0443'

/**
 * R4 has no flag for it: the record is second-hand, or it says that somebody remembered. Whatever it says of itself: what
 * a patient wrote bears the label that the store puts on (1001).
 */
const isPatientReported = (immunization: Immunization): boolean =>
  isPatientsMemory(immunization) || immunization.primarySource === false

const isPatientsMemory = (immunization: Immunization): boolean =>
  isPatientsWord(immunization) || immunization.reportOrigin?.coding?.some(({ code }) => code === 'recall') === true

function documentedByOf(immunization: Immunization): DocumentedBy | null {
  const { primarySource, reportOrigin } = immunization
  if (primarySource !== false || isPatientsMemory(immunization)) return null
  const isOf = (origin: DocumentedBy) =>
    reportOrigin?.coding?.some(({ system, code }) => system === originSystem && code === origin) === true
  return documentedOrigins.find(isOf) ?? null
}

const originSystem = 'http://terminology.hl7.org/CodeSystem/immunization-origin'
