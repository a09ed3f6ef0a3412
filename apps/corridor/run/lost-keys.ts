import { existsSync } from 'node:fs'
import type { Clock } from '../../../packages/clock/clock.ts'
import { missing, unavailable } from '../../../packages/faults/fault.ts'
import { readKeys } from '../../../packages/keys/key-files.ts'
import { checkSealingKey } from '../../../packages/keys/sealer.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { sealedSecrets } from '../../../services/auth/registration/sealed-secrets.ts'
import { hasLiveGrants } from '../../../services/auth/store/grants.ts'
import type { Configuration } from '../configuration.ts'

interface LostKeysDeps {
  readonly database: Database
  readonly clock: Clock
}

/**
 * Keys that the database knows of and the key directory lacks: a volume that is not mounted looks like a first start,
 * and a key made in its place is one that no other copy knows. A demo may begin anew whenever it likes.
 */
export async function refuseLostKeys({ mode, auth }: Configuration, deps: LostKeysDeps): Promise<void> {
  if (mode !== 'production') return
  await refuseLostSigningKeys(auth.keyDirectory, deps)
  await refuseLostSealingKey(auth.keyDirectory, deps)
}

export async function refuseLostSigningKeys(directory: string, { database, clock }: LostKeysDeps): Promise<void> {
  if ((await hasSigningKeys(directory)) || !(await hasLiveGrants(clock.now(), database))) return
  throw unavailable(
    `The key directory ${directory} has no signing key, and people and apps have tokens that one has signed. Mount the ` +
      'directory, or restore it from your backup. Only where the keys are lost: "corridor keys rotate --immediately" makes ' +
      'new ones, and everybody signs in again.',
    { code: 'SIGNING_KEYS_LOST' },
  )
}

/** For who only wants to see the keys that are there. */
export async function refuseNoSigningKeys(directory: string): Promise<void> {
  if (await hasSigningKeys(directory)) return
  throw missing(
    `The key directory ${directory} has no signing key. Check auth.keyDirectory; where it is right, Corridor was never ` +
      'started with it, and its first start makes a key.',
    { code: 'NO_SIGNING_KEYS' },
  )
}

/** Only looked for: where the directory is not there, none is made. */
const hasSigningKeys = async (directory: string): Promise<boolean> =>
  existsSync(directory) && (await readKeys(directory)).length > 0

/** Who is declared has the secret in a file, and every start seals that anew. */
async function refuseLostSealingKey(directory: string, { database }: LostKeysDeps): Promise<void> {
  if (await checkSealingKey(directory)) return
  const lost = (await sealedSecrets(database)).filter(({ source }) => source === 'command')
  if (lost.length === 0) return
  throw unavailable(
    `The key directory ${directory} has no sealing-key, and the secrets of one-time codes are sealed with one. Mount the ` +
      'directory, or restore that file from your backup. Only where it is lost: "corridor users totp ' +
      `${lost[0]?.username}" makes another, and everyone with one-time codes needs a new secret by that command.`,
    { code: 'SEALING_KEY_LOST' },
  )
}
