import type { Queryable } from '../../../packages/sql/database.ts'
import { json, sql } from '../../../packages/sql/sql.ts'

/** The parameters of an authorization request as they came. */
export type Parameters = Readonly<Record<string, string>>

/** A request that waits for its user. */
export interface SavedRequest {
  readonly parameters: Parameters
  readonly hasPicked: boolean
  readonly pickedPatient: string | null
  readonly consentedScope: string | null
  /** For whose record that was; null where it was for nobody's. */
  readonly consentedPatient: string | null
  /** Whether the login that goes on with it was made for it. */
  readonly isSignedInFor: boolean
}

interface NewRequest {
  readonly requestHash: string
  readonly parameters: Parameters
  /** Where it came from. */
  readonly addressHash: string
  readonly now: Date
  readonly expiresAt: Date
}

interface WaitingLimits {
  readonly perAddressMax: number
  readonly max: number
}

/** False where as many wait as may. Those who come at the same moment may be a few more. */
export async function saveRequest(
  { requestHash, parameters, addressHash, now, expiresAt }: NewRequest,
  { perAddressMax, max }: WaitingLimits,
  on: Queryable,
): Promise<boolean> {
  const saved = await on.run(sql`
    insert into auth.authorization_requests (request_hash, parameters, address_hash, created_at, expires_at)
    select ${requestHash}::text, ${json(parameters)}::jsonb, ${addressHash}::text, ${now}::timestamptz,
      ${expiresAt}::timestamptz
    where ${perAddressMax} > (select count(*) from (
        select from auth.authorization_requests
        where address_hash = ${addressHash} and expires_at > ${now} limit ${perAddressMax}) as of_address)
      and ${max} > (select count(*) from (
        select from auth.authorization_requests where expires_at > ${now} limit ${max}) as of_all)`)
  return saved === 1
}

const columns = sql`
  parameters, has_picked as "hasPicked", picked_patient as "pickedPatient", consented_scope as "consentedScope",
  consented_patient as "consentedPatient", is_signed_in_for as "isSignedInFor"`

/** For the login page, which only wants to say who asks. */
export function peekRequest(requestHash: string, now: Date, on: Queryable): Promise<SavedRequest | undefined> {
  return on.maybe(sql`
    select ${columns} from auth.authorization_requests where request_hash = ${requestHash} and expires_at > ${now}`)
}

/** The first session that goes on with a request owns it; nobody can finish what another has begun. */
export function takeUpRequest(
  requestHash: string,
  sessionHash: string,
  now: Date,
  on: Queryable,
): Promise<SavedRequest | undefined> {
  return on.maybe(sql`
    update auth.authorization_requests set session_hash = ${sessionHash}
    where request_hash = ${requestHash} and expires_at > ${now}
      and (session_hash is null or session_hash = ${sessionHash})
    returning ${columns}`)
}

/** A login for this request begins a session; what was chosen in the one before was another's to choose. */
export async function handOverRequest(requestHash: string, sessionHash: string, on: Queryable): Promise<void> {
  await on.run(sql`
    update auth.authorization_requests set session_hash = ${sessionHash}, is_signed_in_for = true,
      has_picked = false, picked_patient = null, consented_scope = null
    where request_hash = ${requestHash}`)
}

/** What waited for the same user in their login before goes on where it was. */
export async function handOverRequests(
  fromSession: string,
  to: { readonly sessionHash: string; readonly userId: string },
  on: Queryable,
): Promise<void> {
  await on.run(sql`
    update auth.authorization_requests r set session_hash = ${to.sessionHash}
    from auth.sessions s
    where r.session_hash = ${fromSession} and s.session_hash = r.session_hash and s.user_id = ${to.userId}`)
}

/** What the user had agreed to before was about somebody else. */
export async function savePick(
  requestHash: string,
  sessionHash: string,
  patient: string | null,
  on: Queryable,
): Promise<void> {
  await on.run(sql`
    update auth.authorization_requests set has_picked = true, picked_patient = ${patient},
      consented_scope = null
    where request_hash = ${requestHash} and session_hash = ${sessionHash}`)
}

interface Agreement {
  readonly scope: string
  /** Whose record the page was about. */
  readonly patient: string | null
}

/** What the user agreed to counts for this patient and no other, whoever is picked meanwhile. */
export async function saveConsent(
  requestHash: string,
  sessionHash: string,
  { scope, patient }: Agreement,
  on: Queryable,
): Promise<void> {
  await on.run(sql`
    update auth.authorization_requests set consented_scope = ${scope}, consented_patient = ${patient}
    where request_hash = ${requestHash} and session_hash = ${sessionHash}`)
}

/** False when the request was answered before. */
export async function endRequest(requestHash: string, on: Queryable): Promise<boolean> {
  return (await on.run(sql`delete from auth.authorization_requests where request_hash = ${requestHash}`)) === 1
}

/** What waits in the logins of these users, with whom they picked and what they agreed to. */
export async function endRequestsOf(userIds: readonly string[], on: Queryable): Promise<void> {
  await on.run(sql`
    delete from auth.authorization_requests where session_hash in (
      select s.session_hash from auth.sessions s where s.user_id = any (${userIds}::uuid[]))`)
}
