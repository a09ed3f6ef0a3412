import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { freePort, freePortRange, lowest } from './free-port.ts'

it('finds a port that can be listened on', async () => {
  const server = createServer().listen(await freePort(), '127.0.0.1')
  await once(server, 'listening')
  expect(server.listening).toBe(true)
  server.close()
})

it('passes over a port that is taken', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  // Sound: it listens on a TCP port.
  const { port: taken } = server.address() as AddressInfo
  expect(await freePort(proposing([taken, ...(await portsToTry())]))).not.toBe(taken)
  server.close()
})

it('gives those who ask at once a port each, although nobody listens on any yet', async () => {
  const ports = await portsToTry()
  const given = await Promise.all(Array.from({ length: 20 }, () => freePort(proposing(ports))))
  expect(new Set(given).size).toBe(20)
  await expect(freePort(proposing(given))).rejects.toThrow('No 1 free ports')
})

it('finds several in a row', async () => {
  const first = await freePortRange(8)
  const servers = Array.from({ length: 8 }, (_, index) => createServer().listen(first + index, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  expect(servers.every((server) => server.listening)).toBe(true)
  for (const server of servers) server.close()
})

/** Enough of them that some are free, whatever else runs on this machine. */
async function portsToTry(): Promise<number[]> {
  const first = await freePort()
  return Array.from({ length: 90 }, (_, index) => first + index)
}

/** Chance that leads to these ports, one after the other, and to the last of them for ever. */
function proposing(ports: readonly number[]): Parameters<typeof freePort>[0] {
  let next = 0
  return { below: () => (ports[Math.min(next++, ports.length - 1)] ?? 0) - lowest }
}
