import { Batcher } from '../../../packages/sql/batcher.ts'
import type { Database } from '../../../packages/sql/database.ts'
import type { IsRevoked } from '../../../packages/tokens/verifier.ts'
import { areRevoked, type RevocableToken } from '../store/revocations.ts'

/** Whether a token is revoked at this very moment: whoever asks at the same time is answered by one look. */
export function revocationCheck(database: Database): IsRevoked {
  const looks = new Batcher({ write: (tokens: readonly RevocableToken[]) => areRevoked(tokens, database) })
  return (token) => looks.submit(token)
}
