import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { seededRandom } from '../clock/ids.ts'
import { freePort, freePortRange } from './free-port.ts'

it('finds a port that can be listened on', async () => {
  const server = createServer().listen(await freePort(), '127.0.0.1')
  await once(server, 'listening')
  expect(server.listening).toBe(true)
  server.close()
})

it('passes over a port that is taken', async () => {
  const seed = 20_260_101
  const first = await freePort(seededRandom(seed))
  const server = createServer().listen(first, '127.0.0.1')
  await once(server, 'listening')
  expect(await freePort(seededRandom(seed))).not.toBe(first)
  server.close()
})

it('finds several in a row', async () => {
  const first = await freePortRange(8)
  const servers = Array.from({ length: 8 }, (_, index) => createServer().listen(first + index, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  expect(servers.every((server) => server.listening)).toBe(true)
  for (const server of servers) server.close()
})
