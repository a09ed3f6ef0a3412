// The program that the bridge's fault tests kill: the bridge's listener, journal, lanes, retry queue and settlement as
// they are, and in the place of the stages 2 to 5 a store that notices every loss and every wrong order.
//   node test/faults/places/bridge-process.ts <database url> <connections to it> <lease in milliseconds>
// It begins when it is told to: `go <port>`, or `go <port> stored 7` to kill itself at that boundary, the seventh time.
import { subscribe } from 'node:diagnostics_channel'
import { flushCompileCache } from 'node:module'
import { createInterface } from 'node:readline'
import { systemClock } from '../../../packages/clock/clock.ts'
import { systemIds, systemRandom } from '../../../packages/clock/ids.ts'
import { silentLog } from '../../../packages/log/log.ts'
import { Metrics } from '../../../packages/metrics/metrics.ts'
import { openDatabase } from '../../../packages/sql/database.ts'
import { boundaryChannel, publishBoundaries } from '../../../services/bridge/pipeline/boundaries.ts'
import { defaultFlowOptions, MessageFlow } from '../../../services/bridge/durable/message-flow.ts'
import { Listeners } from '../../../services/bridge/listeners/listeners.ts'
import { testChannel } from '../../../services/bridge/testing/test-channels.ts'
import { numberedStore } from './numbered-store.ts'

const [url = '', connections = '8', leaseMs = '4000'] = process.argv.slice(2)

async function begin([port = '0', crashAt, crashAfter = '1']: readonly string[]): Promise<void> {
  const pool = { poolMax: Number(connections) }
  const database = await openDatabase({ url, ...pool, log: silentLog })
  const metrics = new Metrics()
  const kit = { database, clock: systemClock, ids: systemIds, random: systemRandom, log: silentLog, metrics }
  const passBoundary = publishBoundaries()
  let passed = 0
  if (crashAt !== undefined) {
    subscribe(boundaryChannel, (boundary) => {
      // The whole process group: nothing of it may go on.
      if (boundary === crashAt && ++passed === Number(crashAfter)) process.kill(-process.pid, 'SIGKILL')
    })
  }
  const flow = new MessageFlow(
    { ...defaultFlowOptions, leaseMs: Number(leaseMs) },
    {
      ...{ ...kit, channelOf: testChannel, parts: [], passBoundary },
      allowance: () => Number.POSITIVE_INFINITY,
      runStages: numberedStore(database, passBoundary),
    },
  )
  const settings = {
    ...{ channel: testChannel('adt'), isEnabled: true, port: Number(port), hosts: ['127.0.0.1'] },
    ...{ connectionsMax: 256, frameBytesMax: 1_048_576, frameTimeoutMs: 60_000, idleTimeoutMs: 60_000 },
  }
  const listeners = new Listeners([settings], { ...kit, receive: (incoming) => flow.receive(incoming) })
  await flow.start()
  await listeners.start()
  process.stdout.write('ready\n')
  // The next life begins sooner: reading TypeScript is most of a start.
  flushCompileCache()
  process.once('SIGTERM', () => {
    flow.beginStop()
    void listeners
      .stop(5_000)
      .then(() => flow.stop(3_000))
      .then(() => database.close())
      .then(() => process.exit(0))
  })
}

const orders = createInterface(process.stdin)
// A parent that is gone closes this pipe: nobody would kill us any more.
orders.on('close', () => process.exit(1))
orders.once('line', (line) => {
  begin(line.split(' ').slice(1)).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
    process.exit(1)
  })
})
