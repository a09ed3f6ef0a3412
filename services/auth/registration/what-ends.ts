import { Fault } from '../../../packages/faults/fault.ts'
import { Sealer } from '../../../packages/keys/sealer.ts'
import { isRelated, isStaff } from '../authorize/negotiate-scope.ts'
import type { NewUser, User } from '../store/users.ts'

/**
 * What a declaration that differs from the one before ends of an account. Another person: everything, for apps were let
 * into the record of the one before. Staff who are only a patient's relative from now on: the same, for nothing tells
 * whether a patient was picked or is the one beside whom they stand (decision 1059). Another password or another second
 * factor: every login and what lives on one, as `corridor users reset-password` and `corridor users totp` do; the proof
 * before may be known to somebody else.
 */
export async function whatEnds(
  before: User | undefined,
  user: NewUser,
  sealer: Sealer,
): Promise<'everything' | 'logins' | undefined> {
  if (before === undefined) return undefined
  if (before.fhirUser !== user.fhirUser || isOnlyRelatedNow(before, user)) return 'everything'
  if (before.passwordHash !== user.passwordHash) return 'logins'
  return (await hasAnotherFactor(before, user, sealer)) ? 'logins' : undefined
}

/** Nothing tells any more whether a patient was picked or is the one beside whom they stand. */
export const isOnlyRelatedNow = (before: User, user: NewUser): boolean => isStaff(before) && isRelated(user)

/** Whether a declaration gives an account the first second factor or another one, or takes it away. */
export async function hasOtherCodes(before: User, user: NewUser, sealer: Sealer): Promise<boolean> {
  return user.totpSecret === null ? before.totpSecret !== null : hasAnotherFactor(before, user, sealer)
}

/** Sealed twice, one secret looks like two. One that is taken away ends nothing: who is signed in has proven more. */
async function hasAnotherFactor(before: User, user: NewUser, sealer: Sealer): Promise<boolean> {
  if (user.totpSecret === null) return false
  const now = await sealer.open(user.totpSecret, user.username.toLowerCase())
  return (await secretBefore(before, sealer)) !== now
}

/** Undefined where there was none, or one that nobody can open any more: a declared secret is there in its file. */
async function secretBefore({ totpSecret, username }: User, sealer: Sealer): Promise<string | undefined> {
  if (totpSecret === null) return undefined
  if (!Sealer.isSealed(totpSecret)) return totpSecret
  try {
    return await sealer.open(totpSecret, username)
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code === 'SEALED_SECRET_UNREADABLE') return undefined
    throw thrown
  }
}
