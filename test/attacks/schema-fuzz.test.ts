import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../../packages/log/log.ts'
import { openDatabase, type Database } from '../../packages/sql/database.ts'
import { chosenBy } from '../../packages/testkit/cases.ts'
import { casesOf, casesTimeoutMs as timeout } from '../../packages/testkit/extent.ts'
import { testSeed } from '../../packages/testkit/test-seed.ts'
import { tellFigures } from '../faults/findings/fault-figures.ts'
import { declaredAnswers } from './fuzz/declared-answers.ts'
import { failedRequests } from './fuzz/failed-requests.ts'
import { reducedRequest } from './fuzz/reduced-request.ts'
import { routeRequest, type Fuzzed } from './fuzz/route-requests.ts'
import { routeShares } from './fuzz/route-shares.ts'
import { halfWrites } from './fuzz/whole-writes.ts'
import type { AttackedRoute } from './world/attacked-route.ts'
import { OwnObjects } from './world/own-objects.ts'
import { World } from './world/world.ts'

const requests = casesOf({ daily: 20_000, long: 50_000, night: 500_000 })
/** So many at once. */
const senders = 8
const seed = testSeed()

describe(`${requests} requests about what the routes declare (CORRIDOR_TEST_SEED=${seed})`, { timeout }, () => {
  const answered = new Map<number, number>()
  let world: World
  let database: Database
  let known: readonly string[]
  let credentials: Readonly<Record<'authorization' | 'cookie' | 'leaving', string>>

  beforeAll(async () => {
    world = await World.start()
    database = await openDatabase({ url: world.corridor.databaseUrl, poolMax: 1, log: silentLog })
    const people = await world.people()
    const authorization = await world.bearer({ expiresInSeconds: timeout / 1_000 })
    credentials = { authorization, cookie: people.admin, leaving: people.clinician2 }
    const own = new OwnObjects(world)
    const [consent, sent, draft] = [await own.consent(), await own.sentReferral(), await own.referral()]
    known = [
      ...[consent.id, sent.id, sent.taskId, draft].map(String),
      ...[consent.fhirId, await own.unmappedCode(), 'amina-diallo', 'Patient/amina-diallo', 'Practitioner/dr-amara'],
      ...['Organization/lakeside-clinic', 'lakeside-clinic', 'adt', 'Patient', 'Observation', 'send', 'fhir-server'],
    ]
  }, 120_000)

  afterAll(async () => {
    await database?.close()
    await world?.[Symbol.asyncDispose]()
  })

  // A stream of events has no end to wait for.
  const targets = () => world.routes.filter(({ route }) => !route.path.endsWith('/events'))

  async function send(target: AttackedRoute, { headers, ...rest }: Fuzzed) {
    // Whoever leaves is somebody whose session nothing else needs.
    const cookie = /logout|sign-out/.test(target.route.path) ? credentials.leaving : credentials.cookie
    const { authorization } = credentials
    return world.send('fuzz', target, { ...rest, headers: { authorization, cookie, ...headers } })
  }

  /** Sends the requests of one route, as many as are asked for, until one of them fails; that one is told. */
  function fuzzOf(target: AttackedRoute) {
    const make = routeRequest(target, known)
    const undeclaredIn = declaredAnswers(target)
    const failureOf = async (request: Fuzzed) => {
      const { answer, faults } = await send(target, request)
      answered.set(answer.status, (answered.get(answer.status) ?? 0) + 1)
      const wrong = [...faults, ...undeclaredIn(answer)]
      return wrong.length === 0 ? undefined : wrong.join('; ')
    }
    let hasFailed = false
    return async (caseSeed: number): Promise<string[]> => {
      const request = make(chosenBy(caseSeed))
      const failure = hasFailed ? undefined : await failureOf(request)
      if (failure === undefined || hasFailed) return []
      hasFailed = true
      const reduced = await reducedRequest(caseSeed, make, failureOf)
      return [`${target.name}: ${reduced ?? `not again: ${JSON.stringify(request)} ${failure}`}`]
    }
  }

  it('are answered, each as declared or with a refusal, and none with what is inside', async ({ task }) => {
    const shares = [...routeShares(targets(), requests)].map(([target, share]) => ({ fuzz: fuzzOf(target), share }))
    // One of each route, then again one of each that has more to come: neighbours in time are different routes.
    const rounds = Math.max(...shares.map(({ share }) => share))
    const turns = Array.from({ length: rounds }, (_none, round) => shares.filter(({ share }) => share > round)).flat()
    const wrong: string[] = []
    let next = 0
    const sendNext = async () => {
      for (let turn = next++; turn < turns.length; turn = next++)
        wrong.push(...((await turns[turn]?.fuzz(seed + turn)) ?? []))
    }
    await Promise.all(Array.from({ length: senders }, sendNext))
    const counts = [...answered].sort(([a], [b]) => a - b).map(([status, times]) => `${times} × ${status}`)
    tellFigures(task, { histories: sum(answered.values()), seen: `fuzzed requests were answered ${counts.join(', ')}` })
    expect(wrong).toEqual([])
    expect(sum(answered.values())).toBeGreaterThanOrEqual(requests)
  })

  it.each(failedRequests)('are answered where once $route was not: $body', async ({ route, body }) => {
    const target = world.route(route)
    const headers = { 'content-type': 'application/json' }
    const { answer, faults } = await send(target, { path: target.route.path, headers, body })
    expect(answer.status).toBeLessThan(500)
    expect(faults).toEqual([])
  })

  it('came through to the work itself, many of them', () => {
    const good = [...answered].filter(([status]) => status < 400).map(([, times]) => times)
    expect(sum(good)).toBeGreaterThan(requests / 10)
    expect(answered.get(401) ?? 0).toBeLessThan(requests / 4)
  })

  it('left nothing half-written, no fault in the log and everything at work', async () => {
    expect(await halfWrites(database)).toEqual([])
    expect(world.corridor.log.events('request failed')).toEqual([])
    const readings = world.routes.filter(({ route }) => route.path === '/console' || route.path === '/portal')
    const make = () => ({ headers: { cookie: credentials.cookie } })
    expect(await world.tryOn('after the fuzz', readings, make, () => [200])).toEqual([])
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })
})

const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, one) => total + one, 0)
