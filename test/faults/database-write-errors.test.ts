import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seededRandom, systemRandom } from '../../packages/clock/ids.ts'
import { silentLog } from '../../packages/log/log.ts'
import { ensurePostgres } from '../../packages/postgres/ensure.ts'
import { temporaryDataDir, type TemporaryDataDir } from '../../packages/postgres/fixtures/temporary-data-dir.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import { migrateBridge } from '../../services/bridge/testing/bridge-database.ts'
import { bridgePlace, type BridgePlace } from './bridge-place.ts'
import { failWriteOfLog } from './failing-writes.ts'
import { tellFigures } from './fault-figures.ts'
import { InsistentSender } from './insistent-sender.ts'
import { sum } from './message-fates.ts'

const points = process.env['CORRIDOR_TEST_LONG'] === 'true' ? 100 : 10
const seed = Number(process.env['CORRIDOR_TEST_SEED'] ?? systemRandom.below(2 ** 31))

describe(`${points} writes of the database's log that fail (CORRIDOR_TEST_SEED=${seed})`, () => {
  const random = seededRandom(seed)
  const senders = new Map<string, InsistentSender>()
  let owned: TemporaryDataDir
  let place: BridgePlace

  beforeAll(
    async () => {
      owned = await temporaryDataDir()
      const postgres = await ensurePostgres({ dataDir: owned.dataDir, log: silentLog })
      await migrateBridge(postgres.url)
      place = await bridgePlace({ url: postgres.url, drop: () => postgres.stop() })
      await place.started()
      for (let number = 0; number < 8; number++) {
        senders.set(`P${number}`, new InsistentSender({ port: () => place.port, patient: `P${number}` }))
      }
      for (const sender of senders.values()) sender.start()
      for (let point = 0; point < points; point++) {
        await untilMoreAreAnswered()
        await failWriteOfLog(postgres.superuserUrl, random)
      }
      await untilMoreAreAnswered()
      await Promise.all([...senders.values()].map((sender) => sender.stop()))
      await place.untilDone()
    },
    points * 20_000 + 60_000,
  )
  afterAll(async () => {
    await place?.[Symbol.asyncDispose]()
    await owned?.[Symbol.asyncDispose]()
  })

  /** Without anybody starting anything again: neither the database nor the bridge. */
  async function untilMoreAreAnswered(): Promise<void> {
    const wanted = sum(senders) + 40
    await waitFor(() => sum(senders) >= wanted, { what: 'answers', deadlineMs: 60_000 })
  }

  it('ended the database each time, and nothing else did', async () => {
    const lines = (await readFile(owned.layout.log, 'utf8')).split('\n')
    expect(lines.filter((line) => line.includes('was terminated by signal 6: Aborted'))).toHaveLength(points)
    // Where the limit is below the size of this very file, its last words are lost with the rest.
    const panics = lines.filter((line) => line.includes('PANIC:'))
    expect(panics.length).toBeGreaterThan(0)
    expect(panics.filter((line) => !/could not write to log file .* File too large/.test(line))).toEqual([])
  })

  it('lost nothing that was acknowledged, applied nothing twice, and kept the order of each patient', async ({
    task,
  }) => {
    const { faults, figures } = await place.fatesOf(senders)
    tellFigures(task, { kills: points, ...figures })
    expect(faults).toEqual([])
  })
})
