import type { Queryable, Transaction } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import type { Role } from '../../../packages/tokens/caller.ts'

export interface User {
  readonly id: string
  readonly username: string
  /** The FHIR id of the person; the `sub` of their tokens. */
  readonly subject: string
  /** `Practitioner/dr-amara` */
  readonly fhirUser: string
  readonly displayName: string
  readonly roles: readonly Role[]
  /** `Organization/central-hospital` */
  readonly organisation: string | null
  readonly passwordHash: string
  /** Sealed: see packages/keys/sealer.ts. */
  readonly totpSecret: string | null
  readonly source: Source
  readonly status: 'active' | 'disabled'
  /** By `corridor users disable`, and so until a command says otherwise. */
  readonly isDisabledByCommand: boolean
}

/** Who shuts somebody out: a start whose configuration declares them no more, or a command. */
export type DisabledBy = 'start' | 'command'

/** Who put a record here; only configuration and demo records are changed by a start. */
export type Source = 'configuration' | 'demo' | 'command'

export type NewUser = Omit<User, 'id' | 'subject' | 'status' | 'isDisabledByCommand'>

export const userColumns = sql`
  u.id, u.username, u.subject, u.fhir_user as "fhirUser", u.display_name as "displayName", u.roles, u.organisation,
  u.password_hash as "passwordHash", u.totp_secret as "totpSecret", u.source, u.status,
  u.disabled_by_command as "isDisabledByCommand"`

export function findActiveUser(username: string, on: Queryable): Promise<User | undefined> {
  return on.maybe(sql`
    select ${userColumns} from auth.users u where u.username = ${username.toLowerCase()} and u.status = 'active'`)
}

export function listUsers(on: Queryable): Promise<User[]> {
  return on.many(sql`select ${userColumns} from auth.users u order by u.username`)
}

/**
 * The same, held until the transaction ends: nobody else changes who is there meanwhile. Who is being added has no row yet, and
 * a register may have none at all: so that a person and a client of one id, or two accounts of one person, are not each looked
 * for before the other is there, whoever changes the register holds its own row first.
 */
export async function lockUsers(on: Transaction): Promise<User[]> {
  await on.one(sql`select one from auth.register where one for update`)
  // Only now: who was added while the row was waited for is among them.
  return on.many(sql`select ${userColumns} from auth.users u order by u.username for update`)
}

/** Whether a record is new in the register or was there. */
export type Saved = 'added' | 'kept'

/**
 * Adds the user, or brings a user of the same source up to date; undefined when the name belongs to another source. A
 * command adds nobody who is there, but brings back the same person who was disabled; who is active it changes where it
 * says so. Whom a command has disabled no declaration brings back.
 */
export async function saveUser(
  user: NewUser,
  id: string,
  now: Date,
  on: Queryable,
  { changesActive = user.source !== 'command' }: { readonly changesActive?: boolean } = {},
): Promise<Saved | undefined> {
  const row = await on.maybe<{ id: string }>(sql`
    insert into auth.users (id, username, subject, fhir_user, display_name, roles, organisation, password_hash,
      totp_secret, source, status, password_changed_at, created_at, updated_at)
    values (${id}, ${user.username.toLowerCase()}, ${subjectOf(user.fhirUser)}, ${user.fhirUser}, ${user.displayName},
      ${user.roles}::text[], ${user.organisation}, ${user.passwordHash}, ${user.totpSecret}, ${user.source}, 'active',
      ${now}, ${now}, ${now})
    on conflict (username) do update set
      subject = excluded.subject, fhir_user = excluded.fhir_user, display_name = excluded.display_name,
      roles = excluded.roles, organisation = excluded.organisation, password_hash = excluded.password_hash,
      totp_secret = excluded.totp_secret, updated_at = excluded.updated_at,
      status = case when auth.users.disabled_by_command and excluded.source <> 'command' then 'disabled'
        else 'active' end,
      disabled_by_command = auth.users.disabled_by_command and excluded.source <> 'command',
      password_changed_at = case when auth.users.password_hash = excluded.password_hash
        then auth.users.password_changed_at else excluded.password_changed_at end
    where auth.users.source = excluded.source
      and (${changesActive}
        or (auth.users.status = 'disabled' and auth.users.subject = excluded.subject))
    returning id`)
  if (row === undefined) return undefined
  return row.id === id ? 'added' : 'kept'
}

/** Gives an account another name, if nobody has that one. */
export async function renameUser(id: string, username: string, now: Date, on: Queryable): Promise<void> {
  await on.run(sql`
    update auth.users set username = ${username.toLowerCase()}, updated_at = ${now}
    where id = ${id} and not exists (select from auth.users u where u.username = ${username.toLowerCase()})`)
}

/** Answers with the ids of those that were active and are no longer. */
export async function disableUsers(
  usernames: readonly string[],
  by: DisabledBy,
  now: Date,
  on: Queryable,
): Promise<string[]> {
  const rows = await on.many<{ id: string }>(sql`
    update auth.users set status = 'disabled', disabled_by_command = ${by === 'command'}, updated_at = ${now}
    where username = any (${usernames.map((name) => name.toLowerCase())}::text[]) and status = 'active'
    returning id`)
  return rows.map(({ id }) => id)
}

/**
 * Whom a command disabled and nothing declares any more has no role left, until a declaration gives them some again.
 * Answers with the names of those who had any.
 */
export async function takeRolesOfGone(usernames: readonly string[], now: Date, on: Queryable): Promise<string[]> {
  const rows = await on.many<{ username: string }>(sql`
    update auth.users set roles = '{}', updated_at = ${now}
    where username = any (${usernames}::text[]) and disabled_by_command and roles <> '{}' returning username`)
  return rows.map(({ username }) => username)
}

/** Brings back one of these sources whom a command disabled and who is still declared; false when there is none. */
export async function bringUserBack(
  username: string,
  sources: readonly Source[],
  now: Date,
  on: Queryable,
): Promise<boolean> {
  const changed = await on.run(sql`
    update auth.users set status = 'active', disabled_by_command = false, updated_at = ${now}
    where username = ${username.toLowerCase()} and source = any (${sources}::text[]) and disabled_by_command
      and roles <> '{}'`)
  return changed === 1
}

export async function replacePassword(
  username: string,
  passwordHash: string,
  now: Date,
  on: Queryable,
): Promise<string | undefined> {
  const row = await on.maybe<{ id: string }>(sql`
    update auth.users set password_hash = ${passwordHash}, password_changed_at = ${now}, updated_at = ${now}
    where username = ${username.toLowerCase()} and source = 'command' and status = 'active' returning id`)
  return row?.id
}

/** The steps that were taken were of another secret. */
export async function setTotpSecret(
  username: string,
  sealed: string | null,
  now: Date,
  on: Queryable,
): Promise<string | undefined> {
  const row = await on.maybe<{ id: string }>(sql`
    update auth.users set totp_secret = ${sealed}, totp_last_step = 0, updated_at = ${now}
    where username = ${username.toLowerCase()} and source = 'command' and status = 'active' returning id`)
  return row?.id
}

/**
 * Whether the account is as it was when its password and its code were looked at. Locked: a reset at the same moment
 * either comes first, and then it is not, or finds the login and ends it.
 */
export async function isStillProven({ id, passwordHash, totpSecret }: User, on: Transaction): Promise<boolean> {
  const found = await on.maybe(sql`
    select 1 from auth.users u
    where u.id = ${id} and u.status = 'active' and u.password_hash = ${passwordHash}
      and u.totp_secret is not distinct from ${totpSecret}
    for share`)
  return found !== undefined
}

/** False when a code of this step, or of a later one, was taken before. */
export async function takeTotpStep(userId: string, step: number, on: Queryable): Promise<boolean> {
  const changed = await on.run(
    sql`update auth.users set totp_last_step = ${step} where id = ${userId} and totp_last_step < ${step}`,
  )
  return changed === 1
}

export const subjectOf = (fhirUser: string): string => fhirUser.slice(fhirUser.indexOf('/') + 1)

export function findUserBySubject(subject: string, on: Queryable): Promise<User | undefined> {
  return on.maybe(sql`select ${userColumns} from auth.users u where u.subject = ${subject} and u.status = 'active'`)
}

/** Puts the sealed secret in the place of the one that was read; somebody else may have been faster. */
export async function replaceTotpSecret(user: User, sealed: string, on: Queryable): Promise<void> {
  await on.run(sql`
    update auth.users set totp_secret = ${sealed} where id = ${user.id} and totp_secret = ${user.totpSecret}`)
}
