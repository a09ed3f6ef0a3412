import type { LookupAddress, LookupOptions } from 'node:dns'
import { createServer, connect, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { SimulatedClock } from '../clock/simulated-clock.ts'
import { lastKnownLookup } from './last-known-lookup.ts'

const here: LookupAddress[] = [{ address: '10.0.0.1', family: 4 }]
const moved: LookupAddress[] = [{ address: '10.0.0.2', family: 4 }]

/** A system whose answers the test gives. */
function world() {
  const asked: { hostname: string; answer: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void }[] =
    []
  const clock = new SimulatedClock()
  const lookup = lastKnownLookup({ clock, ask: (hostname, _options, answer) => void asked.push({ hostname, answer }) })
  const find = (hostname: string, options: LookupOptions = { all: true }) =>
    new Promise<unknown>((resolve, reject) => {
      lookup(hostname, options, (error, found) => (error === null ? resolve(found) : reject(error)))
    })
  const answer = (found: LookupAddress[]) => asked.shift()?.answer(null, found)
  const fail = (code: string) => asked.shift()?.answer(Object.assign(new Error(code), { code }), [])
  return { asked, clock, find, answer, fail }
}

/** One whose name was found before. */
async function knowingWorld() {
  const known = world()
  const first = known.find('db')
  known.answer(here)
  await first
  return known
}

it('finds what the system finds', async () => {
  const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const socket = connect({ host: 'localhost', port, family: 4, lookup: lastKnownLookup() })
  await once(socket, 'connect')
  expect(socket.remoteAddress).toBe('127.0.0.1')
  socket.destroy()
  server.close()
})

it('asks once for all who want a name at the same time', async () => {
  const { asked, find, answer } = world()
  const both = Promise.all([find('db'), find('db', { all: false })])
  const other = find('db', { all: true, family: 6 })
  expect(asked.map(({ hostname }) => hostname)).toEqual(['db', 'db'])
  answer(here)
  answer(moved)
  expect(await both).toEqual([here, '10.0.0.1'])
  expect(await other).toEqual(moved)
})

it('follows a name that moves', async () => {
  const { find, answer } = world()
  for (const found of [here, moved]) {
    const finding = find('db')
    answer(found)
    expect(await finding).toEqual(found)
  }
})

it('calls the last address where no answer comes in time, and learns from the late one', async () => {
  const { asked, clock, find, answer } = await knowingWorld()
  const waiting = find('db')
  await clock.advance(1_000)
  expect(await waiting).toEqual(here)
  const next = find('db')
  expect(asked).toHaveLength(1)
  answer(moved)
  expect(await next).toEqual(moved)
})

it('calls the last address where no server can be asked', async () => {
  const { find, fail } = await knowingWorld()
  const finding = find('db')
  fail('EAI_AGAIN')
  expect(await finding).toEqual(here)
})

it.each(['EAI_AGAIN', 'ENOTFOUND'])('says %s of a name that it never found', async (code) => {
  const { find, fail } = world()
  const finding = find('db')
  fail(code)
  await expect(finding).rejects.toMatchObject({ code })
})

it('does not call the last address of a name that is gone', async () => {
  const { find, fail } = await knowingWorld()
  const finding = find('db')
  fail('ENOTFOUND')
  await expect(finding).rejects.toMatchObject({ code: 'ENOTFOUND' })
})
