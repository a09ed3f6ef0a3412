import type { FhirResource } from '../../../packages/fhir/r4.ts'
import { patientsOf } from '../mapping/patient-of.ts'
import type { Plan } from './plan-writes.ts'
import { patientsOfAccount } from './shared-with-another.ts'

/** Of whom something was that is another patient's now, as `Patient/…`: a result that was corrected, a visit that has moved (A45). */
export function formerPatients({ writes }: Pick<Plan, 'writes'>): readonly string[] {
  const former = writes.flatMap(({ stored, resource }) => {
    const now = stored === undefined ? [] : ownersOf(resource)
    return stored === undefined || now.length === 0 ? [] : ownersOf(stored).filter((one) => !now.includes(one))
  })
  return [...new Set(former)].filter((one) => one.startsWith('Patient/'))
}

const ownersOf = (one: FhirResource): readonly string[] => [
  ...patientsOf(one).flatMap(({ reference }) => reference ?? []),
  ...patientsOfAccount(one),
]
