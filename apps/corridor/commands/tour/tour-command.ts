import type { Command } from 'commander'
import type { ConfigurationChoice } from '../../load-configuration.ts'
import type { Terminal } from '../../terminal.ts'
import type { Signals } from '../start.ts'
import type { TourDeps } from './tour.ts'

interface TourCommandDeps {
  readonly terminal: Terminal
  readonly input: TourDeps['input']
  readonly signals: () => Signals
  readonly common: (command: Command) => Command
  readonly choiceOf: (command: Command) => ConfigurationChoice
  readonly finish: (code: number) => void
}

export function addTourCommand(corridor: Command, deps: TourCommandDeps): void {
  const { common, choiceOf, finish, signals, ...rest } = deps
  common(corridor.command('tour'))
    .description('a walk through the demo: messages, records, a referral, and a consent that is revoked')
    .option('-y, --yes', 'do not wait for Enter between the parts; so it is where nobody watches')
    .option('--open', 'open the pages in a browser at the end')
    .addHelpText('after', helpEnd)
    .action(async (options: { yes?: boolean; open?: boolean }, command: Command) => {
      // It may start a whole Corridor, which no other command needs to load.
      const { tour } = await import('./tour.ts')
      finish(await tour({ ...choiceOf(command), ...options }, { ...rest, signals: signals() }))
    })
}

const helpEnd = `
It takes about a minute. It uses the demo that runs at the configured addresses,
and starts one where nothing listens. Every tour makes up a patient of its own,
so it can be repeated; nothing else is changed.

Exit codes: 0 it went as told; 1 it did not, and what to do about it; 130 you left.`
