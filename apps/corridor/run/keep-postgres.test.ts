import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { systemClock, type Clock } from '../../../packages/clock/clock.ts'
import { silentLog } from '../../../packages/log/log.ts'
import { ensurePostgres } from '../../../packages/postgres/ensure.ts'
import { startBystander } from '../../../packages/postgres/fixtures/bystander.ts'
import { query } from '../../../packages/postgres/fixtures/query.ts'
import { temporaryDataDir } from '../../../packages/postgres/fixtures/temporary-data-dir.ts'
import { processState } from '../../../packages/postgres/process-state.ts'
import { runAsFor } from '../../../packages/postgres/run-as.ts'
import { capturedLog } from '../../../packages/testkit/captured-log.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import { Life } from '../life.ts'
import { keepPostgres } from './keep-postgres.ts'

it('brings a server back on the port that the pool knows, as soon as nobody else has it', async () => {
  await using place = await temporaryDataDir()
  await using kept = await keptPostgres(place.dataDir)
  await kill(kept.postgres.pid, place.layout.cluster)
  const stranger = createServer((socket) => socket.destroy())
  await waitFor(() => takePort(stranger, Number(new URL(kept.postgres.url).port)), { what: 'the port' })
  await kept.look()
  await waitFor(() => kept.events('postgres could not be started again').length > 0, { what: 'the port to be missed' })
  stranger.close()
  await once(stranger, 'close')
  await kept.look()
  await waitFor(() => kept.events('postgres.ready').length > 1, { what: 'the server' })
  expect(await query(kept.postgres.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

it('takes a process that got the id of the dead server for no server', async () => {
  await using place = await temporaryDataDir()
  const { pid } = await ensurePostgres({ dataDir: place.dataDir, log: silentLog })
  const bystander = await startBystander(await runAsFor(place.layout.cluster))
  try {
    const mark = join(place.layout.cluster, 'postmaster.pid')
    await writeFile(mark, (await readFile(mark, 'utf8')).replace(/^\d+/, String(bystander.pid)))
    await using kept = await keptPostgres(place.dataDir)
    expect(kept.postgres.pid).toBe(bystander.pid)
    await kill(pid, place.layout.cluster)
    await kept.look()
    await waitFor(() => kept.events('postgres.ready').length > 0, { what: 'the server' })
    expect(await query(kept.postgres.url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(bystander.isAlive()).toBe(true)
  } finally {
    bystander.kill()
  }
})

/** Looks after the server when the test says so, and not every second. */
async function keptPostgres(dataDir: string) {
  const captured = capturedLog()
  const waiting: (() => void)[] = []
  const clock: Clock = {
    ...systemClock,
    sleep: (ms, signal) =>
      ms < 1_000
        ? systemClock.sleep(ms, signal)
        : new Promise((resolve, reject) => {
            waiting.push(resolve)
            signal?.addEventListener('abort', () => reject(new Error('ended')))
          }),
  }
  const life = new Life()
  const { log } = captured
  return {
    postgres: await keepPostgres({ dataDir, database: { poolMax: 80 } }, { life, log, clock, onProgress: () => {} }),
    events: (name: string) => captured.events(name),
    look: async () => (await waitFor(() => waiting.shift(), { what: 'the time of the next look' }))(),
    [Symbol.asyncDispose]: () => life.end({ log, clock }),
  }
}

async function kill(pid: number, cluster: string): Promise<void> {
  process.kill(pid, 'SIGKILL')
  await waitFor(async () => (await processState(pid, cluster)) !== 'postgres', { what: 'the end of the server' })
}

/** Whether it could be had; the processes of a dead server hold it for a moment. */
function takePort(server: ReturnType<typeof createServer>, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const refused = () => resolve(false)
    server.once('error', refused)
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      server.off('error', refused)
      resolve(true)
    })
  })
}
