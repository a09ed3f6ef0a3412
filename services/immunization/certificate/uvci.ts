import { createHash } from 'node:crypto'
import type { Clock } from '../../../packages/clock/clock.ts'
import type { Ids } from '../../../packages/clock/ids.ts'
import type { CertifiedPerson } from './certified-dose.ts'

/**
 * A new certificate id: 64 bits of a digest of name, birth date, time and chance. The chance keeps anyone from finding
 * the person by trying names and dates.
 */
export function newUvci(issuerCode: string, patient: CertifiedPerson, deps: { clock: Clock; ids: Ids }): string {
  const parts = [patient.name ?? '', patient.birthDate ?? '', deps.clock.now().toISOString(), deps.ids.secret(16)]
  const digest = createHash('sha256').update(parts.join('\0')).digest('hex')
  return `URN:UVCI:01:${issuerCode}:${digest.slice(0, 16).toUpperCase()}`
}
