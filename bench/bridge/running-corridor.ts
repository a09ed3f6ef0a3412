import { systemClock } from '../../packages/clock/clock.ts'
import { variableOf } from '../../packages/config/schema.ts'
import { assert } from '../../packages/faults/fault.ts'
import { silentLog } from '../../packages/log/log.ts'
import { inspectPostgres } from '../../packages/postgres/inspect.ts'
import { layoutOf } from '../../packages/postgres/layout.ts'
import { readPostmasterPid } from '../../packages/postgres/postmaster-pid.ts'
import { openDatabase, type Database } from '../../packages/sql/database.ts'
import type { Child } from '../../packages/testkit/child.ts'
import { ownPlace, startCommand, type OwnPlace } from '../../packages/testkit/corridor-command.ts'
import { openHl7Sender, type Hl7Sender } from '../../packages/testkit/hl7-sender.ts'
import { diskFolder } from '../harness/disk-folder.ts'
import { afterWork } from './after-work.ts'
import { knownPatients, Messages } from './messages.ts'
import { sendOne } from './send-one.ts'

export interface CorridorOptions {
  readonly settings?: Readonly<Record<string, string>>
  readonly environment?: Readonly<Record<string, string>>
}

/** A whole Corridor as `npm start` runs it, in a process of its own, and people who send to it. */
export class RunningCorridor implements AsyncDisposable {
  /** The process of Corridor itself. */
  readonly child: Child
  /** A way to its database that is not its own. */
  readonly database: Database
  readonly postmasterPid: number
  readonly messages = new Messages()
  readonly #stack: AsyncDisposableStack
  readonly #place: OwnPlace

  private constructor(
    parts: Pick<RunningCorridor, 'child' | 'database' | 'postmasterPid'>,
    place: OwnPlace,
    stack: AsyncDisposableStack,
  ) {
    this.child = parts.child
    this.database = parts.database
    this.postmasterPid = parts.postmasterPid
    this.#place = place
    this.#stack = stack
  }

  static async start({ settings = {}, environment = {} }: CorridorOptions = {}): Promise<RunningCorridor> {
    await using stack = new AsyncDisposableStack()
    const { path: dataDir } = stack.use(await diskFolder())
    const place = stack.use(await ownPlace({ dataDir, 'log.level': 'error', ...manyConnections, ...settings }))
    const child = stack.use(await startCommand(['start', '--demo'], place, environment))
    // In good order: a PostgreSQL that outlives it would write into the folder while that is removed.
    stack.defer(async () => void (await child.kill('SIGTERM')))
    await child.waitForLine(/Corridor is ready/, { deadlineMs: 120_000 })
    const postgres = await inspectPostgres(dataDir)
    const postmaster = await readPostmasterPid(layoutOf(dataDir).cluster)
    assert(postgres.state === 'running' && typeof postmaster === 'object', 'a Corridor is ready without its database')
    const database = await openDatabase({ url: postgres.url, poolMax: 2, statementTimeoutMs: 600_000, log: silentLog })
    stack.defer(() => database.close())
    return new RunningCorridor({ child, database, postmasterPid: postmaster.pid }, place, stack.move())
  }

  /** The address of one of its services. */
  url(service: 'auth' | 'bridge'): string {
    return `http://localhost:${this.#place.environment[variableOf(`${service}.port`)]}`
  }

  /** Connections of a channel, each with one message at a time, as hospitals' engines send. */
  async senders(channel: 'adt' | 'oru', count: number): Promise<readonly Hl7Sender[]> {
    const first = Number(this.#place.environment[variableOf('bridge.mllpPort')])
    const port = first + (channel === 'adt' ? 0 : 1)
    return Promise.all(Array.from({ length: count }, () => openHl7Sender({ host: '127.0.0.1', port })))
  }

  /** So that the measured messages are about people who are there. */
  async admitKnownPatients(): Promise<void> {
    const senders = await this.senders('adt', 16)
    await Promise.all(
      senders.map(async (sender) => {
        for (let done = 0; done < knownPatients / senders.length; done++)
          await sendOne(sender, this.messages.admission())
        await sender.close()
      }),
    )
    await afterWork(this.database, systemClock)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync()
  }
}

/** Connections of the last variant may still be closing when the next one opens its own. */
const manyConnections = { 'bridge.channels.adt.maxConnections': '300', 'bridge.channels.oru.maxConnections': '300' }
