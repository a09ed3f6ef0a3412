import { Sealer } from '../../../packages/keys/sealer.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { listUsers, replaceTotpSecret } from '../store/users.ts'

/** Seals the secrets of one-time codes that were kept as they are before secrets were sealed. */
export async function sealSecrets({ database, sealer }: { database: Database; sealer: Sealer }): Promise<void> {
  for (const user of await listUsers(database)) {
    if (user.totpSecret === null || Sealer.isSealed(user.totpSecret)) continue
    await replaceTotpSecret(user, await sealer.seal(user.totpSecret, user.username), database)
  }
}
