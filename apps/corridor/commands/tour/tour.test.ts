import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../../packages/clock/clock.ts'
import { seededRandom, systemRandom } from '../../../../packages/clock/ids.ts'
import { variableOf } from '../../../../packages/config/schema.ts'
import { holdDataDir } from '../../../../packages/postgres/hold.ts'
import { readPostmasterPid } from '../../../../packages/postgres/postmaster-pid.ts'
import { migrate } from '../../../../packages/sql/migrate/migrate.ts'
import { ownPlace, type OwnPlace } from '../../../../packages/testkit/corridor-command.ts'
import { testCorridor, type TestCorridor } from '../../../../packages/testkit/test-corridor.ts'
import { templateDatabase, testDatabase } from '../../../../packages/testkit/test-database.ts'
import { migrationSets } from '../../run/corridor-database.ts'
import { serviceNames } from '../../service-names.ts'
import { wrapped } from './narrator.ts'
import { newPatient } from './tour-patient.ts'
import { tour } from './tour.ts'
import { walk } from './walk.ts'

const escapeSign = String.fromCodePoint(27)

/** A terminal that remembers what was written to it. */
function paper() {
  const said = { out: '', err: '' }
  const terminal = {
    out: (text: string) => void (said.out += text),
    err: (text: string) => void (said.err += text),
    ...{ isInteractive: false, hasColour: false },
  }
  return { said, terminal }
}

/** Nobody ever presses Ctrl-C. */
const signals = { first: () => new Promise<string>(() => {}) }
const nobody = () => new PassThrough()

describe('the tour', () => {
  let place: OwnPlace
  beforeAll(async () => {
    place = await ownPlace()
  })
  afterAll(() => place[Symbol.asyncDispose]())

  // A whole Corridor starts and five messages go through it: on a busy machine that takes its time.
  const patience = { timeout: 120_000 }
  it('starts a Corridor where none listens, shows all its parts, and ends what it has started', patience, async () => {
    const template = await templateDatabase(
      'corridor',
      async (url) => void (await migrate(url, migrationSets(serviceNames))),
    )
    await using database = await testDatabase({ template })
    const environment = { ...place.environment, [variableOf('database.url')]: database.url }
    const { said, terminal } = paper()
    expect(await tour({ environment, yes: true }, { terminal, input: nobody(), signals })).toBe(0)

    expect(said.out).toContain('No Corridor is running yet, so the tour starts one.')
    // Three messages and the first of the clinic pass all stages; the last one is stopped by GOVERN.
    const stage = (name: string, words: string) =>
      [...said.out.matchAll(new RegExp(`^  ${name} .*${words}$`, 'gm'))].length
    expect([stage('enrich', 'looked up'), stage('govern', 'says yes'), stage('govern', 'says no')]).toEqual([5, 4, 1])
    expect([stage('persist', 'in one transaction'), stage('persist', 'not reached')]).toEqual([4, 1])
    expect([stage('ack', 'AA, as the sender sees it'), stage('ack', 'AR, as the sender sees it')]).toEqual([4, 1])
    expect(said.out).toMatch(/dispatch .*told 2: (sms 200, message AA|message AA, sms 200)/)
    expect(said.out).toMatch(/Observation +Potassium 6\.8 mmol\/L, CRITICAL HIGH/)
    expect(said.out).toMatch(/Immunization +Influenza/)
    expect(said.out).toContain('the referral is COMPLETED')
    expect(said.out).toContain("“The patient's consent does not permit the sending facility to write this.")
    expect(said.out).toContain('✗ status inactive')
    expect(said.out).toContain(`${place.environment['CORRIDOR_BRIDGE_PORT']}/console`)

    expect(said.out.split('\n').filter((line) => line.length > 82)).toEqual([])
    expect(said.out).not.toContain(escapeSign)
    await expect(fetch(`http://localhost:${place.environment['CORRIDOR_AUTH_PORT']}/`)).rejects.toThrow('fetch failed')
  })

  it('is for demo mode only', async () => {
    const environment = { ...place.environment, CORRIDOR_MODE: 'production' }
    const deps = { ...paper(), input: nobody(), signals }
    await expect(tour({ environment }, deps)).rejects.toThrow('for demo mode only')
  })

  it('can be left while its Corridor starts: nothing of that runs on', async () => {
    await using alone = await ownPlace()
    const { said, terminal } = paper()
    const leaving = Promise.withResolvers<string>()
    const out = (text: string) => {
      terminal.out(text)
      if (text.includes('the tour starts one')) leaving.resolve('SIGINT')
    }
    const deps = { terminal: { ...terminal, out }, input: nobody(), signals: { first: () => leaving.promise } }
    expect(await tour({ environment: alone.environment, yes: true }, deps)).toBe(130)
    expect(said.out).toMatch(/You have left the tour before it began\.\n$/)
    expect(await readPostmasterPid(join(alone.folder, 'data', 'postgres'))).toBeUndefined()
  })

  it.each(['hello', '{"status":"UP"}'])('leaves another program alone, which says %s', async (greeting) => {
    const stranger = createServer((_request, response) => response.end(greeting)).listen(0, '127.0.0.1')
    await once(stranger, 'listening')
    // Sound: it listens on a port.
    const { port } = stranger.address() as AddressInfo
    const environment = { ...place.environment, CORRIDOR_AUTH_URL: `http://127.0.0.1:${port}` }
    const deps = { ...paper(), input: nobody(), signals }
    await expect(tour({ environment }, deps)).rejects.toThrow(
      `Another program answers at http://127.0.0.1:${port} (auth). Stop it, or give Corridor another port (CORRIDOR_AUTH_PORT). ` +
        'Where Corridor runs with other settings already, the tour needs the same ones.',
    )
    stranger.close()
  })
})

it('a tour that finds nobody says what it lacks where Corridor runs on other ports', async () => {
  await using place = await ownPlace()
  const held = await holdDataDir(join(place.folder, 'data'))
  const deps = { ...paper(), input: nobody(), signals }
  await expect(tour({ environment: place.environment }, deps)).rejects.toThrow(
    /is held by another running Corridor .* Where Corridor runs with other settings already, the tour needs the same ones\.$/,
  )
  await held.release()
})

describe('a part of the tour', () => {
  let corridor: TestCorridor
  beforeAll(async () => {
    corridor = await testCorridor()
  })
  afterAll(() => corridor[Symbol.asyncDispose]())

  const walking = (
    input: PassThrough | undefined,
    stop: AbortSignal,
    out: (text: string) => void,
    bridge = corridor.configuration.bridge,
  ) => {
    const terminal = { ...paper().terminal, out, hasColour: true }
    const deps = { terminal, input, stop, clock: systemClock, random: systemRandom }
    return { walked: walk({ configuration: { ...corridor.configuration, bridge }, isOpening: false }, deps) }
  }

  it('waits for Enter after each part, and can be left', async () => {
    const [input, leaving] = [new PassThrough(), new AbortController()]
    const parts: string[] = []
    const { walked } = walking(input, leaving.signal, (text) => {
      parts.push(text)
      if (!text.includes('Press Enter to go on')) return
      if (!parts.join('').includes('A result that cannot wait')) input.write('\n')
      else leaving.abort(new Error('gone'))
    })
    await expect(walked).rejects.toThrow('gone')
    expect(parts.join('').match(/Press Enter/g)).toHaveLength(2)
    expect(parts.join('')).toContain(`${escapeSign}[31mObservation`)
    expect(parts.join('')).not.toContain('A vaccination')
  })

  // The bridge hears within half a minute that a subscription was switched off.
  it('says of no text message that nobody was sent', { timeout: 60_000 }, async () => {
    const { fhir, bridge } = corridor.configuration
    const address = `${fhir.url}/Subscription/sub-06-critical-result`
    const headers = {
      authorization: await corridor.bearerFor({ role: 'ADMIN' }),
      'content-type': 'application/fhir+json',
    }
    // Sound: the store answers with the resource that comes along.
    const before = (await (await fetch(address, { headers })).json()) as object
    const body = JSON.stringify({ ...before, status: 'off' })
    expect((await fetch(address, { method: 'PUT', headers, body })).status).toBe(200)
    const authorization = await corridor.bearerFor({ scope: 'system/*.read' })
    const isServed = async () => {
      const listed = await fetch(`${bridge.url}/api/subscriptions`, { headers: { authorization } })
      expect(listed.status).toBe(200)
      return (await listed.text()).includes('sub-06-critical-result')
    }
    await expect.poll(isServed, { timeout: 40_000 }).toBe(false)
    let said = ''
    const { walked } = walking(undefined, new AbortController().signal, (text) => (said += text))
    await walked
    const unwrapped = said.replace(/\s+/g, ' ')
    expect(unwrapped).not.toContain('was sent a text message')
    expect(unwrapped).toContain(`has had no text message of it so far. See why: ${bridge.url}/console/subscriptions`)
  })

  it('says where a message went and what to look at when it gets no answer', async () => {
    const silent = createTcpServer((socket) => socket.once('data', () => socket.end())).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    // Sound: it listens on a port.
    const { port } = silent.address() as AddressInfo
    const { bridge } = corridor.configuration
    const channels = { ...bridge.channels, adt: { ...bridge.channels.adt, port } }
    const { walked } = walking(undefined, new AbortController().signal, () => {}, { ...bridge, channels })
    await expect(walked).rejects.toThrow(
      `The message was sent to 127.0.0.1:${port} (channel adt). The receiver closed the connection before it answered. ` +
        `Is Corridor still running? Look at its terminal, and where it runs at ${bridge.url}/console/channels.`,
    )
    silent.close()
  })

  it('ends with a sentence when it does not go as told', async () => {
    const policy = { patientId: null, actorReference: 'Organization/central-hospital', provisionType: 'deny' }
    const denied = await fetch(`${corridor.url('consent')}/api/consent`, {
      method: 'POST',
      headers: { authorization: await corridor.bearerFor({ role: 'ADMIN' }), 'content-type': 'application/json' },
      body: JSON.stringify({ ...policy, scopeContext: 'system' }),
    })
    expect(denied.status).toBe(201)
    const { walked } = walking(undefined, new AbortController().signal, () => {})
    await expect(walked).rejects.toThrow(/^The answer was AR, not AA: The patient's consent does not permit/)
  })

  it('says so when only a part of Corridor runs', async () => {
    const { auth, bridge } = corridor.configuration
    await using place = await ownPlace({ 'auth.url': auth.url, 'bridge.url': bridge.url })
    const deps = { ...paper(), input: nobody(), signals }
    await expect(tour({ environment: place.environment }, deps)).rejects.toThrow(
      /^Only a part of Corridor runs: nothing listens at .*\(fhir\).*\. Start all of it: npm start$/,
    )
  })
})

it('has another patient every time, whom the patient index takes for nobody else', () => {
  const deps = { clock: systemClock, random: seededRandom(1) }
  const people = Array.from({ length: 50 }, () => newPatient(deps))
  const distinct = (of: (person: (typeof people)[number]) => string) => new Set(people.map(of)).size
  expect(distinct(({ run }) => run)).toBe(50)
  expect(distinct(({ given, family, born }) => `${given} ${family} ${born}`)).toBe(50)
})

it.each([
  ['a few words here', 10, ['a few', 'words here']],
  ['averylongword b', 5, ['averylongword', 'b']],
  ['', 5, ['']],
])('wraps %j to %d columns', (text, columns, lines) => {
  expect(wrapped(text, columns)).toEqual(lines)
})
