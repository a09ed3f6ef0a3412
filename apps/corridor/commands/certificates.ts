import type { Command } from 'commander'
import { missing } from '../../../packages/faults/fault.ts'
import { findCertificate } from '../../../services/immunization/store/certificates.ts'
import { table } from '../table.ts'
import type { AccountCommands } from './accounts/account-command.ts'

/** `corridor certificates`: where a printed certificate comes from. */
export function addCertificateCommands(
  corridor: Command,
  { common, say, onDatabase }: Pick<AccountCommands, 'common' | 'say' | 'onDatabase'>,
): void {
  const certificates = corridor.command('certificates').description('vaccination certificates that were made')
  common(certificates.command('find'))
    .description('for whom a certificate was made, when and by whom, by the id that is printed on it')
    .argument('<id>', 'URN:UVCI:01:…')
    .action((id: string, _options: object, command: Command) =>
      onDatabase(command, async ({ database }) => {
        const found = await findCertificate(id.trim().toUpperCase(), database)
        if (found === undefined) throw missing('No certificate of this id was made here.')
        const { patientId, issuedAt, subject } = found
        say(table(['patient', 'made at', 'by'], [[`Patient/${patientId}`, issuedAt.toISOString(), subject ?? '–']]))
      }),
    )
}
