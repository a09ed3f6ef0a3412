import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { extname } from 'node:path'
import { startChild, type Child } from '../packages/testkit/child.ts'
import { benchmark } from './harness/benchmark.ts'

interface World extends AsyncDisposable {
  readonly child: Child
  readonly port: number
}

const connections = 10_000

/** Senders keep their connections open for days: what does each cost while nothing comes? */
export default benchmark<World>({
  name: 'hl7-connections',
  title: `memory of an MLLP listener in a process of its own for each of ${connections} idle connections`,
  unit: 'bytes/connection',
  rounds: 3,
  async setup({ progress }) {
    progress('starting the listener')
    const script = new URL(`hl7/idle-listener${extname(import.meta.url)}`, import.meta.url)
    const child = await startChild({ script })
    const [, port] = /^listening on (\d+)/.exec(await child.waitForLine(/^listening/)) ?? []
    return { child, port: Number(port), [Symbol.asyncDispose]: () => child[Symbol.asyncDispose]() }
  },
  variants: {
    'opened, nothing said': (world) => measure(world, async () => {}),
    'after a message': (world) => measure(world, async (socket) => void socket.write('\u000bMSH|^~\\&|A\r\u001c\r')),
  },
})

async function measure({ child, port }: World, talk: (socket: Socket) => Promise<void>): Promise<number> {
  const before = await memoryAt(0, child)
  const sockets: Socket[] = []
  // In groups, because the system takes only so many at once.
  while (sockets.length < connections) {
    const group = await Promise.all(Array.from({ length: 250 }, () => opened(port)))
    await Promise.all(group.map(talk))
    sockets.push(...group)
  }
  const during = await memoryAt(connections, child)
  for (const socket of sockets) socket.destroy()
  await memoryAt(0, child)
  return (during - before) / connections
}

async function opened(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' })
  await once(socket, 'connect')
  return socket
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
