import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { extname } from 'node:path'
import { incorrect } from '../packages/faults/fault.ts'
import { startChild, type Child } from '../packages/testkit/child.ts'
import { benchmark } from './harness/benchmark.ts'
import { openFilesMax } from './hl7/open-files.ts'

const connections = 10_000
/** Of either side: its connections, and what a process has open anyway. */
const openFilesNeeded = connections + 200

/** Senders keep their connections open for days: what does each cost while nothing comes? */
export default benchmark({
  name: 'hl7-connections',
  title: `memory of an MLLP listener in a process of its own for each of ${connections} idle connections, without what the kernel keeps for them`,
  unit: 'bytes/connection',
  rounds: 3,
  warmsUp: false,
  async setup() {
    const allowed = openFilesMax()
    if (allowed < openFilesNeeded) {
      throw incorrect(`This needs ${openFilesNeeded} open files in a process, and ${allowed} are allowed (ulimit -Hn).`)
    }
    return { [Symbol.asyncDispose]: async () => {} }
  },
  variants: {
    'opened, nothing said': () => measure(async () => {}),
    'after a message': () => measure(sayOneMessage),
  },
})

/** A listener that has never had connections: one that had them keeps its memory for the next ones. */
async function measure(talk: (socket: Socket) => Promise<void>): Promise<number> {
  await using child = await startChild({ script: listener })
  const [, port] = /^listening on (\d+)/.exec(await child.waitForLine(/^listening/)) ?? []
  const before = await memoryAt(0, child)
  const sockets: Socket[] = []
  // In groups, because the system takes only so many at once.
  while (sockets.length < connections) {
    const group = await Promise.all(Array.from({ length: 250 }, () => opened(Number(port))))
    await Promise.all(group.map(talk))
    sockets.push(...group)
  }
  const during = await memoryAt(connections, child)
  // Reset: closed in good order, the ports of ten thousand connections would stay taken for a minute.
  for (const socket of sockets) socket.resetAndDestroy()
  return (during - before) / connections
}

const listener = new URL(`hl7/idle-listener${extname(import.meta.url)}`, import.meta.url)

async function opened(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' })
  await once(socket, 'connect')
  return socket
}

async function sayOneMessage(socket: Socket): Promise<void> {
  socket.write('\u000bMSH|^~\\&|A\r\u001c\r')
  await once(socket, 'data')
}

/** What the process has of the machine's memory when it holds that many connections, after its garbage is gone. */
async function memoryAt(count: number, child: Child): Promise<number> {
  // The next line may have been measured before we asked.
  for (let tick = child.lines.length + 1; ; tick++) {
    const line = await child.waitForLine(new RegExp(`^${tick}: `))
    const [, open, bytes] = /: (\d+) connections, (\d+) bytes/.exec(line) ?? []
    if (Number(open) === count) return Number(bytes)
  }
}
