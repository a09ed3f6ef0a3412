import { forbidden, type Fault } from '../../../packages/faults/fault.ts'
import type { Caller } from '../../../packages/tokens/caller.ts'
import type { WantedWrite } from './access.ts'

/** Resources that show what another service keeps: it alone writes them, for who reads them relies on it. */
export interface KeptCopy {
  readonly type: string
  /** The ids that the service gives to its copies; nobody else may take them beforehand. */
  readonly ids: RegExp
  /** The system of the identifiers by which a copy and its record know each other. */
  readonly identifiers: string
  /** The service account that writes them. */
  readonly clientId: string
  /** What the original is and where it is changed, as a sentence says it. */
  readonly original: string
}

export interface Keepers {
  readonly consent: Keeper
  readonly referral: Keeper
}

interface Keeper {
  readonly clientId: string
  /** Where the service is. */
  readonly url: string
}

export function keptCopies({ consent, referral }: Keepers): readonly KeptCopy[] {
  const referrals = `${referral.url}/api/referrals`
  const ofReferral = { clientId: referral.clientId, original: `a referral: change it at ${referrals}` }
  return [
    {
      type: 'Consent',
      // Those of the demo are named after whom they are about.
      ids: /^(consent-\d+|demo-policy-.+|demo-opt-out-.+)$/,
      identifiers: 'urn:corridor:consent:record',
      clientId: consent.clientId,
      original: `a consent record: change or revoke it at ${consent.url}/api/consent`,
    },
    { type: 'ServiceRequest', ids: /^corridor-referral-\d+$/, identifiers: referrals, ...ofReferral },
    { type: 'Task', ids: /^corridor-referral-task-\d+$/, identifiers: `${referrals}/tasks`, ...ofReferral },
  ]
}

/**
 * Why the caller may not write this, if it is a copy or says that it is one. By its id and what was sent alone: the same
 * for what is there and for what is not, and nothing has to be read.
 */
export function refusalOfCopy(write: WantedWrite, caller: Caller, copies: readonly KeptCopy[]): Fault | undefined {
  const copy = copies.find((each) => each.type === write.type)
  if (copy === undefined || (!copy.ids.test(write.id) && !claims(write.resource, copy.identifiers))) return undefined
  if (isKeeper(caller, copy)) return undefined
  // A copy whose original is gone is in the way, and who may delete the original may delete it.
  if (write.resource === undefined && caller.roles.has('ADMIN')) return undefined
  return forbidden(`This ${copy.type} is the copy of ${copy.original}.`, { code: 'KEPT_ELSEWHERE' })
}

const isKeeper = ({ clientId, fhirUser, patient }: Caller, copy: KeptCopy) =>
  clientId === copy.clientId && fhirUser === undefined && patient === undefined

function claims(resource: object | undefined, system: string): boolean {
  // Sound: what is written has been validated, so that identifiers are what R4 says.
  const { identifier = [] } = (resource ?? {}) as { readonly identifier?: readonly { readonly system?: string }[] }
  return identifier.some((one) => one.system === system)
}
