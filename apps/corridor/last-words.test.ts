import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { ownPlace, startCommand } from '../../packages/testkit/corridor-command.ts'

// As much as the error of a driver carries.
const breaking = `process.on('SIGUSR2', () => {
  throw Object.assign(new Error('duplicate key'), { detail: 'Key (name)=(Amina Diallo) already exists.' })
})`

it('a Corridor that a bug ends says so in one line of its log, which quotes nothing', async () => {
  await using place = await ownPlace()
  const script = join(place.folder, 'breaking.mjs')
  await writeFile(script, breaking)
  // A database that takes the connection and says nothing: so long the start waits.
  const sockets: Socket[] = []
  const silent = createServer((socket) => void sockets.push(socket.on('error', () => {})))
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  // Sound: it listens on a TCP port, so its address is one.
  const { port } = silent.address() as AddressInfo
  const connected = once(silent, 'connection')
  await using child = await startCommand(['start', '--demo'], place, {
    CORRIDOR_DATABASE_URL: `postgres://corridor@127.0.0.1:${port}/corridor?connect_timeout=0`,
    NODE_OPTIONS: `--import=${pathToFileURL(script).href}`,
  })
  await connected
  expect(await child.kill('SIGUSR2')).toEqual({ code: 1, signal: null })
  for (const socket of sockets) socket.destroy()
  silent.close()
  const last: unknown = JSON.parse(child.errorLines.at(-1) ?? '')
  expect(last).toMatchObject({ level: 'error', event: 'ended by a bug', faultKind: 'bug', error: 'Error' })
  expect(last).toHaveProperty('stack', expect.stringContaining('at process') as string)
  expect(child.errorLines.join('\n')).not.toContain('Amina')
})
