import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { variableOf } from '../../packages/config/schema.ts'
import { systemRandom } from '../../packages/clock/ids.ts'
import { ownPlace, startCommand, type OwnPlace } from '../../packages/testkit/corridor-command.ts'
import type { Child } from '../../packages/testkit/child.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import { sum } from './message-fates.ts'
import { tellFigures } from './fault-figures.ts'
import { InsistentSender } from './insistent-sender.ts'
import { killAll, postgresProcesses } from './kill-postgres.ts'

const kills = process.env['CORRIDOR_TEST_LONG'] === 'true' ? 15 : 1

describe(`${kills} kills of a whole Corridor with its database`, () => {
  const senders = new Map<string, InsistentSender>()
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
      for (let number = 0; number < 8; number++) {
        senders.set(`K${number}`, new InsistentSender({ port: () => port, patient: `K${number}` }))
      }
      for (const sender of senders.values()) sender.start()
      for (let kill = 0; kill < kills; kill++) {
        const wanted = sum(senders) + 20 + systemRandom.below(60)
        await waitFor(() => sum(senders) >= wanted, { what: 'answers', deadlineMs: 60_000 })
        killAll([corridor.pid, ...(await postgresProcesses(setting('dataDir')))])
        await corridor.kill()
        await start()
      }
      await Promise.all([...senders.values()].map((sender) => sender.stop()))
    },
    kills * 120_000 + 240_000,
  )

  afterAll(async () => {
    await corridor?.kill('SIGTERM')
    await place?.[Symbol.asyncDispose]()
  })

  const authorization = async () => {
    const answer = await fetch(`http://localhost:${setting('auth.port')}/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from('svc-admin:demo').toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    })
    const { access_token: token } = (await answer.json()) as { access_token: string }
    return `Bearer ${token}`
  }

  it('left each patient in the state of the last message that was acknowledged', async ({ task }) => {
    const headers = { authorization: await authorization() }
    const names = await Promise.all(
      [...senders.keys()].map(async (patient) => {
        const url = `http://localhost:${setting('fhir.port')}/fhir/Patient?identifier=${patient}`
        const { entry = [] } = (await (await fetch(url, { headers })).json()) as { entry?: PatientEntry[] }
        return entry.map(({ resource }) => resource.name?.[0]?.given?.[0])
      }),
    )
    const wanted = [...senders.values()].map(({ acknowledged }) => [`N${acknowledged}`])
    const lost = names.filter((found, at) => found[0] !== wanted[at]?.[0]).length
    tellFigures(task, { kills, histories: sum(senders), lost, twice: names.filter(({ length }) => length > 1).length })
    expect(names).toEqual(wanted)
  })

  it('has each acknowledged message in the log as done, once', async () => {
    const headers = { authorization: await authorization() }
    const url = `http://localhost:${setting('bridge.port')}/api/transactions?status=SUCCESS&size=1`
    const { totalElements } = (await (await fetch(url, { headers })).json()) as { totalElements: number }
    expect(totalElements).toBe(sum(senders))
  })
})

interface PatientEntry {
  readonly resource: { readonly name?: readonly { readonly given?: readonly string[] }[] }
}
