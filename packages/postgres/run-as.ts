import { chown, readFile, stat } from 'node:fs/promises'
import { incorrect, unavailable } from '../faults/fault.ts'

/** The user that PostgreSQL runs as; empty means the user Corridor runs as. */
export interface RunAs {
  readonly uid?: number
  readonly gid?: number
}

/**
 * PostgreSQL refuses to run as root. As root it runs as the owner of an existing cluster, else as `postgres` when the
 * system has that user, else as `nobody`; no user is created. An ordinary user runs it as itself.
 */
export async function runAsFor(cluster: string): Promise<RunAs> {
  const uid = process.getuid?.()
  const owner = await ownerOf(cluster)
  if (uid !== 0) {
    if (uid !== undefined && owner !== undefined && owner.uid !== uid) throw othersCluster(cluster, owner.uid)
    return {}
  }
  if (owner !== undefined && owner.uid !== 0) return owner
  const found = chooseUser(await readFile('/etc/passwd', 'utf8'))
  if (found !== undefined) return found
  throw unavailable(
    'PostgreSQL cannot run as root, and this system has neither a user postgres nor a user nobody. ' +
      'Start Corridor as an ordinary user, or set CORRIDOR_DATABASE_URL to a PostgreSQL of your own.',
    { code: 'POSTGRES_NO_USER' },
  )
}

export async function giveTo(path: string, runAs: RunAs): Promise<void> {
  if (runAs.uid !== undefined && runAs.gid !== undefined) await chown(path, runAs.uid, runAs.gid)
}

/** @param passwd the text of /etc/passwd */
export function chooseUser(passwd: string): Required<RunAs> | undefined {
  const users = new Map(passwd.split('\n').map((line) => [line.split(':')[0], line.split(':')]))
  for (const name of ['postgres', '_postgres', 'nobody']) {
    const user = users.get(name)
    // macOS writes nobody as -2; the system call takes the same bits without a sign.
    const [uid, gid] = [Number(user?.[2]) >>> 0, Number(user?.[3]) >>> 0]
    if (user !== undefined && uid !== 0) return { uid, gid }
  }
  return undefined
}

async function ownerOf(path: string): Promise<Required<RunAs> | undefined> {
  const found = await stat(path).catch(() => undefined)
  return found && { uid: found.uid, gid: found.gid }
}

function othersCluster(cluster: string, uid: number) {
  return incorrect(
    `${cluster} belongs to the user with the id ${uid}. Start Corridor as that user or as root, ` +
      'or set CORRIDOR_DATA_DIR to another folder.',
    { code: 'POSTGRES_OTHER_OWNER' },
  )
}
