import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { systemClock } from '../../packages/clock/clock.ts'
import { systemIds } from '../../packages/clock/ids.ts'
import { makeLog } from '../../packages/log/log.ts'
import { startMllpServer } from '../../packages/hl7/index.ts'

/** An MLLP listener that says twice a second how many connections it has and how much memory. */
setFlagsFromString('--expose-gc')
// Sound: the flag above makes it exist.
const collectGarbage = runInNewContext('gc') as () => void

const log = makeLog({ level: 'error', sink: { write: () => {} }, clock: systemClock })
const answer = Buffer.from('MSH|^~\\&|B\rMSA|AA|1\r')
const server = await startMllpServer(
  { port: 0, host: '127.0.0.1', connectionsMax: 20_000, idleTimeoutMs: 3_600_000, onMessage: async () => answer },
  { clock: systemClock, ids: systemIds, log },
)
process.stdout.write(`listening on ${server.port}\n`)
let tick = 0
setInterval(() => {
  collectGarbage()
  const { connectionsOpen } = server.counters
  process.stdout.write(`${++tick}: ${connectionsOpen} connections, ${process.memoryUsage.rss()} bytes\n`)
}, 500)
