import type { Command } from 'commander'
import { systemClock } from '../../../packages/clock/clock.ts'
import { unavailable } from '../../../packages/faults/fault.ts'
import { makeBackup } from '../backup/make-backup.ts'
import { bytesOf, type Manifest } from '../backup/manifest.ts'
import { restoreBackup } from '../backup/restore-backup.ts'
import { sizeOf } from '../backup/size.ts'
import { verifyBackup } from '../backup/verify-backup.ts'
import type { Configuration } from '../configuration.ts'
import { Life } from '../life.ts'
import { corridorConfiguration, type ConfigurationChoice } from '../load-configuration.ts'
import { calledAs } from '../run/called-as.ts'
import { commandLog } from '../run/command-log.ts'
import { makeProgress, type Progress, type Terminal } from '../terminal.ts'
import type { Signals } from './start.ts'

interface BackupCommandDeps {
  readonly terminal: Terminal
  readonly signals: Signals
  readonly common: (command: Command) => Command
  readonly choiceOf: (command: Command) => ConfigurationChoice
  readonly finish: (code: number) => void
}

/** `corridor backup` and `corridor restore`: of the embedded database and its keys. */
export function addBackupCommands(corridor: Command, deps: BackupCommandDeps): void {
  const { terminal, common, choiceOf, finish } = deps
  // No mode is checked, and nothing migrated: a backup is what one wants before either.
  const configurationOf = (command: Command) =>
    corridorConfiguration({ ...choiceOf(command), secretsOf: ['database'] }).configuration
  const backup = common(corridor.command('backup'))
    .description('copy the embedded database and the keys into a new folder, while Corridor runs')
    .argument('<folder>', 'it must not be there yet, and lie on another disk if you can')
    .addHelpText('after', backupHelp)
    .action((folder: string, _options: object, command: Command) =>
      withProgress(deps, async (progress, stop) => {
        const manifest = await backUp(configurationOf(command), folder, { terminal, progress, stop })
        progress.done()
        terminal.out(`${aboutOf(manifest)}\n${secrecy}\n`)
      }),
    )
  common(backup.command('verify'))
    .description('read every byte of a backup; exit 1 where something was altered or is missing')
    .argument('<folder>')
    .action((folder: string) =>
      withProgress(deps, async (progress, stop) => {
        const { manifest, wrong, isOpenToOthers } = await verifyBackup(folder, { progress, stop })
        progress.done()
        if (isOpenToOthers)
          terminal.err(`WARNING: Other users of this machine may read ${folder}. Run "chmod 700" on it.\n`)
        const more = wrong.length > shownMax ? [`… and ${wrong.length - shownMax} more.`] : []
        const lines =
          wrong.length === 0 ? [`${aboutOf(manifest)} It is whole.`] : [...wrong.slice(0, shownMax), ...more]
        terminal.out(`${lines.join('\n')}\n`)
        finish(wrong.length === 0 ? 0 : 1)
      }),
    )
  common(corridor.command('restore'))
    .description('put a backup into a data directory that is empty or not there')
    .argument('<folder>', 'what `corridor backup` made')
    .addHelpText('after', restoreHelp)
    .action((folder: string, _options: object, command: Command) =>
      withProgress(deps, async (progress, stop) => {
        const configuration = configurationOf(command)
        const manifest = await restoreBackup(configuration, folder, { progress, stop })
        progress.done()
        terminal.out(`${aboutOf(manifest)} It is restored in ${configuration.dataDir}.\n${afterwards()}\n`)
      }),
    )
}

const shownMax = 20

const aboutOf = (manifest: Manifest): string =>
  `Backup of ${manifest.takenAt}, by Corridor ${manifest.corridor} on PostgreSQL ${manifest.postgres}: ` +
  `${manifest.files.length} files, ${sizeOf(bytesOf(manifest))}.`

const secrecy = 'It holds every record and every key: keep it as closed as the data directory itself.'

const afterwards = () =>
  'What was said to anybody after that moment is undone: docs/operations.md says what to do about it before the first ' +
  `message. Then: ${calledAs()} doctor, and start.`

/** The first signal ends what is under way in good order: nothing half-written is left. */
async function withProgress(
  { terminal, signals }: BackupCommandDeps,
  work: (progress: Progress, stop: AbortSignal) => Promise<void>,
): Promise<void> {
  const stopping = new AbortController()
  void signals.first().then(() => stopping.abort(unavailable('Stopped. Nothing half-written is left.')))
  const progress = makeProgress(terminal)
  try {
    await work(progress, stopping.signal)
  } finally {
    progress.abandon()
  }
}

interface Under {
  readonly terminal: Terminal
  readonly progress: Progress
  readonly stop: AbortSignal
}

async function backUp(configuration: Configuration, folder: string, { terminal, ...under }: Under): Promise<Manifest> {
  const log = commandLog(configuration, terminal)
  const life = new Life()
  try {
    return await makeBackup(configuration, folder, { ...under, life, log, clock: systemClock })
  } finally {
    await life.end({ log, clock: systemClock })
  }
}

const backupHelp = `
Messages go on while it is made, and every message that was acknowledged before it
ended is in it. A Corridor that does not run is backed up the same way.

The folder holds all patients' data, the password of the database and the keys that
tokens are signed with: whoever reads it can be anybody. It is made for you alone
(mode 0700); keep it so, encrypt what leaves the machine. It does not hold your
configuration, nor immunization.certificateKeySecret: keep these apart.

Only for the embedded database. One that database.url names is backed up by the
tools of PostgreSQL: docs/operations.md, "Backup and restore".

Examples:
  corridor backup /mnt/backups/2026-03-04
  corridor backup verify /mnt/backups/2026-03-04`

const restoreHelp = `
Into the data directory (CORRIDOR_DATA_DIR) and the key directory of this
configuration, both empty or not there: nothing is ever written over. Every file is
held against the manifest of the backup. Run it as the user that Corridor runs as.

What was said after the backup is undone, revoked consents among it: read
docs/operations.md, "What a restore to an earlier moment undoes", before you start.

Example:
  corridor restore /mnt/backups/2026-03-04`
