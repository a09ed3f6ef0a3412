import { Sealer } from '../../../packages/keys/sealer.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { listUsers, type Source } from '../store/users.ts'

interface SealedSecret {
  readonly username: string
  readonly source: Source
  readonly secret: string
}

/** The secrets of one-time codes, of everyone who may sign in, that lie sealed in the database. */
export async function sealedSecrets(database: Database): Promise<SealedSecret[]> {
  const users = (await listUsers(database)).filter(({ status }) => status === 'active')
  return users.flatMap(({ username, source, totpSecret }) =>
    totpSecret !== null && Sealer.isSealed(totpSecret) ? [{ username, source, secret: totpSecret }] : [],
  )
}
