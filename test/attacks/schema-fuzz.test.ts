import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../../packages/log/log.ts'
import { openDatabase, type Database } from '../../packages/sql/database.ts'
import { isLongRun, testSeed } from '../../packages/testkit/long-run.ts'
import { tellFigures } from '../faults/findings/fault-figures.ts'
import { declaredAnswers } from './fuzz/declared-answers.ts'
import { failedRequests } from './fuzz/failed-requests.ts'
import { routeRequests, type Fuzzed } from './fuzz/route-requests.ts'
import { halfWrites } from './fuzz/whole-writes.ts'
import type { AttackedRoute } from './world/attacked-route.ts'
import type { Answered } from './world/client.ts'
import { OwnObjects } from './world/own-objects.ts'
import { World } from './world/world.ts'

const requests = isLongRun ? 40_000 : 1_600
const seed = testSeed()

describe(`${requests} requests about what the routes declare (CORRIDOR_TEST_SEED=${seed})`, () => {
  const answered = new Map<number, number>()
  let world: World
  let database: Database
  let known: readonly string[]
  let credentials: Readonly<Record<'authorization' | 'cookie' | 'leaving', string>>

  beforeAll(async () => {
    world = await World.start()
    database = await openDatabase({ url: world.corridor.databaseUrl, poolMax: 1, log: silentLog })
    const people = await world.people()
    credentials = { authorization: await world.bearer(), cookie: people.admin, leaving: people.clinician2 }
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

  async function send(target: AttackedRoute, { headers, ...rest }: Fuzzed): Promise<Answered> {
    // Whoever leaves is somebody whose session nothing else needs.
    const cookie = /logout|sign-out/.test(target.route.path) ? credentials.leaving : credentials.cookie
    const { authorization } = credentials
    const { answer, faults } = await world.send('fuzz', target, {
      ...rest,
      headers: { authorization, cookie, ...headers },
    })
    answered.set(answer.status, (answered.get(answer.status) ?? 0) + 1)
    expect(faults).toEqual([])
    return answer
  }

  it('are answered, each as declared or with a refusal, and none with what is inside', async ({ task }) => {
    const each = Math.ceil(requests / targets().length)
    const wrong: string[] = []
    for (const target of targets()) {
      const undeclaredIn = declaredAnswers(target)
      const property = fc.asyncProperty(routeRequests(target, known), async (request) => {
        expect(undeclaredIn(await send(target, request))).toEqual([])
      })
      const outcome = await fc.check(property, { numRuns: each, seed })
      if (outcome.failed)
        wrong.push(`${target.name}: ${JSON.stringify(outcome.counterexample)} ${String(outcome.errorInstance)}`)
    }
    const counts = [...answered].sort(([a], [b]) => a - b).map(([status, times]) => `${times} × ${status}`)
    tellFigures(task, { histories: sum(answered.values()), seen: `fuzzed requests were answered ${counts.join(', ')}` })
    expect(wrong).toEqual([])
    expect(sum(answered.values())).toBeGreaterThanOrEqual(requests)
  }, 1_200_000)

  it.each(failedRequests)('are answered where once $route was not: $body', async ({ route, body }) => {
    const target = world.route(route)
    const headers = { 'content-type': 'application/json' }
    expect((await send(target, { path: target.route.path, headers, body })).status).toBeLessThan(500)
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
