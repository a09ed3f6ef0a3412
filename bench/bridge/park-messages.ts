import { sql } from '../../packages/sql/sql.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import { openCircuits } from './operator.ts'
import type { RunningCorridor } from './running-corridor.ts'
import { sendOne } from './send-one.ts'

/** A circuit that has opened stays so until somebody resets it. */
export const patientBreaker = { 'bridge.breaker.openMs': '3600000', 'bridge.breaker.openMsMax': '3600000' }

/**
 * Sends messages that are answered with AA and wait in the retry queue, as they do while the store is away: its disk is
 * full for as long as the circuit needs to open.
 */
export async function parkMessages(corridor: RunningCorridor, count: number, token: string): Promise<void> {
  const senders = await corridor.senders('adt', connections)
  await fillDisk(corridor)
  await waitFor(
    async () => {
      await Promise.all(senders.map((sender) => sendOne(sender, corridor.messages.admission())))
      return (await openCircuits(corridor.url('bridge'), token)).includes('fhir-server')
    },
    { what: 'the circuit of the store to open', deadlineMs: 60_000 },
  )
  await freeDisk(corridor)
  let left = count - (await parkedIn(corridor))
  await Promise.all(
    senders.map(async (sender) => {
      while (left-- > 0) await sendOne(sender, corridor.messages.admission())
      await sender.close()
    }),
  )
}

const connections = 32

/** How many messages are not through. */
export async function parkedIn({ database }: RunningCorridor): Promise<number> {
  const { count } = await database.one<{ count: number }>(
    sql`select count(*)::int as count from bridge.open_work where is_main`,
  )
  return count
}

export async function isDrained({ database }: RunningCorridor): Promise<boolean> {
  const { isEmpty } = await database.one<{ isEmpty: boolean }>(
    sql`select not exists (select from bridge.open_work) as "isEmpty"`,
  )
  return isEmpty
}

export async function failedIn({ database }: RunningCorridor): Promise<number> {
  const { count } = await database.one<{ count: number }>(
    sql`select count(*)::int as count from bridge.transactions where status = 'ERROR'`,
  )
  return count
}

const fillDisk = async ({ database }: RunningCorridor): Promise<void> => {
  await database.run(sql`
    create function fhir.no_room() returns trigger language plpgsql as
      $$ begin raise exception 'no room' using errcode = 'disk_full'; end $$`)
  await database.run(sql`
    create trigger no_room before insert on fhir.versions for each statement execute function fhir.no_room()`)
}

const freeDisk = async ({ database }: RunningCorridor): Promise<void> =>
  void (await database.run(sql`drop function fhir.no_room() cascade`))
