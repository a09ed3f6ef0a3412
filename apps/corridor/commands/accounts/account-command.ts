import type { Command } from 'commander'
import { systemClock } from '../../../../packages/clock/clock.ts'
import { systemIds } from '../../../../packages/clock/ids.ts'
import { Sealer } from '../../../../packages/keys/sealer.ts'
import type { Log } from '../../../../packages/log/log.ts'
import type { Database } from '../../../../packages/sql/database.ts'
import type { CliDeps } from '../../../../services/auth/cli/cli-deps.ts'
import type { Configuration } from '../../configuration.ts'
import { corridorConfiguration, type ConfigurationChoice } from '../../load-configuration.ts'
import type { ServiceName } from '../../service-names.ts'
import { withDatabase, type DatabaseWish } from '../../run/with-database.ts'
import type { Terminal } from '../../terminal.ts'
import { operatorOf } from './operator.ts'

/** What the commands about accounts are made of. */
export interface AccountCommands {
  /** Adds the options that every command takes. */
  readonly common: (command: Command) => Command
  readonly say: (text: string) => void
  /** @param secretsOf the groups whose secrets the command needs, beside the address of the database */
  readonly configurationOf: (command: Command, ...secretsOf: readonly ServiceName[]) => Configuration
  readonly onDatabase: OnDatabase
  /** The same for what may be put in before the first start: an embedded database that is not there yet is made. */
  readonly onFirstDatabase: OnDatabase
}

type OnDatabase = <Result>(command: Command, work: (deps: CliDeps) => Promise<Result>) => Promise<Result>

export function accountCommands(options: {
  readonly terminal: Terminal
  readonly common: (command: Command) => Command
  readonly choiceOf: (command: Command) => ConfigurationChoice
}): AccountCommands {
  const { terminal, common, choiceOf } = options
  const databaseWith =
    (wish: DatabaseWish): OnDatabase =>
    (command, work) => {
      const loaded = corridorConfiguration({ ...choiceOf(command), secretsOf: ['database'] })
      const { mode, auth } = loaded.configuration
      const operator = operatorOf(choiceOf(command).environment)
      const worked = (database: Database, log: Log) =>
        work({
          ...{ database, log, mode, operator, clock: systemClock, ids: systemIds, auditToFhir: auth.auditToFhir },
          allowsLoopbackKeySets: auth.loopbackKeySets,
          sealer: new Sealer(auth.keyDirectory),
        })
      return withDatabase(loaded, terminal, worked, wish)
    }
  return {
    common,
    say: (text) => terminal.out(`${text}\n`),
    configurationOf: (command, ...more) =>
      corridorConfiguration({ ...choiceOf(command), secretsOf: ['database', ...more] }).configuration,
    onDatabase: databaseWith({}),
    onFirstDatabase: databaseWith({ mayBegin: true }),
  }
}
