import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '../../../packages/log/log.ts'
import { openDatabase, type Database } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { startChild, type Child, type ChildOptions } from '../../../packages/testkit/child.ts'
import { freePort } from '../../../packages/testkit/free-port.ts'
import type { TestDatabase } from '../../../packages/testkit/test-database.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import { bridgeDatabase } from '../../../services/bridge/testing/bridge-database.ts'
import type { Senders } from '../crowd/senders.ts'
import { builtProgram } from './built-program.ts'
import { numberedTables } from './numbered-store.ts'
import { fatesIn, type Fates } from '../findings/message-fates.ts'

const script = new URL('bridge-process.ts', import.meta.url)

type OwnDatabase = Pick<TestDatabase, 'url' | 'drop'>

interface BridgePlaceOptions {
  /** One of its own unless given. */
  readonly given?: OwnDatabase
  /** Many are killed: what is paid once, so that each of them starts quickly, is paid. */
  readonly hasManyLives?: boolean
  /**
   * After so long without a word a bridge is taken for dead, and says AE until it has noticed. Short unless said, for
   * what others left to be taken over soon; long where a busy machine must not be taken for a death.
   */
  readonly leaseMs?: number
}

/** A database for bridges that are killed, and a port that they take in turn. */
export async function bridgePlace(options: BridgePlaceOptions = {}): Promise<BridgePlace> {
  const { given, hasManyLives = false, leaseMs = 4_000 } = options
  const own = given ?? (await bridgeDatabase())
  const database = await openDatabase({ url: own.url, poolMax: 2, log: silentLog })
  await database.run(numberedTables)
  const folder = await mkdtemp(join(tmpdir(), 'corridor-bridges-'))
  const program = {
    script: hasManyLives ? await builtProgram(script, folder) : script,
    args: [own.url, hasManyLives ? '4' : '8', String(leaseMs)],
    // What one of them has compiled the others need not.
    env: { NODE_COMPILE_CACHE: folder },
  }
  return new BridgePlace({ own, database, port: await freePort(), folder, program, hasManyLives })
}

interface PlaceParts {
  readonly own: OwnDatabase
  readonly database: Database
  readonly port: number
  readonly folder: string
  readonly program: ChildOptions
  readonly hasManyLives: boolean
}

export class BridgePlace implements AsyncDisposable {
  readonly database: Database
  readonly port: number
  readonly #parts: PlaceParts
  /** Those that live. The numbers of the dead may be those of others by now. */
  readonly #children = new Set<Child>()
  /** The next one, loaded and waiting for its word. */
  #next: Promise<Child> | undefined

  constructor(parts: PlaceParts) {
    this.#parts = parts
    this.database = parts.database
    this.port = parts.port
  }

  /** Starts a bridge that listens; with a boundary and a number it kills itself there. */
  async start(port = this.port, ...crash: readonly string[]): Promise<Child> {
    const child = await (this.#next ?? this.#load())
    child.say(['go', port, ...crash].join(' '))
    if (this.#parts.hasManyLives) this.#next = this.#load()
    return child
  }

  async #load(): Promise<Child> {
    const child = await startChild(this.#parts.program)
    this.#children.add(child)
    void child.ended.then(() => this.#children.delete(child))
    return child
  }

  async started(port = this.port): Promise<Child> {
    const child = await this.start(port)
    await child.waitForLine(/^ready$/, { deadlineMs: 120_000 })
    return child
  }

  /** Resolves when no message is at work or parked. */
  async untilDone(): Promise<void> {
    const open = () => this.database.many(sql`select 1 from bridge.open_work limit 1`)
    await waitFor(async () => (await open()).length === 0, { what: 'nothing left to do', deadlineMs: 240_000 })
  }

  /** What is wrong with what the store has: messages that are missing, and those that came again or out of order. */
  async fatesOf(senders: Senders): Promise<Fates> {
    const rows = await this.database.many<{ patient: string; last: number; wrong: number }>(
      sql`select patient, last, wrong from public.patients`,
    )
    const found = new Map(rows.map((row) => [row.patient, row]))
    const parts = senders.each.map(({ patient, acknowledged, wrongAnswers }) => {
      const { last = 0, wrong = 0 } = found.get(patient) ?? {}
      const faults = [
        ...(last === acknowledged ? [] : [`${patient}: ${acknowledged} acknowledged, ${last} stored`]),
        ...(wrong === 0 ? [] : [`${patient}: ${wrong} out of order`]),
      ]
      return { faults: [...faults, ...wrongAnswers], lost: Math.max(0, acknowledged - last), twice: wrong }
    })
    return fatesIn(senders, parts)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#next
    for (const child of this.#children) await child.kill()
    await this.database.close()
    await this.#parts.own.drop()
    await rm(this.#parts.folder, { recursive: true, force: true })
  }
}
