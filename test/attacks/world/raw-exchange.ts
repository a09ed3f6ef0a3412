import { connect } from 'node:net'
import { unavailable } from '../../../packages/faults/fault.ts'

interface RawAnswer {
  /** The status of each answer that came back, in order. */
  readonly statuses: readonly number[]
  readonly text: string
}

/** Says exactly these bytes on a connection of its own, then that nothing more comes, and hears all that is answered. */
export function rawExchange(origin: string, bytes: string): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) })
    const chunks: Buffer[] = []
    socket.setTimeout(deadlineMs, () => {
      socket.destroy()
      reject(unavailable(`the connection was still open after ${deadlineMs} ms`))
    })
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    // A server that hangs up on nonsense is right to; one that is not there has answered nothing.
    socket.once('error', reject)
    socket.once('connect', () => socket.off('error', reject).on('error', () => {}))
    socket.on('close', () => {
      const text = Buffer.concat(chunks).toString('latin1')
      resolve({ statuses: [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status)), text })
    })
    socket.end(Buffer.from(bytes, 'latin1'))
  })
}

const deadlineMs = 15_000
