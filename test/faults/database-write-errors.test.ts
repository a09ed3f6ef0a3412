import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seededRandom } from '../../packages/clock/ids.ts'
import { silentLog } from '../../packages/log/log.ts'
import { ensurePostgres } from '../../packages/postgres/ensure.ts'
import { layoutOf } from '../../packages/postgres/layout.ts'
import { processState } from '../../packages/postgres/process-state.ts'
import { casesOf, isLongRun } from '../../packages/testkit/extent.ts'
import { testSeed } from '../../packages/testkit/test-seed.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import { migrateBridge } from '../../services/bridge/testing/bridge-database.ts'
import { bridgePlace, type BridgePlace } from './places/bridge-place.ts'
import { failingSyncs } from './troubles/failing-syncs.ts'
import { failingWrites } from './troubles/failing-writes.ts'
import { killAll, postgresProcesses } from './troubles/kill-postgres.ts'
import { superuser, untilGone, type LogTrouble } from './troubles/log-trouble.ts'
import { tellFigures } from './findings/fault-figures.ts'
import { numbered, Senders } from './crowd/senders.ts'

const pointsMax = casesOf({ daily: 10, long: 100 })
const standInPoints = 10
const seed = testSeed()

const refusedWrites = ['written', failingWrites] as const
const failedSyncs = ['forced to the disk', failingSyncs] as const

describe.each(isLongRun ? [refusedWrites, failedSyncs] : [refusedWrites])(
  `a log of the database that up to ${pointsMax} times cannot be %s (CORRIDOR_TEST_SEED=${seed})`,
  (_, makeTrouble) => {
    let trouble: LogTrouble
    let place: BridgePlace
    let senders: Senders
    let pid: number
    let points: number

    beforeAll(
      async () => {
        trouble = await makeTrouble(seededRandom(seed))
        points = trouble.isStandIn ? standInPoints : pointsMax
        const server = { dataDir: trouble.dataDir, log: silentLog }
        const first = await ensurePostgres(server)
        const { url, superuserUrl } = first
        pid = first.pid
        await trouble.prepare(superuserUrl)
        await migrateBridge(url)
        place = await bridgePlace({ given: { url, drop: endDatabase } })
        const bridge = await place.started()
        senders = new Senders(numbered('P', 8), () => ({ port: () => place.port }))
        senders.start()
        for (let point = 0; point < points; point++) {
          await untilMoreAreAnswered()
          await trouble.strike(superuserUrl)
          await untilBack(superuserUrl)
        }
        await untilMoreAreAnswered()
        await senders.stop()
        await place.untilDone()
        await bridge.kill()
        await endDatabase()
        await trouble.cutPower()
        await ensurePostgres(server)
      },
      pointsMax * 20_000 + 60_000,
    )
    afterAll(async () => {
      await place?.[Symbol.asyncDispose]()
      await trouble?.[Symbol.asyncDispose]()
    })

    /**
     * It recovers by itself. A recovery that meets the same trouble is the end of the server, and Corridor, which looks
     * after it, starts it again.
     */
    async function untilBack(superuserUrl: string): Promise<void> {
      const { cluster } = layoutOf(trouble.dataDir)
      const look = async () => {
        if ((await processState(pid, cluster)) === 'gone') return 'ended'
        await (await superuser(superuserUrl)).end()
        return 'recovered'
      }
      const how = await waitFor(look, { what: 'the database to recover or to end', deadlineMs: 60_000 }).catch(
        async (failure: unknown) => {
          throw new Error(`The database said last:\n${await lastOfItsLog()}`, { cause: failure })
        },
      )
      if (how === 'recovered') return
      pid = (await ensurePostgres({ dataDir: trouble.dataDir, log: silentLog })).pid
      await trouble.prepare(superuserUrl)
    }

    async function lastOfItsLog(): Promise<string> {
      const lines = (await readFile(layoutOf(trouble.dataDir).log, 'utf8')).trimEnd().split('\n')
      return lines.slice(-40).join('\n')
    }

    /** Without anybody starting the bridge again. */
    const untilMoreAreAnswered = () => senders.untilMore(40, { deadlineMs: 60_000 })

    async function endDatabase(): Promise<void> {
      const pids = await postgresProcesses(trouble.dataDir)
      killAll(pids)
      await untilGone(pids)
    }

    it('ended the database each time, and nothing else did', async () => {
      const lines = (await readFile(layoutOf(trouble.dataDir).log, 'utf8')).split('\n')
      const ends = lines.filter((line) => line.includes('was terminated by signal 6: Aborted'))
      // More where a recovery has met it as well.
      expect(ends.length).toBeGreaterThanOrEqual(points)
      // Where the log of events lies past the limit as well, its last words are lost with the rest.
      const panics = lines.filter((line) => line.includes('PANIC:'))
      expect(panics.length).toBeGreaterThan(0)
      expect(panics.filter((line) => !trouble.lastWords.test(line))).toEqual([])
    })

    it('lost nothing that was acknowledged, applied nothing twice, and kept the order of each patient', async ({
      task,
    }) => {
      const { faults, figures } = await place.fatesOf(senders)
      tellFigures(task, { kills: points, ...figures, seen: `${points} times ${trouble.how}` })
      expect(faults).toEqual([])
    })
  },
)
