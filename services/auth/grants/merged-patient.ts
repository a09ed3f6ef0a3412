import { faultOf, unavailable } from '../../../packages/faults/fault.ts'
import type { AuthDeps } from '../deps.ts'
import { findSurvivor } from '../portal/find-patients.ts'
import { lookOf } from '../portal/look.ts'
import type { UserInToken } from '../store/grant-and-user.ts'

/** The app waits for its tokens, and its refresh token is used up: a store that is slow must not cost it both. */
const patienceMs = 2_000

/**
 * Whether a launch or a pick of this patient would be about another by now, whom the user may see (decision 1190). Patients
 * keep the record that their account is declared with. A store that does not say leaves it at what was granted.
 */
export async function isMergedAway(
  patient: string | null,
  user: UserInToken,
  deps: Pick<AuthDeps, 'fhirFor' | 'settings' | 'clock'>,
): Promise<boolean> {
  if (patient === null || user.fhirUser === `Patient/${patient}`) return false
  using deadline = deps.clock.deadline(patienceMs, () => unavailable('The FHIR server took too long.'))
  try {
    const survivor = await findSurvivor(patient, lookOf(user, deadline, deps, patient))
    return survivor !== undefined && survivor.id !== patient
  } catch (thrown) {
    // Also one that is asked too much, or lets this user see nothing any more. The call itself is logged, or counted by its status.
    const fault = faultOf(thrown)
    if (fault.kind === 'bug') throw fault
    return false
  }
}
