import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { systemIds } from '../clock/ids.ts'
import { incorrect } from '../faults/fault.ts'
import type { Layout } from './layout.ts'
import { errorCode } from '../files/error-code.ts'
import { writeDurably } from './write-durably.ts'

/** The password of the server's superuser. It is made before the cluster, so a cluster without one has lost it. */
export async function makePassword(layout: Layout): Promise<string> {
  const password = systemIds.secret()
  await writeDurably(layout.password, password, 0o600)
  return password
}

export async function readPassword(layout: Layout): Promise<string> {
  const text = await readFile(layout.password, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return ''
    throw error
  })
  if (text.trim() !== '') return text.trim()
  throw incorrect(
    `The password of the embedded PostgreSQL is lost: ${layout.password} is missing or empty, but ${layout.cluster} ` +
      'holds data. Restore the file from a backup of the data directory.',
    { code: 'POSTGRES_PASSWORD_LOST' },
  )
}

/** The services sign in with a password of their own, made from the superuser's, so that one file keeps both. */
export function servicePassword(superuserPassword: string): string {
  return createHmac('sha256', superuserPassword).update('corridor').digest('base64url')
}
