import { systemIds } from '../../packages/clock/ids.ts'
import { assert } from '../../packages/faults/fault.ts'
import { silentLog } from '../../packages/log/log.ts'
import { openDatabase } from '../../packages/sql/database.ts'
import { challengeOf } from '../../services/auth/authorize/code-challenge.ts'
import { digestOf } from '../../services/auth/secrets/digest.ts'
import { addCode } from '../../services/auth/store/codes.ts'
import { addSession } from '../../services/auth/store/sessions.ts'
import { findActiveUser } from '../../services/auth/store/users.ts'

export const redirectUri = 'http://localhost:3000/callback'

/** Codes that the demo's clinician has just been given for the demo app. */
export async function makeCodes(count: number, verifier: string, databaseUrl: string): Promise<string[]> {
  const database = await openDatabase({ url: databaseUrl, poolMax: 4, log: silentLog })
  const user = await findActiveUser('clinician', database)
  assert(user !== undefined, 'the demo has a clinician')
  const sessionHash = digestOf(systemIds.secret())
  const codes = Array.from({ length: count }, () => systemIds.secret())
  await database.transaction(async (tx) => {
    await addSession({ sessionHash, userId: user.id, expiresAt: tomorrow() }, new Date(), tx)
    for (const code of codes) await addCode(digestOf(code), codeOf(user.id, sessionHash, verifier), tx)
  })
  await database.close()
  return codes
}

function codeOf(userId: string, sessionHash: string, verifier: string): Parameters<typeof addCode>[1] {
  return {
    ...{ grantId: systemIds.uuid(), clientId: 'demo-app', userId, sessionHash, redirectUri },
    codeChallenge: challengeOf(verifier),
    scope: 'openid fhirUser offline_access',
    ...{ patient: null, encounter: null, nonce: null, signedInAt: new Date() },
    ...{ sessionExpiresAt: tomorrow(), expiresAt: tomorrow() },
  }
}

const tomorrow = () => new Date(Date.now() + 86_400_000)
