import { Command, CommanderError } from 'commander'
import { faultOf } from '../../packages/faults/fault.ts'
import { accountCommands } from './commands/accounts/account-command.ts'
import { addClientCommands } from './commands/accounts/clients.ts'
import { addKeyCommands } from './commands/accounts/keys.ts'
import { addUserCommands } from './commands/accounts/users.ts'
import { addAuditCommands } from './commands/audit.ts'
import { addBackgroundCommands } from './commands/background.ts'
import { addBackupCommands } from './commands/backup.ts'
import { addCertificateKeyCommands } from './commands/certificate-keys.ts'
import { addCertificateCommands } from './commands/certificates.ts'
import { config } from './commands/config.ts'
import { addHl7Commands } from './commands/hl7/hl7.ts'
import { migrate } from './commands/migrate.ts'
import type { Signals } from './commands/start.ts'
import { addTerminologyCommands } from './commands/terminology.ts'
import type { TourDeps } from './commands/tour/tour.ts'
import { addTourCommand } from './commands/tour/tour-command.ts'
import { corridorVersion } from './run/version.ts'
import { sentenceOf } from './sentence-of.ts'
import { serviceNames } from './service-names.ts'
import type { Terminal } from './terminal.ts'

/** What a command has of the world around it. */
interface CommandLineDeps {
  readonly terminal: Terminal
  readonly input: TourDeps['input']
  readonly signals: Signals
  readonly environment: Readonly<Record<string, string | undefined>>
}

/**
 * Runs a command to its end and answers with its exit code. Everything that goes wrong is said in one sentence on
 * standard error, and the code is 1.
 */
export async function runCommandLine(words: readonly string[], deps: CommandLineDeps): Promise<number> {
  let code = 0
  const finish = (result: number) => {
    code = result
  }
  try {
    await program(deps, finish).parseAsync(withKeysLast(words), { from: 'user' })
    return code
  } catch (thrown) {
    return thrown instanceof CommanderError ? thrown.exitCode : complain(thrown, deps.terminal)
  }
}

/** A key's id is made of its bytes: one in 64 begins with a hyphen, and would be taken for an option that nobody knows. */
function withKeysLast(words: readonly string[]): string[] {
  const isKey = (word: string) => /^-[\w-]{42}$/.test(word)
  return words.some(isKey) ? [...words.filter((word) => !isKey(word)), '--', ...words.filter(isKey)] : [...words]
}

function complain(thrown: unknown, terminal: Terminal): number {
  const fault = faultOf(thrown)
  terminal.err(
    `${fault.kind === 'bug' ? `This is a bug of Corridor: ${fault.message}\n${fault.stack ?? ''}` : sentenceOf(fault)}\n`,
  )
  return 1
}

function program({ terminal, signals, input, environment }: CommandLineDeps, finish: (code: number) => void): Command {
  const corridor = new Command('corridor')
    .description('The open health-information exchange: HL7v2 in, consented FHIR R4 out, SMART apps on top.')
    .version(corridorVersion(), '-v, --version')
    .option('-c, --config <file>', 'configuration file (YAML); otherwise CORRIDOR_CONFIG')
    .option('--demo', 'demo mode, unless the configuration names a mode')
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .showSuggestionAfterError()
    .showHelpAfterError('What there is: the same command with --help.')
    .addHelpText('after', helpEnd)

  const choiceOf = (command: Command) => {
    const { config: file, demo } = command.optsWithGlobals<{ config?: string; demo?: boolean }>()
    return { file, demo, environment }
  }

  common(corridor.command('start'))
    .description('start everything, or only the named services, and run until stopped')
    .argument('[service...]', `some of ${serviceNames.join(', ')}`)
    .action(async (words: string[], _options, command: Command) => {
      // All services come with it: no other command needs to load them.
      const { start } = await import('./commands/start.ts')
      finish(await start(words, choiceOf(command), terminal, signals))
    })

  common(corridor.command('config'))
    .description('print the effective configuration, secrets that are set as ***')
    .option('--reference', 'print every key with its default and meaning instead')
    .action((options: { reference?: boolean }, command: Command) => {
      finish(config({ ...choiceOf(command), ...options }, terminal))
    })

  common(corridor.command('migrate'))
    .description('bring the database up to date (start does so too)')
    .option('--check', 'only say what is waiting; exit 1 when something is')
    .option('--dump', 'print the schema afterwards')
    .action(async (options: { check?: boolean; dump?: boolean }, command: Command) => {
      finish(await migrate({ ...choiceOf(command), ...options }, terminal))
    })

  common(corridor.command('doctor'))
    .description('check Node, configuration, disk, database, clock, keys and ports, and say what to do')
    .argument('[service...]', `only what these need, as start is given them: some of ${serviceNames.join(', ')}`)
    .option('--json', 'as JSON')
    .action(async (words: string[], options: { json?: boolean }, command: Command) => {
      // It asks the services themselves what they would refuse.
      const { doctor } = await import('./commands/doctor.ts')
      finish(await doctor(words, { ...choiceOf(command), ...options }, terminal))
    })

  addTourCommand(corridor, { terminal, input, signals: () => signals, common, choiceOf, finish })
  const accounts = accountCommands({ terminal, common, choiceOf })
  addKeyCommands(corridor, accounts)
  addCertificateKeyCommands(corridor, accounts)
  addCertificateCommands(corridor, accounts)
  addClientCommands(corridor, accounts)
  addUserCommands(corridor, { ...accounts, terminal, input })
  addTerminologyCommands(corridor, accounts)
  addAuditCommands(corridor, { ...accounts, finish })
  addBackgroundCommands(corridor, accounts)
  addBackupCommands(corridor, { terminal, signals, common, choiceOf, finish })
  addHl7Commands(corridor, { terminal, input, common, choiceOf, finish })
  return corridor
}

/** The options that make sense before and after the command's name. */
function common(command: Command): Command {
  return command
    .option('-c, --config <file>', 'configuration file (YAML); otherwise CORRIDOR_CONFIG')
    .option('--demo', 'demo mode, unless the configuration names a mode')
}

const helpEnd = `
Every key of the configuration can be set by file or environment: auth.port is
CORRIDOR_AUTH_PORT. All of them: corridor config --reference

Examples:
  corridor start --demo                       everything, with demo data, on an embedded PostgreSQL
  corridor tour                               a guided walk through that demo
  corridor start auth fhir -c corridor.yaml   two services of a larger deployment
  corridor doctor -c corridor.yaml            is this machine ready?
  corridor hl7 convert messages.hl7           what do these messages become?`
