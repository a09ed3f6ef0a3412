import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { systemIds } from '../clock/ids.ts'
import { incorrect } from '../faults/fault.ts'
import type { Layout } from './layout.ts'
import { errorCode } from '../files/error-code.ts'
import { writeDurably } from './write-durably.ts'

/**
 * The password of the server's superuser. It is made before the cluster, so a cluster without one has lost it; and one
 * that is kept is never replaced, because the cluster it opens may only be away.
 */
export async function ensurePassword(layout: Layout): Promise<void> {
  if ((await keptPassword(layout)) === '') await writeDurably(layout.password, systemIds.secret(), 0o600)
}

export async function readPassword(layout: Layout): Promise<string> {
  const password = await keptPassword(layout)
  if (password !== '') return password
  throw incorrect(
    `The password of the embedded PostgreSQL is lost: ${layout.password} is missing or empty, but ${layout.cluster} ` +
      'holds data. Restore the file from a backup of the data directory.',
    { code: 'POSTGRES_PASSWORD_LOST' },
  )
}

/** Empty where there is none. */
async function keptPassword(layout: Layout): Promise<string> {
  const text = await readFile(layout.password, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return ''
    throw error
  })
  return text.trim()
}

/** The services sign in with a password of their own, made from the superuser's, so that one file keeps both. */
export function servicePassword(superuserPassword: string): string {
  return createHmac('sha256', superuserPassword).update('corridor').digest('base64url')
}
