import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seededRandom } from '../../packages/clock/ids.ts'
import { silentLog } from '../../packages/log/log.ts'
import { ensurePostgres } from '../../packages/postgres/ensure.ts'
import { temporaryDataDir, type TemporaryDataDir } from '../../packages/postgres/fixtures/temporary-data-dir.ts'
import { isLongRun, testSeed } from '../../packages/testkit/long-run.ts'
import { migrateBridge } from '../../services/bridge/testing/bridge-database.ts'
import { bridgePlace, type BridgePlace } from './places/bridge-place.ts'
import { failWriteOfLog } from './troubles/failing-writes.ts'
import { tellFigures } from './findings/fault-figures.ts'
import { numbered, Senders } from './crowd/senders.ts'

const points = isLongRun ? 100 : 10
const seed = testSeed()

describe(`${points} writes of the database's log that fail (CORRIDOR_TEST_SEED=${seed})`, () => {
  const random = seededRandom(seed)
  let owned: TemporaryDataDir
  let place: BridgePlace
  let senders: Senders

  beforeAll(
    async () => {
      owned = await temporaryDataDir()
      const postgres = await ensurePostgres({ dataDir: owned.dataDir, log: silentLog })
      await migrateBridge(postgres.url)
      place = await bridgePlace({ url: postgres.url, drop: () => postgres.stop() })
      await place.started()
      senders = new Senders(numbered('P', 8), () => ({ port: () => place.port }))
      senders.start()
      for (let point = 0; point < points; point++) {
        await untilMoreAreAnswered()
        await failWriteOfLog(postgres.superuserUrl, random)
      }
      await untilMoreAreAnswered()
      await senders.stop()
      await place.untilDone()
    },
    points * 20_000 + 60_000,
  )
  afterAll(async () => {
    await place?.[Symbol.asyncDispose]()
    await owned?.[Symbol.asyncDispose]()
  })

  /** Without anybody starting anything again: neither the database nor the bridge. */
  const untilMoreAreAnswered = () => senders.untilMore(40, { deadlineMs: 60_000 })

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
