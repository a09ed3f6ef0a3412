import type { Command } from 'commander'
import { audit } from '../../../services/auth/audit/audit.ts'
import { auditDeps, type CliDeps } from '../../../services/auth/cli/cli-deps.ts'
import { openCertificateKeys, type CertificateKeys } from '../../../services/immunization/certificate/keys.ts'
import { table } from '../table.ts'
import type { AccountCommands } from './accounts/account-command.ts'

/** `corridor certificate-keys`: the keys that vaccination certificates are signed with. */
export function addCertificateKeyCommands(
  corridor: Command,
  { common, say, configurationOf, onDatabase }: AccountCommands,
): void {
  const onKeys = <Result>(command: Command, work: (keys: CertificateKeys, deps: CliDeps) => Promise<Result>) =>
    onDatabase(command, async (deps) => {
      const { certificateIssuer, certificateKeySecret } = configurationOf(command, 'immunization').immunization
      const { database, clock, log } = deps
      const options = { database, clock, log, issuerCode: certificateIssuer, secret: certificateKeySecret }
      return work(await openCertificateKeys(options), deps)
    })

  const keys = corridor
    .command('certificate-keys')
    .description('the keys that vaccination certificates are signed with')
  common(keys.command('list'))
    .description('every key with its state')
    .action((_options, command: Command) =>
      onKeys(command, async (known) => {
        const rows = known.list().map(({ kid, state, currentFrom }) => [kid, state, currentFrom.toISOString()])
        say(table(['key', 'state', 'signs from'], rows))
      }),
    )
  common(keys.command('rotate'))
    .description('make a new key before its time; it is published now and signs in a day')
    .option('--immediately', 'sign with it at once, for a key that has been stolen or cannot be opened')
    .addHelpText('after', rotateHelp)
    .action((options: { immediately?: boolean }, command: Command) =>
      onKeys(command, async (known, deps) => {
        const made = await known.rotate(options)
        await audit(
          { event: 'signing key rotated', reason: `of certificates ${made}`, operator: deps.operator },
          auditDeps(deps),
        )
        const from = known.list().find(({ kid }) => kid === made)?.currentFrom
        say(`The key ${made} signs certificates from ${from?.toISOString() ?? 'now'}.`)
      }),
    )
  common(keys.command('withdraw'))
    .description('publish a key no more; every certificate that it has signed becomes invalid')
    .argument('<key>')
    .action((kid: string, _options, command: Command) =>
      onKeys(command, async (known, deps) => {
        await known.withdraw(kid)
        const withdrawn = { reason: `of certificates, withdrawn ${kid}`, operator: deps.operator }
        await audit({ event: 'signing key rotated', ...withdrawn }, auditDeps(deps))
        say(`The key ${kid} is withdrawn.`)
      }),
    )
}

const rotateHelp = `
A new key is made by itself every immunization.certificateKeyDays, so this is for
other occasions. Without --immediately every reader has the new key before it
signs. Copies of the immunization app take up what is done here within a minute.
Old keys stay published, so that what they have signed stays good.

It needs immunization.certificateKeySecret where the keys are sealed with one: run
it where the immunization app's secret is set.

A stolen key signs no more after --immediately. To have every certificate that
it has signed refused, too, also the honest ones:
corridor certificate-keys withdraw <key>`
