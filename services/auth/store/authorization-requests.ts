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
  readonly createdAt: Date
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
  created_at as "createdAt"`

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

/** A login ends one session and begins another; what waited goes along with it. */
export async function handOverRequest(requestHash: string, sessionHash: string, on: Queryable): Promise<void> {
  await on.run(sql`
    update auth.authorization_requests set session_hash = ${sessionHash}, has_picked = false, picked_patient = null,
      consented_scope = null
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

/** For the patient that was picked; where it is another by now, nothing is agreed to. */
export async function saveConsent(
  requestHash: string,
  sessionHash: string,
  { scope, pickedPatient }: { readonly scope: string; readonly pickedPatient: string | null },
  on: Queryable,
): Promise<void> {
  await on.run(sql`
    update auth.authorization_requests set consented_scope = ${scope}
    where request_hash = ${requestHash} and session_hash = ${sessionHash}
      and picked_patient is not distinct from ${pickedPatient}`)
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
