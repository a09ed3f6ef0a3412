import type { IncomingRequest } from '../../../packages/http/request.ts'
import type { FhirStore } from '../../../ports/fhir-store/fhir-store.ts'
import type { AuthDeps } from '../deps.ts'
import type { UserInToken } from '../store/grant-and-user.ts'

/** A look at the FHIR server, as far as its user may see; with `patient` also at the one beside whom they stand. */
export interface Look {
  readonly store: FhirStore
  /** Its address, by which it may refer to what it holds itself. */
  readonly base: string
  readonly now: Date
  readonly signal: AbortSignal
}

export const lookOf = (
  user: UserInToken,
  { signal }: Pick<IncomingRequest, 'signal'>,
  { fhirFor, settings, clock }: Pick<AuthDeps, 'fhirFor' | 'settings' | 'clock'>,
  patient: string | null = null,
): Look => ({ store: fhirFor(user, patient), base: settings.fhirBase, now: clock.now(), signal })
