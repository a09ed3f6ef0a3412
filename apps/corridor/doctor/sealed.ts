import type { Clock } from '../../../packages/clock/clock.ts'
import { faultOf } from '../../../packages/faults/fault.ts'
import { checkSealingKey, Sealer } from '../../../packages/keys/sealer.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { sealedSecrets } from '../../../services/auth/registration/sealed-secrets.ts'
import { readSigningKey } from '../../../services/immunization/certificate/keys/signing-key.ts'
import { signingKeys } from '../../../services/immunization/certificate/store/signing-keys.ts'
import type { Configuration } from '../configuration.ts'
import { refuseLostSigningKeys } from '../run/lost-keys.ts'
import type { CheckDeps } from './check-deps.ts'
import { bad, good, type Finding } from './finding.ts'

/** What the database knows of keys fits those that lie beside it: a restore that lacks either half looks well. */
export async function checkSealed(
  configuration: Configuration,
  { database, clock, running }: CheckDeps & { readonly database: Database },
): Promise<Finding[]> {
  const { auth, immunization } = configuration
  return [
    ...(running.includes('auth') ? await tokens(configuration, { database, clock }) : []),
    ...(running.includes('immunization')
      ? await certificateKey(immunization.certificateKeySecret, database, clock)
      : []),
    ...(running.includes('auth') ? await oneTimeCodes(auth.keyDirectory, database) : []),
  ]
}

async function tokens({ mode, auth }: Configuration, deps: { database: Database; clock: Clock }): Promise<Finding[]> {
  if (mode !== 'production') return []
  try {
    await refuseLostSigningKeys(auth.keyDirectory, deps)
    return []
  } catch (thrown) {
    const { code, shown } = faultOf(thrown)
    // What is wrong with keys that are there, `checkKeys` says.
    return code === 'SIGNING_KEYS_LOST' ? [bad('Tokens', shown, 'The sentence above says what to do.')] : []
  }
}

async function certificateKey(secret: string | undefined, database: Database, clock: Clock): Promise<Finding[]> {
  const keys = await signingKeys(database)
  const current = keys.findLast(({ currentFrom }) => currentFrom <= clock.now()) ?? keys[0]
  if (current === undefined) return []
  try {
    await readSigningKey(current, secret)
    return [good('Certificate key', `${current.kid} opens`)]
  } catch (thrown) {
    return [bad('Certificate key', faultOf(thrown).shown, 'The sentence above says what to do.')]
  }
}

/** One is enough: all are sealed with the same key. It is only looked for here, never made. */
async function oneTimeCodes(directory: string, database: Database): Promise<Finding[]> {
  const check = 'One-time codes'
  const sealed = await sealedSecrets(database)
  const [first] = sealed
  if (first === undefined) return []
  try {
    if (!(await checkSealingKey(directory))) {
      const says = `${directory} has no sealing-key, and the secrets of ${people(sealed.length)} are sealed with one`
      return [bad(check, says, 'Restore that file from your backup before the first start: none of them can sign in.')]
    }
    await new Sealer(directory).open(first.secret, first.username)
    return [good(check, `the secrets of ${people(sealed.length)} open`)]
  } catch (thrown) {
    return [bad(check, faultOf(thrown).shown, 'The sentence above says what to do.')]
  }
}

const people = (count: number) => (count === 1 ? 'one person' : `${count} people`)
