import { aboutPatient } from '../../../packages/fhir/compartment.ts'
import type { Definitions } from '../../../packages/fhir/definitions.ts'
import type { Bound, Right, TypeAccess } from './access.ts'
import { isSharedType } from './shared-types.ts'

/**
 * What whoever is confined to one patient may reach of a type that a scope gives them.
 *
 * @param queries of granular scopes; undefined where the scope has none.
 */
export function patientReach(wish: PatientWish, definitions: Definitions): Exclude<TypeAccess, 'none'> {
  const { type, right, queries } = wish
  if (isSharedType(type)) {
    if (right !== 'r' && right !== 's') return []
    return queries === undefined ? 'unrestricted' : queries.map((query) => ({ query }))
  }
  const bound = patientBound(wish, definitions)
  if (bound === undefined) return []
  return queries === undefined ? [bound] : queries.map((query) => narrowed(bound, query))
}

interface PatientWish {
  readonly type: string
  readonly right: Right
  readonly patient: string
  /** A patient, or who acts for one: nobody of the staff speaks. */
  readonly isPatientsWord: boolean
  readonly queries: readonly string[] | undefined
}

function patientBound(
  { type, right, patient, isPatientsWord }: PatientWish,
  definitions: Definitions,
): Bound | undefined {
  if (type === 'Patient') return thePatient(right, patient, isPatientsWord)
  // It belongs to all of its members, and shows each of them who the others are.
  if (type === 'Group') return undefined
  const about = searchAbout(type, patient, definitions)
  const isInCompartments = definitions.compartmentParameters('Patient', type).length > 0
  const isReading = right === 'r' || right === 's'
  // It may have several subjects, and is in no compartment that would show whether another patient is one of them.
  if (type === 'Contract' && !isReading) return undefined
  if (!isInCompartments && about === undefined) return undefined
  const isAbout: Bound = about === undefined ? {} : { query: about }
  if (isReading) return isInCompartments ? { patient } : isAbout
  // The compartment also holds what the patient merely performed, wrote or received, and what others share. That may be
  // read, but nobody who is confined to one patient writes into the record of another by naming their own patient too.
  const bound: Bound = isInCompartments ? { patient, onlyPatient: patient, ...isAbout } : isAbout
  return isPatientsWord ? withinWord(type, right, bound) : bound
}

function withinWord(type: string, right: Right, bound: Bound): Bound | undefined {
  if (type === 'RelatedPerson') return whoActs(right, bound)
  return right === 'd' ? bound : { ...bound, keeps: [whenItWasSaid] }
}

/** Who acts for a patient does so as long as this record says so: others end it, and they alone say that it goes on. */
function whoActs(right: Right, bound: Bound): Bound | undefined {
  return right === 'u' ? { ...bound, keeps: whoMayAct } : undefined
}

/** R4 puts every Patient that links to this one into the compartment; a link is never followed for access. */
function thePatient(right: Right, id: string, isPatientsWord: boolean): Bound | undefined {
  if (right === 'd') return undefined
  if (right !== 'u') return { id }
  return { id, keeps: isPatientsWord ? [...whoItIs, ...whoCertificatesName, ...whoIsTreated, whenItWasSaid] : whoItIs }
}

/**
 * By these, messages find the Patient that they are about, and the patient index its records: who could write a
 * stranger's number here would be sent the stranger's record. For the same reason the Patient cannot be deleted.
 */
const whoItIs = ['identifier', 'link', 'meta.tag'] as const

/**
 * What we sign on certificates, and what the patient index compares: those who have seen papers change it (1001). A date
 * may be said in an extension too.
 */
const whoCertificatesName = ['name', 'birthDate', '_birthDate'] as const

/**
 * Receivers are told of a death, and nothing is planned for who has died; a record out of use gets no messages, and by the others
 * the bridge and the patient index tell people apart (1781). The extensions say that nobody knows who this is.
 */
const whoIsTreated = [
  ...['deceasedBoolean', '_deceasedBoolean', 'deceasedDateTime', '_deceasedDateTime', 'active', 'gender'],
  ...['multipleBirthBoolean', 'multipleBirthInteger', 'managingOrganization', 'extension'],
] as const

/**
 * The bridge writes there of what time its messages were. Who could write a later one would let no message through: about
 * their own visit or, under a number that a laboratory has yet to give, about a stranger's result.
 */
export const whenItWasSaid = 'meta.extension'

/** What the right to act hangs on, and by what messages find those whose right they end. */
const whoMayAct = ['patient', 'active', 'period', 'identifier', 'name', 'meta.tag', whenItWasSaid] as const

/** The search for what is about the patient, where the type has one; it also reaches Device, Task and their like. */
function searchAbout(type: string, patient: string, definitions: Definitions): string | undefined {
  const code = aboutPatient(type, definitions)
  return code === undefined ? undefined : `${code}=Patient/${patient}`
}

const narrowed = (bound: Bound, query: string): Bound => ({
  ...bound,
  query: bound.query === undefined ? query : `${bound.query}&${query}`,
})
