import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '../../../packages/log/log.ts'
import { openDatabase, type Database } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { startChild, type Child } from '../../../packages/testkit/child.ts'
import { freePort } from '../../../packages/testkit/free-port.ts'
import type { TestDatabase } from '../../../packages/testkit/test-database.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import { bridgeDatabase } from '../../../services/bridge/testing/bridge-database.ts'
import type { Senders } from '../crowd/senders.ts'
import { numberedTables } from './numbered-store.ts'
import { fatesIn, type Fates } from '../findings/message-fates.ts'

const script = new URL('bridge-process.ts', import.meta.url)

type OwnDatabase = Pick<TestDatabase, 'url' | 'drop'>

/** A database for bridges that are killed, and a port that they take in turn. */
export async function bridgePlace(given?: OwnDatabase): Promise<BridgePlace> {
  const own = given ?? (await bridgeDatabase())
  const database = await openDatabase({ url: own.url, poolMax: 2, log: silentLog })
  await database.run(numberedTables)
  return new BridgePlace(own, database, await freePort(), await mkdtemp(join(tmpdir(), 'corridor-bridges-')))
}

export class BridgePlace implements AsyncDisposable {
  readonly database: Database
  readonly port: number
  readonly #own: OwnDatabase
  readonly #modules: string
  readonly #children: Child[] = []

  /** @param modules a folder for what Node has compiled */
  constructor(own: OwnDatabase, database: Database, port: number, modules: string) {
    this.#own = own
    this.database = database
    this.port = port
    this.#modules = modules
  }

  /** Starts a bridge that listens; with a boundary and a number it kills itself there. */
  async start(port = this.port, ...crash: readonly string[]): Promise<Child> {
    const env = { NODE_COMPILE_CACHE: this.#modules }
    const child = await startChild({ script, args: [this.#own.url, String(port), ...crash], env })
    this.#children.push(child)
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
    for (const child of this.#children) await child.kill()
    await this.database.close()
    await this.#own.drop()
    await rm(this.#modules, { recursive: true, force: true })
  }
}
