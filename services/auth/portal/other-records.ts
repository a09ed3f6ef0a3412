import { faultOf } from '../../../packages/faults/fault.ts'
import { shownPatient, type ShownPatient } from '../../../packages/people/shown-patient.ts'
import { cannotSearch } from '../../../ports/fhir-store/cannot-search.ts'
import { namesByReference } from '../../../ports/fhir-store/find-people.ts'
import type { SearchParameters } from '../../../ports/fhir-store/fhir-store.ts'
import type { Patient } from '../../../ports/fhir-store/resources.ts'
import { isGoldenRecord, isLinkedTo, linkedPatientId } from '../../../ports/patient-index/golden-link.ts'
import { fromFhir } from './find-patients.ts'
import type { Look } from './look.ts'
import { personIdOf, type PatientRow } from './patient-row.ts'

/** One more record of the same person, and who keeps it. */
export interface OtherRecord extends Pick<ShownPatient, 'id' | 'identifiers'> {
  /** The name of the facility, where it is known. */
  readonly facility: string | undefined
}

export interface OtherRecords {
  readonly records: readonly OtherRecord[]
  readonly hasMore: boolean
}

/** A person is known at a few places. The golden record, this one and those that were merged away are found as well. */
const recordsMax = 20
const searchedMax = 100

/** The records in use that stand for the person of this one, as far as the user may see them. */
export function otherRecordsOf(
  { id, personId }: Pick<PatientRow, 'id' | 'personId'>,
  look: Look,
): Promise<OtherRecords> {
  return fromFhir(async () => {
    // A record that refers to none is its person, and others may refer to it; those that an A24 names link to each other.
    const link = [...new Set([personId, id])].map((linked) => `Patient/${linked}`).join(',')
    const searches = [{ link }, ...(personId === id ? [] : [{ _id: personId }])]
    const found = await Promise.all(searches.map((search) => patients(search, look)))
    const isOther = (patient: Patient) =>
      patient.id !== id && isInUse(patient) && (personIdOf(patient) === personId || isLinkedTo(patient, id))
    const others = [...new Map(found.flat().map((patient) => [patient.id, patient])).values()].filter(isOther)
    const shown = others.slice(0, recordsMax)
    const facilityOf = await facilitiesOf(shown, look)
    return {
      records: shown.map((patient) => {
        const { id: other, identifiers } = shownPatient(patient, look.now)
        return { id: other, identifiers, facility: facilityOf(patient) }
      }),
      hasMore: others.length > recordsMax || found.some(({ length }) => length === searchedMax),
    }
  })
}

const isInUse = (patient: Patient): boolean =>
  patient.active !== false && !isGoldenRecord(patient) && linkedPatientId(patient, 'replaced-by') === undefined

/** None where the server knows no search by link: that alone must not keep anybody from the patient. */
async function patients(search: SearchParameters, { store, signal }: Look): Promise<readonly Patient[]> {
  try {
    return await store.search<Patient>('Patient', { ...search, _count: String(searchedMax) }, { signal })
  } catch (thrown) {
    const fault = faultOf(thrown)
    if (cannotSearch(fault)) return []
    throw fault
  }
}

async function facilitiesOf(found: readonly Patient[], look: Look) {
  const referenceOf = ({ managingOrganization }: Patient) => managingOrganization?.reference
  const names = await namesByReference(found.map(referenceOf), look)
  return (patient: Patient): string | undefined => {
    const reference = referenceOf(patient)
    const name = names(reference)
    return patient.managingOrganization?.display ?? (reference === undefined || name === reference ? undefined : name)
  }
}
