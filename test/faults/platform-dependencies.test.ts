import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ServiceName } from '../../apps/corridor/service-names.ts'
import { systemClock } from '../../packages/clock/clock.ts'
import { systemIds } from '../../packages/clock/ids.ts'
import {
  cutAfter,
  garbage,
  halfOpen,
  hang,
  pass,
  refuse,
  reset,
  slow,
  status,
  type FaultMode,
} from '../../packages/testkit/fault-modes.ts'
import { adtA08 } from '../../packages/testkit/hl7-messages.ts'
import { openHl7Sender } from '../../packages/testkit/hl7-sender.ts'
import { isLongRun } from '../../packages/testkit/extent.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import { AppVisitor } from '../../services/immunization/testing/app-visitor.ts'
import { TestBrowser } from '../../services/auth/testing/test-browser.ts'
import { amara, fullDraft, referralApi, type CallApi } from '../../services/referral/testing/referral-api.ts'
import { dependencies, dependencyPlace, type Dependency, type DependencyPlace } from './places/dependency-place.ts'
import { tellFigures } from './findings/fault-figures.ts'

const faults: readonly (readonly [string, FaultMode])[] = [
  ['is refused', refuse],
  ['breaks off in the middle of its answer', cutAfter(40)],
  ...(isLongRun
    ? ([
        ['is reset', reset],
        ['never answers', hang],
        ['is half-open', halfOpen],
        ['answers 500', status(500)],
        ['answers 503', status(503)],
        ['answers nonsense', garbage],
      ] as const)
    : []),
]

/** One thing that a service does with the help of another, and what it answers. */
interface Row {
  readonly service: ServiceName
  readonly dependency: Dependency
  readonly what: string
  /** What must be there before, while all is well. */
  readonly prepare?: () => Promise<void>
  readonly ask: () => Promise<string>
  readonly well: string
  readonly away: string
}

let place: DependencyPlace
let browser: TestBrowser
let visitor: AppVisitor
let call: CallApi

beforeAll(async () => {
  place = await dependencyPlace()
  browser = new TestBrowser(place.url('auth'))
  await browser.signIn()
  visitor = new AppVisitor(place.corridor)
  await visitor.launch()
  call = referralApi({ url: (name) => place.url(name), bearerFor: (wish) => place.corridor.bearerFor(wish) })
}, 60_000)

afterAll(() => place?.[Symbol.asyncDispose]())

const rows: readonly Row[] = [
  {
    ...{ service: 'auth', dependency: 'fhir', what: 'the list of patients in the portal' },
    ask: async () => String((await browser.get('/portal')).status),
    ...{ well: '200', away: '502' },
  },
  {
    ...{ service: 'consent', dependency: 'fhir', what: 'a consent, whose FHIR form follows' },
    ask: () => recordConsent(),
    ...{ well: '201', away: '201' },
  },
  {
    ...{ service: 'referral', dependency: 'fhir', what: 'a referral, whose FHIR form follows' },
    ask: () => sendReferral([]),
    ...{ well: '200', away: '200' },
  },
  {
    ...{ service: 'bridge', dependency: 'fhir', what: 'a message, which waits in the retry queue' },
    ask: () => sendMessage(),
    ...{ well: 'AA', away: 'AA Queued' },
  },
  {
    ...{ service: 'immunization', dependency: 'fhir', what: 'a record that was not read a moment ago' },
    prepare: async () => {
      visitor = new AppVisitor(place.corridor)
      await visitor.signIn()
      const begun = await visitor.get((await visitor.launchAddress('amina-diallo')).href)
      await visitor.follow(begun, ({ pathname }) => pathname === '/dashboard')
    },
    ask: async () => String((await visitor.get('/api/summary', { accept: 'application/json' })).status),
    ...{ well: '200', away: '500' },
  },
  {
    ...{ service: 'bridge', dependency: 'consent', what: 'a message, refused while nobody can say that it is allowed' },
    ask: () => sendMessage(),
    ...{ well: 'AA', away: 'AE' },
  },
  {
    ...{ service: 'referral', dependency: 'consent', what: 'a referral that shares data' },
    ask: () => sendReferral(['Observation']),
    ...{ well: '200', away: '422' },
  },
  {
    ...{ service: 'fhir', dependency: 'auth', what: 'a read, whose token is checked with keys that are known' },
    ask: async () => {
      const headers = { authorization: await place.corridor.bearerFor({ role: 'SYSTEM', scope: 'system/*.rs' }) }
      return String((await fetch(`${place.url('fhir')}/Patient/amina-diallo`, { headers })).status)
    },
    ...{ well: '200', away: '200' },
  },
  {
    ...{ service: 'bridge', dependency: 'auth', what: 'a message, with a token that is held' },
    ask: () => sendMessage(),
    ...{ well: 'AA', away: 'AA' },
  },
  {
    ...{ service: 'immunization', dependency: 'auth', what: 'the record for who is signed in' },
    ask: async () => String((await visitor.get('/api/summary', { accept: 'application/json' })).status),
    ...{ well: '200', away: '200' },
  },
]

const recordConsent = async () => {
  const answer = await fetch(`${place.url('consent')}/api/consent`, {
    method: 'POST',
    headers: { authorization: await place.corridor.bearerFor({ role: 'ADMIN' }), 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ patientId: `Patient/${systemIds.uuid()}`, actorReference: 'Organization/lakeside-clinic' },
      ...{ provisionType: 'permit', scopeValues: ['patient/*.rs'] },
    }),
  })
  return String(answer.status)
}

const sendReferral = async (sharedResourceTypes: readonly string[]) => {
  const { body } = await call('POST /api/referrals', amara, { ...fullDraft, sharedResourceTypes })
  return String((await call(`POST /api/referrals/${body.id}/send`, amara)).status)
}

const sendMessage = async () => {
  const { port } = place.corridor.configuration.bridge.channels.adt
  await using sender = await openHl7Sender({ host: '127.0.0.1', port })
  const message = adtA08({ patientId: `D${systemIds.uuid().slice(0, 8)}` }, { clock: systemClock, ids: systemIds })
  const { ackCode, text } = await sender.send(message, { deadlineMs: 40_000 })
  return text === 'Queued' ? `${ackCode} ${text}` : ackCode
}

const outcomesOf = (of: readonly Row[]) =>
  Promise.all(of.map(async ({ service, what, ask }) => [service, what, await ask()] as const))

describe.each(dependencies)('%s', (dependency) => {
  const dependants = rows.filter((row) => row.dependency === dependency)
  const wellAgain = dependants.map(({ service, what, well }) => [service, what, well])

  const untilWell = async () => {
    for (const { what, ask, well } of dependants) {
      await waitFor(async () => (await ask()) === well, { what: `${what} to be answered again`, deadlineMs: 30_000 })
    }
  }

  it.each(faults)(
    'that %s is told to each caller as specified, and needed again without a restart',
    async (_fault, mode) => {
      // The one before it may have left a circuit open.
      await untilWell()
      for (const { prepare } of dependants) await prepare?.()
      await place.proxyOf(dependency).set(mode)
      const seen = await outcomesOf(dependants)
      await place.proxyOf(dependency).set(pass)
      expect(seen).toEqual(dependants.map(({ service, what, away }) => [service, what, away]))
      await untilWell()
    },
    90_000,
  )

  it('that is slow is waited for', async ({ task }) => {
    await place.proxyOf(dependency).set(slow({ delayMs: 50 }))
    const seen = await outcomesOf(dependants)
    await place.proxyOf(dependency).set(pass)
    tellFigures(task, { histories: dependants.length * (faults.length + 1) })
    expect(seen).toEqual(wellAgain)
  })
})
