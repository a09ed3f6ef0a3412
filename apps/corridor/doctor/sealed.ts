import type { Clock } from '../../../packages/clock/clock.ts'
import { faultOf } from '../../../packages/faults/fault.ts'
import { checkSealingKey, Sealer } from '../../../packages/keys/sealer.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { listUsers } from '../../../services/auth/store/users.ts'
import { readSigningKey } from '../../../services/immunization/certificate/keys/signing-key.ts'
import { signingKeys } from '../../../services/immunization/certificate/store/signing-keys.ts'
import type { Configuration } from '../configuration.ts'
import { bad, good, type Finding } from './finding.ts'

/** What lies sealed in the database opens with what lies beside it: a restore that lacks either half looks well. */
export async function checkSealed(configuration: Configuration, database: Database, clock: Clock): Promise<Finding[]> {
  return [
    ...(await certificateKey(configuration.immunization.certificateKeySecret, database, clock)),
    ...(await oneTimeCodes(configuration.auth.keyDirectory, database)),
  ]
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
  const sealed = (await listUsers(database)).filter(({ status }) => status === 'active').flatMap(sealedSecret)
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

const sealedSecret = ({ username, totpSecret }: { readonly username: string; readonly totpSecret: string | null }) =>
  totpSecret !== null && Sealer.isSealed(totpSecret) ? [{ username, secret: totpSecret }] : []

const people = (count: number) => (count === 1 ? 'one person' : `${count} people`)
