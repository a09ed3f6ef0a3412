import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Configuration } from '../../../apps/corridor/configuration.ts'
import { corridorConfiguration } from '../../../apps/corridor/load-configuration.ts'
import { serviceNames, type ServiceName } from '../../../apps/corridor/service-names.ts'
import { variableOf } from '../../../packages/config/schema.ts'
import { silentLog } from '../../../packages/log/log.ts'
import { openDatabase, type Database } from '../../../packages/sql/database.ts'
import { startCommand } from '../../../packages/testkit/corridor-command.ts'
import type { Child } from '../../../packages/testkit/child.ts'
import { freePort, freePortRange } from '../../../packages/testkit/free-port.ts'
import { testCorridorDatabase } from '../../../packages/testkit/test-corridor.ts'
import { channelIds, type ChannelId } from '../../../services/bridge/pipeline/channel.ts'
import { basePath } from './base-path.ts'
import { httpRoundRobin, tcpRoundRobin } from './round-robin.ts'

interface TwoCopiesOptions {
  /** A process for each service, or one for all of a copy. */
  readonly apart: boolean
  readonly settings?: Readonly<Record<string, string>>
}

/** One process: some services of one of the two copies. */
interface Unit {
  readonly name: string
  readonly words: readonly ServiceName[]
  readonly environment: Readonly<Record<string, string>>
}

/**
 * Two operating-system processes of every service, as `corridor start` makes them, on one PostgreSQL and one key
 * directory, behind round robins whose addresses are the only ones that anybody is told.
 */
export async function startTwoCopies({ apart, settings = {} }: TwoCopiesOptions): Promise<TwoCopies> {
  const owned = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'corridor-copies-'))
  owned.defer(() => rm(folder, { recursive: true, force: true }))
  const own = owned.use(await testCorridorDatabase())
  const ports = await Promise.all([copyPorts(), copyPorts()])
  const addresses = await Promise.all(
    serviceNames.map(async (name) => {
      const front = owned.use(await httpRoundRobin(ports.map((copy) => copy.http[name])))
      return [`${name}.url`, `http://127.0.0.1:${front.port}${basePath(name)}`] as const
    }),
  )
  const mllp = await Promise.all(
    channelIds.map(async (id, place) => {
      const front = owned.use(await tcpRoundRobin(ports.map((copy) => copy.mllp + place)))
      return [id, front.port] as const
    }),
  )
  const environments = ports.map((copy, number) =>
    asVariables({
      mode: 'demo',
      'database.url': own.url,
      'database.poolMax': apart ? '4' : '10',
      dataDir: join(folder, `copy-${number}`),
      'auth.keyDirectory': join(folder, 'keys'),
      // What a balancer's user wants: an answer that a dying copy took along can be asked for once more.
      'auth.refreshReuseLeewaySeconds': '30',
      'auth.serviceTokenSeconds': '3600',
      'http.trustedProxies': '127.0.0.1',
      'bridge.mllpPort': String(copy.mllp),
      'bridge.audit.receiverPort': '0',
      'bridge.leaseMs': '3000',
      ...Object.fromEntries(addresses),
      ...Object.fromEntries(serviceNames.map((name) => [`${name}.port`, String(copy.http[name])])),
      ...settings,
    }),
  )
  const units = environments.flatMap((environment, number) =>
    apart
      ? serviceNames.map((name) => ({ name: `${name} ${number}`, words: [name], environment }))
      : [{ name: `copy ${number}`, words: [], environment }],
  )
  const database = await openDatabase({ url: own.url, poolMax: 2, log: silentLog })
  owned.defer(() => database.close())
  const { configuration } = corridorConfiguration({ environment: environments[0] ?? {} })
  const copies = new TwoCopies({ units, folder, configuration, database, mllpPorts: new Map(mllp), owned })
  try {
    await copies.startAll()
    return copies
  } catch (thrown) {
    await copies[Symbol.asyncDispose]()
    throw thrown
  }
}

interface TwoCopiesParts {
  readonly units: readonly Unit[]
  readonly folder: string
  readonly configuration: Configuration
  readonly database: Database
  readonly mllpPorts: ReadonlyMap<ChannelId, number>
  readonly owned: AsyncDisposableStack
}

export class TwoCopies implements AsyncDisposable {
  readonly database: Database
  readonly #parts: TwoCopiesParts
  readonly #running = new Map<string, Child>()

  constructor(parts: TwoCopiesParts) {
    this.#parts = parts
    this.database = parts.database
  }

  /** The processes by their names. */
  get units(): readonly string[] {
    return this.#parts.units.map(({ name }) => name)
  }

  /** The public address of a service. */
  url(service: ServiceName): string {
    return this.#parts.configuration[service].url
  }

  /** Where senders of a channel connect. */
  mllpPort(channel: ChannelId): number {
    return this.#parts.mllpPorts.get(channel) ?? 0
  }

  /** Service by service, since each wants those before it; both copies of one at once. */
  async startAll(): Promise<void> {
    const { units } = this.#parts
    const isApart = units.length > 2
    if (!isApart) return void (await Promise.all(this.units.map((name) => this.start(name))))
    for (const service of serviceNames) {
      const pair = units.filter(({ words }) => words[0] === service)
      await Promise.all(pair.map(({ name }) => this.start(name)))
    }
  }

  async start(name: string): Promise<void> {
    const unit = this.#parts.units.find((one) => one.name === name)
    if (unit === undefined) throw new Error(`there is no process ${name}`)
    const place = { folder: this.#parts.folder, environment: unit.environment, [Symbol.asyncDispose]: async () => {} }
    const child = await startCommand(['start', ...unit.words], place, {
      NODE_OPTIONS: `--import ${new URL('../troubles/crash-at.ts', import.meta.url).href}`,
      CORRIDOR_TEST_CRASH_FILE: this.#crashFile(name),
    })
    this.#running.set(name, child)
    await child.waitForLine(/Corridor is ready/, { deadlineMs: 120_000 })
  }

  /** kill -9, and nothing else. */
  async kill(name: string): Promise<void> {
    await this.#running.get(name)?.kill()
    this.#running.delete(name)
  }

  /** Lets a process kill itself at a moment of its work (see crash-at.ts); resolves when it has. */
  async killAt(name: string, moment: string): Promise<void> {
    const child = this.#running.get(name)
    if (child === undefined) throw new Error(`there is no process ${name}`)
    await writeFile(this.#crashFile(name), moment)
    process.kill(child.pid, 'SIGUSR2')
    const { signal } = await child.ended
    this.#running.delete(name)
    if (signal !== 'SIGKILL') throw new Error(`${name} ended otherwise:\n${child.errorLines.join('\n')}`)
  }

  #crashFile(name: string): string {
    return join(this.#parts.folder, `crash-${name.replace(' ', '-')}`)
  }

  /** What the processes wrote on standard error, for a test that failed. */
  get errorLines(): string[] {
    return [...this.#running].flatMap(([name, { errorLines }]) => errorLines.map((line) => `${name}: ${line}`))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#running.values()].map((child) => child.kill()))
    await this.#parts.owned.disposeAsync()
  }
}

async function copyPorts() {
  const http = await Promise.all(serviceNames.map(async (name) => [name, await freePort()] as const))
  // Sound: there is one for every name.
  return { http: Object.fromEntries(http) as Record<ServiceName, number>, mllp: await freePortRange(8) }
}

const asVariables = (values: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(values).map(([path, value]) => [variableOf(path), value]))
