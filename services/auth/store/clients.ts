import type { Queryable, Transaction } from '../../../packages/sql/database.ts'
import { json, named, sql } from '../../../packages/sql/sql.ts'
import type { Role } from '../../../packages/tokens/caller.ts'
import type { DisabledBy, Saved, Source } from './users.ts'

export const grantTypes = ['authorization_code', 'refresh_token', 'client_credentials'] as const
export type GrantType = (typeof grantTypes)[number]

export const authMethods = ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'] as const
export type AuthMethod = (typeof authMethods)[number]

/** A registered client, by the names of RFC 7591 where it has them. */
export interface Client {
  readonly clientId: string
  readonly clientName: string
  readonly redirectUris: readonly string[]
  readonly launchUri: string | null
  readonly grantTypes: readonly GrantType[]
  readonly authMethods: readonly AuthMethod[]
  readonly secretHash: string | null
  /** The secret before the last; it serves until its time is over. */
  readonly retiringSecretHash: string | null
  readonly retiringUntil: Date | null
  readonly jwks: { readonly keys: readonly object[] } | null
  readonly jwksUri: string | null
  /** The most that it can be granted. */
  readonly scope: string
  /** Of its own tokens (client_credentials); a user's tokens have the user's roles. */
  readonly roles: readonly Role[]
  readonly organisation: string | null
  /** Its tokens also name the platform audience. */
  readonly isFirstParty: boolean
  readonly allowedOrigins: readonly string[]
  readonly requiresConsent: boolean
  readonly patientPicker: 'auto' | 'never'
  readonly accessTokenSeconds: number | null
  readonly refreshTokenSeconds: number | null
  readonly contacts: readonly string[]
  readonly logoUri: string | null
  readonly policyUri: string | null
  readonly tosUri: string | null
  readonly source: Source
  readonly status: 'active' | 'disabled'
  /** By `corridor clients disable`, and so until a command says otherwise. */
  readonly isDisabledByCommand: boolean
  /** What its own tokens (client_credentials) are revoked by; another one after each time that they were. */
  readonly ownGrantId: string
}

export type NewClient = Omit<
  Client,
  'status' | 'isDisabledByCommand' | 'ownGrantId' | 'retiringSecretHash' | 'retiringUntil'
>

const columns = sql`
  c.client_id as "clientId", c.client_name as "clientName", c.redirect_uris as "redirectUris",
  c.launch_uri as "launchUri", c.grant_types as "grantTypes", c.auth_methods as "authMethods",
  c.secret_hash as "secretHash", c.retiring_secret_hash as "retiringSecretHash", c.retiring_until as "retiringUntil",
  c.jwks, c.jwks_uri as "jwksUri", c.scope, c.roles, c.organisation, c.is_first_party as "isFirstParty",
  c.allowed_origins as "allowedOrigins", c.requires_consent as "requiresConsent", c.patient_picker as "patientPicker",
  c.access_token_seconds as "accessTokenSeconds", c.refresh_token_seconds as "refreshTokenSeconds", c.contacts,
  c.logo_uri as "logoUri", c.policy_uri as "policyUri", c.tos_uri as "tosUri", c.source, c.status,
  c.disabled_by_command as "isDisabledByCommand", c.own_grant_id as "ownGrantId"`

export function findActiveClient(clientId: string, on: Queryable): Promise<Client | undefined> {
  return on.maybe(
    named(
      'auth-client',
      sql`select ${columns} from auth.clients c where c.client_id = ${clientId} and c.status = 'active'`,
    ),
  )
}

export function listClients(on: Queryable): Promise<Client[]> {
  return on.many(sql`select ${columns} from auth.clients c order by c.client_id`)
}

/** The same, held until the transaction ends: nobody else changes what is there meanwhile. */
export function lockClients(on: Transaction): Promise<Client[]> {
  return on.many(sql`select ${columns} from auth.clients c order by c.client_id for update`)
}

/** The apps that the portal can launch. */
export function launchableClients(on: Queryable): Promise<Client[]> {
  return on.many(sql`
    select ${columns} from auth.clients c where c.status = 'active' and c.launch_uri is not null
    order by c.client_name, c.client_id`)
}

export async function isRegisteredOrigin(origin: string, on: Queryable): Promise<boolean> {
  const { found } = await on.one<{ found: boolean }>(sql`
    select exists (
      select from auth.clients c where c.status = 'active' and c.allowed_origins @> array[${origin}]::text[]
    ) as found`)
  return found
}

/**
 * Adds the client, or brings a client of the same source up to date; undefined when the id belongs to another source. A
 * command adds none that is there, but brings back one that was disabled; what it had as a secret before is worth nothing
 * then. One that is active it changes where it says so. What a command has disabled no declaration brings back.
 */
export async function saveClient(
  client: NewClient,
  now: Date,
  on: Queryable,
  { changesActive = client.source !== 'command' }: { readonly changesActive?: boolean } = {},
): Promise<Saved | undefined> {
  const row = await on.maybe<{ createdAt: Date }>(sql`
    insert into auth.clients (client_id, client_name, redirect_uris, launch_uri, grant_types, auth_methods, secret_hash,
      jwks, jwks_uri, scope, roles, organisation, is_first_party, allowed_origins, requires_consent, patient_picker,
      access_token_seconds, refresh_token_seconds, contacts, logo_uri, policy_uri, tos_uri, source, status, created_at,
      updated_at)
    values (${client.clientId}, ${client.clientName}, ${client.redirectUris}::text[], ${client.launchUri},
      ${client.grantTypes}::text[], ${client.authMethods}::text[], ${client.secretHash},
      ${client.jwks === null ? null : json(client.jwks)}::jsonb, ${client.jwksUri}, ${client.scope},
      ${client.roles}::text[], ${client.organisation}, ${client.isFirstParty}, ${client.allowedOrigins}::text[],
      ${client.requiresConsent}, ${client.patientPicker}, ${client.accessTokenSeconds}, ${client.refreshTokenSeconds},
      ${client.contacts}::text[], ${client.logoUri}, ${client.policyUri}, ${client.tosUri}, ${client.source}, 'active',
      ${now}, ${now})
    on conflict (client_id) do update set
      client_name = excluded.client_name, redirect_uris = excluded.redirect_uris, launch_uri = excluded.launch_uri,
      grant_types = excluded.grant_types, auth_methods = excluded.auth_methods, secret_hash = excluded.secret_hash,
      jwks = excluded.jwks, jwks_uri = excluded.jwks_uri, scope = excluded.scope, roles = excluded.roles,
      organisation = excluded.organisation, is_first_party = excluded.is_first_party,
      allowed_origins = excluded.allowed_origins, requires_consent = excluded.requires_consent,
      patient_picker = excluded.patient_picker, access_token_seconds = excluded.access_token_seconds,
      refresh_token_seconds = excluded.refresh_token_seconds, contacts = excluded.contacts,
      logo_uri = excluded.logo_uri, policy_uri = excluded.policy_uri, tos_uri = excluded.tos_uri,
      status = case when auth.clients.disabled_by_command and excluded.source <> 'command' then 'disabled'
        else 'active' end,
      disabled_by_command = auth.clients.disabled_by_command and excluded.source <> 'command',
      retiring_until = case when auth.clients.status = 'active' then auth.clients.retiring_until end,
      updated_at = excluded.updated_at
    where auth.clients.source = excluded.source
      and (${changesActive} or auth.clients.status = 'disabled')
    returning created_at as "createdAt"`)
  if (row === undefined) return undefined
  return row.createdAt.getTime() === now.getTime() ? 'added' : 'kept'
}

/** Answers with the ids of those that were active and are no longer. */
export async function disableClients(
  clientIds: readonly string[],
  by: DisabledBy,
  now: Date,
  on: Queryable,
): Promise<string[]> {
  const rows = await on.many<{ clientId: string }>(sql`
    update auth.clients set status = 'disabled', disabled_by_command = ${by === 'command'}, updated_at = ${now}
    where client_id = any (${clientIds}::text[]) and status = 'active' returning client_id as "clientId"`)
  return rows.map(({ clientId }) => clientId)
}

/**
 * What a command disabled and nothing declares any more may ask for nothing, until a declaration says what. Answers with
 * the ids of those that could.
 */
export async function takeGrantTypesOfGone(clientIds: readonly string[], now: Date, on: Queryable): Promise<string[]> {
  const rows = await on.many<{ clientId: string }>(sql`
    update auth.clients set grant_types = '{}', updated_at = ${now}
    where client_id = any (${clientIds}::text[]) and disabled_by_command and grant_types <> '{}'
    returning client_id as "clientId"`)
  return rows.map(({ clientId }) => clientId)
}

/** Brings back one of these sources that a command disabled and that is still declared; false when there is none. */
export async function bringClientBack(
  clientId: string,
  sources: readonly Source[],
  now: Date,
  on: Queryable,
): Promise<boolean> {
  const changed = await on.run(sql`
    update auth.clients set status = 'active', disabled_by_command = false, updated_at = ${now}
    where client_id = ${clientId} and source = any (${sources}::text[]) and disabled_by_command
      and grant_types <> '{}'`)
  return changed === 1
}

/** The old secret goes on serving until the given time, so that a client can be changed over without a gap. */
export async function replaceSecret(
  clientId: string,
  secretHash: string,
  retiringUntil: Date,
  now: Date,
  on: Queryable,
): Promise<boolean> {
  const changed = await on.run(sql`
    update auth.clients set retiring_secret_hash = secret_hash, retiring_until = ${retiringUntil},
      secret_hash = ${secretHash}, updated_at = ${now}
    where client_id = ${clientId} and source = 'command' and status = 'active' and secret_hash is not null`)
  return changed === 1
}

/** Whether there is a client of this id that may come; a person of that id could be taken for it. */
export async function isClientId(subject: string, on: Queryable): Promise<boolean> {
  const { found } = await on.one<{ found: boolean }>(sql`
    select exists (select from auth.clients c where c.client_id = ${subject} and c.status = 'active') as found`)
  return found
}

/** Whether a person already has this id; a client of that name could be taken for them. */
export async function isSubject(clientId: string, on: Queryable): Promise<boolean> {
  const { found } = await on.one<{ found: boolean }>(sql`
    select exists (select from auth.users u where u.subject = ${clientId}) as found`)
  return found
}
