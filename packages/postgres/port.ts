import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { conflict } from '../faults/fault.ts'
import type { Layout } from './layout.ts'
import { writeDurably } from './write-durably.ts'

/**
 * The asked port, else the one of the last start, else any that is free; it is remembered, so that an operator's
 * tools find the database again. A remembered port that something else took meanwhile is given up for a free one.
 */
export async function choosePort(layout: Layout, asked: number | undefined): Promise<number> {
  if (asked !== undefined && asked !== 0) {
    if ((await freePort(asked)) === asked) return asked
    throw conflict(
      `Port ${asked} for the embedded PostgreSQL is in use by another program. Stop it, or choose another port.`,
      { code: 'POSTGRES_PORT_BUSY' },
    )
  }
  const remembered = Number(await readFile(layout.port, 'utf8').catch(() => ''))
  const isPort = Number.isInteger(remembered) && remembered > 0 && remembered < 65_536
  const port = (isPort ? await freePort(remembered) : undefined) ?? (await freePort(0))
  if (port === undefined) throw conflict('No loopback port is free for the embedded PostgreSQL.')
  if (port !== remembered) await writeDurably(layout.port, `${port}\n`, 0o644)
  return port
}

/** @returns the port when it could be had, 0 meaning any; undefined when somebody else has it */
function freePort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' ? address?.port : undefined))
    })
  })
}
