import type { Command } from 'commander'
import { conflict, incorrect, missing } from '../../../packages/faults/fault.ts'
import { forget, givenUp, queueStates, tryAgain } from '../../../packages/sql/tasks/given-up.ts'
import { auditWork } from '../../../services/auth/cli/audit-work.ts'
import { table } from '../table.ts'
import type { AccountCommands } from './accounts/account-command.ts'

/** `corridor background`: what is worked on after the answer, and what of it was given up. */
export function addBackgroundCommands(
  corridor: Command,
  { common, say, onDatabase }: Pick<AccountCommands, 'common' | 'say' | 'onDatabase'>,
): void {
  const background = corridor
    .command('background')
    .description('what is told to others after the answer, and what of it was given up')
    .addHelpText('after', help)
  common(background.command('list'))
    .description('every queue that holds something: what waits, since when, and what was given up')
    .action((_options: object, command: Command) =>
      onDatabase(command, async ({ database }) => {
        const rows = (await queueStates(database)).map(({ queue, waiting, oldest, dead }) => [
          ...[queue, String(waiting), oldest?.toISOString() ?? '–', String(dead)],
        ])
        say(rows.length === 0 ? 'Nothing waits, and nothing was given up.' : table(listHeads, rows))
      }),
    )
  common(background.command('dead'))
    .description(`what a queue has given up, and why: the oldest ${shownMax} of it`)
    .argument('<queue>', 'as list names it')
    .action((queue: string, _options: object, command: Command) =>
      onDatabase(command, async ({ database }) => {
        const found = await givenUp(queue, shownMax, database)
        const rows = found.map(({ id, createdAt, deadAt, attempts, lastError }) => [
          ...[id, createdAt.toISOString(), deadAt.toISOString(), String(attempts), oneLine(lastError ?? '')],
        ])
        say(rows.length === 0 ? `Nothing of ${queue} was given up.` : table(deadHeads, rows))
      }),
    )
  common(background.command('retry'))
    .description('let what was given up be tried again, when its reason is mended')
    .argument('<queue>', 'as list names it')
    .argument('[id...]', 'only these, as dead names them; otherwise all of the queue')
    .action((queue: string, ids: string[], _options: object, command: Command) =>
      onDatabase(command, async (deps) => {
        checkIds(ids)
        const count = await tryAgain(queue, ids, {
          ...deps,
          audit: (some, tx) => auditWork(tx, `${some} of ${queue} to be tried again`, deps),
        })
        if (count === 0) throw missing(noneOf(queue))
        say(`${count} of ${queue} will be tried again within seconds, where its service runs.`)
      }),
    )
  common(background.command('remove'))
    .description('forget what was given up and needs to be told to nobody any more')
    .argument('<queue>', 'as list names it')
    .argument('<id...>', 'as dead names them')
    .action((queue: string, ids: string[], _options: object, command: Command) =>
      onDatabase(command, async (deps) => {
        checkIds(ids)
        // Each is named by its own service, and no other command needs to load all of them.
        const { auditQueues } = await import('./audit-queues.ts')
        if (auditQueues.includes(queue))
          throw conflict(`What ${queue} has given up are audit records: they stay. Retry them.`)
        const count = await forget(queue, ids, {
          ...deps,
          audit: (some, tx) => auditWork(tx, `${some} of ${queue} removed, of these: ${ids.join(' ')}`, deps),
        })
        if (count === 0) throw missing(noneOf(queue))
        say(`${count} of ${queue} removed.`)
      }),
    )
}

const shownMax = 100

const listHeads = ['queue', 'waiting', 'oldest since', 'given up']
const deadHeads = ['id', 'waited from', 'given up at', 'attempts', 'why']

/** It may hold what another system has answered, and that must not steer the terminal. */
const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\s]+/gu, ' ')

const noneOf = (queue: string): string => `Nothing like that of ${queue} was given up.`

function checkIds(ids: readonly string[]): void {
  const wrong = ids.find((id) => !uuid.test(id))
  if (wrong !== undefined) throw incorrect(`${wrong} is not an id; "corridor background dead <queue>" names them.`)
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

const help = `
What a message, a consent, a referral or a sign-in has to tell to others waits in
queues, is tried again by itself, and is given up only where the other side
refuses it for good or it has failed for long. Then it is kept, and
CorridorBackgroundDead tells of it.

Examples:
  corridor background list                       what waits, and what was given up
  corridor background dead bridge.audit.syslog   why
  corridor background retry bridge.audit.syslog  once that is mended`
