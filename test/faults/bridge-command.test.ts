import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { variableOf } from '../../packages/config/schema.ts'
import { systemRandom } from '../../packages/clock/ids.ts'
import { ownPlace, startCommand, type OwnPlace } from '../../packages/testkit/corridor-command.ts'
import type { Child } from '../../packages/testkit/child.ts'
import { demoToken } from '../../packages/testkit/demo-token.ts'
import { casesOf } from '../../packages/testkit/extent.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import { numbered, Senders } from './crowd/senders.ts'
import { tellFigures } from './findings/fault-figures.ts'
import { killAll, postgresProcesses } from './troubles/kill-postgres.ts'

const kills = casesOf({ daily: 1, long: 15 })

describe(`${kills} kills of a whole Corridor with its database`, () => {
  let senders: Senders
  let place: OwnPlace
  let corridor: Child

  const setting = (path: string) => place.environment[variableOf(path)] ?? ''
  const start = async () => {
    corridor = await startCommand(['start', '--demo'], place)
    await corridor.waitForLine(/Corridor is ready/, { deadlineMs: 120_000 })
  }

  beforeAll(
    async () => {
      place = await ownPlace()
      await start()
      const port = Number(setting('bridge.mllpPort'))
      senders = new Senders(numbered('K', 8), () => ({ port: () => port }))
      senders.start()
      for (let kill = 0; kill < kills; kill++) {
        await senders.untilMore(20 + systemRandom.below(60), { deadlineMs: 60_000 })
        killAll([corridor.pid, ...(await postgresProcesses(setting('dataDir')))])
        await corridor.kill()
        await start()
      }
      await senders.stop()
      // What was acknowledged and parked is done by and by.
      await waitFor(async () => (await successes()) >= senders.acknowledged, { what: 'every end', deadlineMs: 120_000 })
    },
    kills * 120_000 + 240_000,
  )

  afterAll(async () => {
    await corridor?.kill('SIGTERM')
    await place?.[Symbol.asyncDispose]()
  })

  const authorization = async () => `Bearer ${await demoToken(`http://localhost:${setting('auth.port')}`)}`

  const successes = async () => {
    const headers = { authorization: await authorization() }
    const url = `http://localhost:${setting('bridge.port')}/api/transactions?status=SUCCESS&size=1`
    return ((await (await fetch(url, { headers })).json()) as { totalElements: number }).totalElements
  }

  it('left each patient in the state of the last message that was acknowledged', async ({ task }) => {
    const headers = { authorization: await authorization() }
    const names = await Promise.all(
      senders.patients.map(async (patient) => {
        const url = `http://localhost:${setting('fhir.port')}/fhir/Patient?identifier=${patient}`
        const { entry = [] } = (await (await fetch(url, { headers })).json()) as { entry?: PatientEntry[] }
        return entry.map(({ resource }) => resource.name?.[0]?.given?.[0])
      }),
    )
    const wanted = senders.each.map(({ acknowledged }) => [`N${acknowledged}`])
    const lost = names.filter((found, at) => found[0] !== wanted[at]?.[0]).length
    tellFigures(task, {
      kills,
      histories: senders.acknowledged,
      lost,
      twice: names.filter(({ length }) => length > 1).length,
    })
    expect(names).toEqual(wanted)
  })

  it('has each acknowledged message in the log as done, once', async () => {
    expect(await successes()).toBe(senders.acknowledged)
  })
})

interface PatientEntry {
  readonly resource: { readonly name?: readonly { readonly given?: readonly string[] }[] }
}
