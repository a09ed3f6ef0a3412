import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serviceNames } from '../../apps/corridor/service-names.ts'
import { systemClock } from '../../packages/clock/clock.ts'
import { openKeyStore, type KeyStore, type PublicKeys } from '../../packages/keys/key-store.ts'
import { silentLog } from '../../packages/log/log.ts'
import { demoToken } from '../../packages/testkit/demo-token.ts'
import { freePort } from '../../packages/testkit/free-port.ts'
import { casesOf } from '../../packages/testkit/extent.ts'
import { testCorridor, type TestCorridor } from '../../packages/testkit/test-corridor.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import { Crowd } from './crowd/crowd.ts'
import { tellFigures } from './findings/fault-figures.ts'
import { HastyClock } from './troubles/hasty-clock.ts'
import { Person } from './crowd/person.ts'
import { Writer } from './crowd/writer.ts'
import { RepeatedWork } from './crowd/repeated-work.ts'

const rotations = casesOf({ daily: 1, long: 10 })

describe(`${rotations} rotations of the signing key while people sign in and programs call`, () => {
  const owned = new AsyncDisposableStack()
  const tokens: string[] = []
  let keys: KeyStore
  let platform: TestCorridor
  let crowd: Crowd
  let people: Person[]

  beforeAll(
    async () => {
      const directory = await mkdtemp(join(tmpdir(), 'corridor-keys-'))
      owned.defer(() => rm(directory, { recursive: true, force: true }))
      await startPlatform(directory)
      // What `corridor keys rotate` does, with an overlap of eight seconds in place of an hour: a set of keys grows old
      // in five here, in five minutes elsewhere.
      keys = await openKeyStore({ directory, clock: systemClock, log: silentLog, overlapSeconds: 8 })
      people = [new Person(platform), new Person(platform)]
      const writer = await Writer.open(platform)
      let number = 0
      crowd = new Crowd({
        senders: [],
        works: [
          ...people.map((person, at) => new RepeatedWork(`person ${at}`, () => person.round())),
          new RepeatedWork('conditional creates', () => writer.createOnce(number++)),
          new RepeatedWork('consents', () => writer.agreeAndRevoke(number++)),
        ],
      })
      crowd.start()
      for (let turn = 0; turn < rotations; turn++) {
        await crowd.untilAllHaveDoneMore()
        tokens.push(await newToken())
        const { kid } = await keys.rotate()
        await waitFor(async () => (await publishedKeys()).includes(kid), { what: 'the new key', ...within(30) })
        tokens.push(await newToken())
        await crowd.untilAllHaveDoneMore()
        await waitFor(async () => kidOf(await newToken()) === kid, { what: 'its first token', ...within(60) })
        await crowd.untilAllHaveDoneMore()
      }
      tokens.push(await newToken())
      await crowd.stop()
    },
    rotations * 120_000 + 120_000,
  )
  afterAll(() => owned.disposeAsync())

  /** The authorization server by itself: whoever shares a process with it needs no published keys. */
  async function startPlatform(directory: string): Promise<void> {
    const ports = await Promise.all(serviceNames.map(async (name) => [`${name}.port`, String(await freePort())]))
    const settings = {
      ...(Object.fromEntries(ports) as Record<string, string>),
      ...{ 'auth.keyDirectory': directory, 'auth.serviceTokenSeconds': '3600' },
    }
    const clock = new HastyClock()
    owned.use(await testCorridor({ services: ['auth'], settings, clock }))
    const others = serviceNames.filter((name) => name !== 'auth')
    platform = owned.use(await testCorridor({ services: others, apart: true, settings, clock }))
  }

  const newToken = () => demoToken(platform.url('auth'))

  async function publishedKeys(): Promise<string[]> {
    const { keys: found } = (await (await fetch(`${platform.url('auth')}/oauth2/jwks`)).json()) as PublicKeys
    return found.map(({ kid }) => kid)
  }

  const statusOf = async (token: string, url: string) =>
    (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).status

  const readings = () => [
    `${platform.url('fhir')}/Patient/amina-diallo`,
    `${platform.url('consent')}/api/consent/patient/amina-diallo`,
    `${platform.url('bridge')}/api/channels`,
  ]

  it('break no login, no token, no read and no certificate', ({ task }) => {
    const { faults, rounds } = crowd
    const refreshes = people.reduce((total, person) => total + person.refreshes, 0)
    const seen = `the signing key was rotated ${rotations} times during ${rounds} rounds of work and ${refreshes} refreshes`
    tellFigures(task, { histories: rounds, brokenLogins: faults.length, seen })
    expect(faults).toEqual([])
    expect(refreshes).toBeGreaterThan(rotations * 3)
  })

  it('leave what every key has signed good, and the old keys published', async () => {
    expect(new Set(tokens.map(kidOf)).size).toBe(rotations + 1)
    expect(await publishedKeys()).toHaveLength(rotations + 1)
    for (const url of readings()) {
      expect(await Promise.all(tokens.map((token) => statusOf(token, url)))).toEqual(tokens.map(() => 200))
    }
  })

  it('are over at once for a key that was stolen: the next one signs, and what it has signed is refused', async () => {
    const stolen = tokens.at(-1) ?? ''
    const { kid } = await keys.rotate({ immediately: true })
    await waitFor(async () => kidOf(await newToken()) === kid, { what: 'a token of the new key', ...within(30) })
    const good = await newToken()
    for (const url of readings()) expect([url, await statusOf(good, url)]).toEqual([url, 200])
    await keys.remove(kidOf(stolen))
    for (const url of readings()) {
      await waitFor(async () => (await statusOf(stolen, url)) === 401, { what: `a refusal of ${url}`, ...within(30) })
      expect([url, await statusOf(good, url)]).toEqual([url, 200])
    }
    await new Person(platform).round()
  }, 120_000)
})

/** These take seconds, and whoever asks all the time takes the time of those who are asked. */
const within = (seconds: number) => ({ deadlineMs: seconds * 1_000, everyMs: 100 })

const kidOf = (token: string): string => decodeProtectedHeader(token).kid ?? ''
