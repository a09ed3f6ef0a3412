import { variableOf } from '../../../packages/config/schema.ts'
import { silentLog } from '../../../packages/log/log.ts'
import { openDatabase, type Database } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import type { Child } from '../../../packages/testkit/child.ts'
import { ownPlace, startCommand, type OwnPlace } from '../../../packages/testkit/corridor-command.ts'
import { testCorridorDatabase } from '../../../packages/testkit/test-corridor.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import type { Boundary } from '../../../services/bridge/pipeline/boundaries.ts'
import { channelIds, type ChannelId } from '../../../services/bridge/pipeline/channel.ts'
import { endOldLeases } from './end-old-leases.ts'
import type { Senders } from '../crowd/senders.ts'
import { fatesIn, type Fates } from '../findings/message-fates.ts'

const crashAt = new URL('../troubles/crash-at.ts', import.meta.url)

/** A database and ports for Corridors that are killed, one after the other. */
export async function corridorPlace(settings: Readonly<Record<string, string>> = {}): Promise<CorridorPlace> {
  const owned = new AsyncDisposableStack()
  const own = owned.use(await testCorridorDatabase())
  const database = await openDatabase({ url: own.url, poolMax: 2, log: silentLog })
  owned.defer(() => database.close())
  const place = owned.use(
    await ownPlace({ 'database.url': own.url, 'database.poolMax': '6', 'bridge.leaseMs': '4000', ...settings }),
  )
  return new CorridorPlace({ database, place, owned })
}

interface PlaceParts {
  readonly database: Database
  readonly place: OwnPlace
  readonly owned: AsyncDisposableStack
}

export class CorridorPlace implements AsyncDisposable {
  readonly database: Database
  readonly #parts: PlaceParts
  readonly #children: Child[] = []

  constructor(parts: PlaceParts) {
    this.#parts = parts
    this.database = parts.database
  }

  portOf(channel: ChannelId): number {
    return Number(this.#parts.place.environment[variableOf('bridge.mllpPort')]) + channelIds.indexOf(channel)
  }

  /** Starts what was built, the services that a message passes through; it may be told to kill itself somewhere. */
  async start(crash?: { readonly at: Boundary; readonly after: number }): Promise<Child> {
    const words = ['start', '--demo', 'auth', 'fhir', 'consent', 'bridge']
    const variables =
      crash === undefined
        ? {}
        : { NODE_OPTIONS: `--import ${crashAt}`, CORRIDOR_TEST_CRASH: `boundary ${crash.at} ${crash.after}` }
    const child = await startCommand(words, this.#parts.place, variables)
    this.#children.push(child)
    // The tests' server has no autovacuum; without statistics a search among thousands of results takes seconds. Now,
    // while the program loads: the two wait for each other in nothing.
    await this.database.run(sql`analyze fhir.resources, fhir.tokens, fhir.reference_values, fhir.dates, fhir.versions`)
    return child
  }

  /**
   * Resolves when no message is at work or parked, and nothing waits to be evaluated, delivered or audited.
   * @param isPatient what the dead had in hand is waited for until somebody takes it up
   */
  async untilDone({ isPatient }: { readonly isPatient: boolean }): Promise<void> {
    const nothingIsLeft = async () => {
      if (!isPatient) await endOldLeases(this.database)
      const left = await this.database.many<{ what: string; count: number }>(sql`
        select 'messages' as what, count(*)::int as count from bridge.open_work having count(*) > 0 union all
        select queue || ' for attempt ' || attempts + 1, count(*)::int from kit.outbox group by queue, attempts union all
        select 'deliveries', count(*)::int from bridge.deliveries where status = 'waiting' having count(*) > 0`)
      if (left.length > 0) throw new Error(left.map(({ what, count }) => `${count} × ${what}`).join(', '))
      return true
    }
    const deadlineMs = isPatient ? 400_000 : 120_000
    await waitFor(nothingIsLeft, { what: 'nothing left to do', deadlineMs, everyMs: 100 })
  }

  /** What the history of the store, the log and the deliveries say that should not be. */
  async fatesOf(senders: Senders): Promise<Fates> {
    const [stored, undelivered] = [await storedNumbers(senders, this.database), await this.#undelivered()]
    return { ...stored, faults: [...undelivered, ...stored.faults] }
  }

  async #undelivered(): Promise<string[]> {
    const rows = await this.database.many<{ what: string }>(sql`
      select v.type || ' ' || v.version || ' ' || coalesce(d.status, 'nobody was told') as what
      from fhir.versions v
      join (values ('Patient', 'sub-01-patient-upsert'), ('Observation', 'sub-06-critical-result')) as s (type, id)
        on s.type = v.type
      left join bridge.deliveries d
        on d.resource = v.type || '/' || v.id and d.version_id = v.version::text and d.subscription_id = s.id
      where v.content like '%"NK%' and d.status is distinct from 'delivered'`)
    return rows.map(({ what }) => `not delivered: ${what}`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#children) await child.kill()
    await this.#parts.owned.disposeAsync()
  }
}

/** Every message of every sender, beside what the store was changed by. */
export async function storedNumbers(senders: Senders, database: Database): Promise<Fates> {
  const written = await writtenNumbers(database)
  const parts = senders.each.map(({ patient, acknowledged, wrongAnswers }) => {
    const numbers = written.get(patient) ?? []
    const isRight = numbers.length === acknowledged && numbers.every((number, index) => number === index + 1)
    const faults = isRight ? [] : [`${patient}: ${acknowledged} acknowledged, stored ${numbers.join(' ')}`]
    const { size } = new Set(numbers)
    return { faults: [...faults, ...wrongAnswers], lost: acknowledged - size, twice: numbers.length - size }
  })
  return fatesIn(senders, parts)
}

/**
 * By patient, the numbers of their messages in the order in which they changed the store: every version of the Patient
 * has a name with the number, every Observation is that of one message and has one version.
 */
async function writtenNumbers(database: Database): Promise<ReadonlyMap<string, readonly number[]>> {
  const rows = await database.many<{ said: string }>(sql`
    select coalesce(
      (regexp_match(content, '"given":\\["N(K[0-9]+-[0-9]+)"\\]'))[1],
      (regexp_match(content, '"valueString":"N(K[0-9]+-[0-9]+)"'))[1]) as said
    from fhir.versions where type in ('Patient', 'Observation') and content like '%"NK%'
    order by last_updated, version`)
  const parts = rows.flatMap(({ said }) => (said === null ? [] : [said.split('-')]))
  const groups = Map.groupBy(parts, ([patient = '']) => patient)
  return new Map([...groups].map(([patient, list]) => [patient, list.map(([, number]) => Number(number))]))
}
