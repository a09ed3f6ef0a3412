import type { Command } from 'commander'
import { systemClock } from '../../../packages/clock/clock.ts'
import { loadTerminology } from '../../../services/fhir/terminology/load.ts'
import type { AccountCommands } from './accounts/account-command.ts'
import { readTextFile } from './read-file.ts'

/** `corridor terminology`: more codes than may legally ship. */
export function addTerminologyCommands(corridor: Command, { common, say, onFirstDatabase }: AccountCommands): void {
  const terminology = corridor.command('terminology').description('code systems, value sets and maps')
  common(terminology.command('load'))
    .description('load a CodeSystem, ValueSet, ConceptMap or Bundle (JSON), or a table of codes (CSV)')
    .argument('<file>')
    .option('--system <address>', 'the code system of a table that does not name it')
    .option('--complete', 'the table holds every code of the system')
    .action((file: string, options: { system?: string; complete?: boolean }, command: Command) =>
      onFirstDatabase(command, async ({ database }) => {
        const { system, complete } = options
        const table = {
          ...(system === undefined ? {} : { system }),
          ...(complete === undefined ? {} : { isComplete: complete }),
        }
        await loadTerminology(await readTextFile(file), table, {
          database,
          clock: systemClock,
          onProgress: ({ type, url, size }) => say(`${type} ${url}: ${size} entries`),
        })
      }),
    )
}
