import type { Command } from 'commander'
import { systemClock } from '../../../../packages/clock/clock.ts'
import { openKeyStore } from '../../../../packages/keys/key-store.ts'
import { earlierNow } from '../../../../packages/sql/earlier-now.ts'
import { listKeys, removeKey, rotateKeys, type KeyDeps } from '../../../../services/auth/cli/keys.ts'
import type { CliDeps } from '../../../../services/auth/cli/cli-deps.ts'
import { refuseLostSigningKeys, refuseNoSigningKeys } from '../../run/lost-keys.ts'
import type { DatabaseWish } from '../../run/with-database.ts'
import { table } from '../../table.ts'
import type { AccountCommands } from './account-command.ts'

/** `corridor keys`: the keys that tokens are signed with. */
export function addKeyCommands(
  corridor: Command,
  { common, say, configurationOf, onDatabase, onFirstDatabase }: AccountCommands,
): void {
  const onKeys = <Result>(
    command: Command,
    work: (deps: KeyDeps) => Promise<Result>,
    { mayBegin = false }: DatabaseWish = {},
  ) => {
    const inKeys = async (deps: CliDeps) => {
      const directory = configurationOf(command).auth.keyDirectory
      // Whoever looks at the keys of a directory that is not mounted, or misspelt, must not make one there.
      if (!mayBegin) {
        if (deps.mode === 'production') await refuseLostSigningKeys(directory, deps)
        await refuseNoSigningKeys(directory)
      }
      const deletesAt = () => earlierNow(systemClock, deps.database)
      const signingKeys = await openKeyStore({ directory, clock: systemClock, log: deps.log, deletesAt })
      return work({ ...deps, signingKeys })
    }
    return (mayBegin ? onFirstDatabase : onDatabase)(command, inKeys)
  }

  const keys = corridor.command('keys').description('the keys that tokens are signed with')
  common(keys.command('list'))
    .description('every key with its state')
    .action((_options, command: Command) =>
      onKeys(command, async (deps) => {
        const rows = listKeys(deps).map(({ kid, state, currentFrom, retiresAt }) => [
          kid,
          state,
          currentFrom.toISOString(),
          retiresAt?.toISOString() ?? '',
        ])
        say(table(['key', 'state', 'signs from', 'published until'], rows))
      }),
    )
  common(keys.command('rotate'))
    .description('make a new key; it is published now and signs in an hour')
    .option('--immediately', 'sign with it at once, for a key that has been stolen')
    .addHelpText('after', rotateHelp)
    .action((options: { immediately?: boolean }, command: Command) =>
      onKeys(
        command,
        async (deps) => {
          const { kid, currentFrom } = await rotateKeys(options, deps)
          say(`The key ${kid} signs from ${currentFrom.toISOString()}.`)
        },
        { mayBegin: true },
      ),
    )
  common(keys.command('remove'))
    .description('withdraw a key; what it has signed is refused as soon as everybody has heard of it')
    .argument('<key>')
    .action((kid: string, _options, command: Command) =>
      onKeys(command, async (deps) => {
        await removeKey(kid, deps)
        say(`The key ${kid} is withdrawn.`)
      }),
    )
}

const rotateHelp = `
Without --immediately nobody notices: every verifier has the new key before it
signs. With it, other copies of the authorization server take the key up within
five seconds, and services in other processes at most ten seconds later. Tokens
of the new key may be refused in the meantime; clients ask again.

A stolen key signs no more after that. To have what it has signed refused, too:
corridor keys remove <key>`
