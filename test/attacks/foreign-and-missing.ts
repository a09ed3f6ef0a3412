import { afterAll, describe, expect, it } from 'vitest'
import type { TokenWish } from '../../packages/testkit/tokens.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import { pathOf, type AttackedRoute } from './world/attacked-route.ts'
import type { Answered, Sent } from './world/client.ts'
import { goodRequest } from './world/good-request.ts'
import { amara, baraka, OwnObjects } from './world/own-objects.ts'
import type { Person } from './world/people.ts'
import { figuresOf } from './world/work-figures.ts'
import type { World } from './world/world.ts'
import { slowMs } from './world/slow.ts'

/** Something that exists and is none of the caller's, and something that never existed. */
interface Pair {
  /** Somebody with a token, or with a session in a browser. */
  readonly as: TokenWish | Person
  readonly foreign: Readonly<Record<string, string>>
  readonly missing: Readonly<Record<string, string>>
}

const amina: TokenWish = { role: 'PATIENT', scope: 'patient/*.cruds', patient: 'amina-diallo' }
const otherPatient = { as: amina, foreign: { id: 'kofi-mensah' }, missing: { id: 'nobody-at-all' } }
const otherPatientByName = {
  as: amina,
  foreign: { patientId: 'kofi-mensah' },
  missing: { patientId: 'nobody-at-all' },
}
const otherConsent = async (own: OwnObjects) => {
  const { id, fhirId } = await own.consent(baraka)
  const missing = { id: '987654321', fhirId: '00000000-0000-4000-8000-000000000000' }
  return { as: amara, foreign: { id: String(id), fhirId }, missing }
}
const otherReferral = async (own: OwnObjects) => ({
  as: amina,
  foreign: { id: String(await own.referral('Patient/kofi-mensah')) },
  missing: { id: '987654321' },
})
const onPageOf = (person: Person, rule: (own: OwnObjects) => Promise<Pair>) => async (own: OwnObjects) => ({
  ...(await rule(own)),
  as: person,
})

type Rule = string | Pair | ((own: OwnObjects) => Promise<Pair>)

/** Whose the things are that a route names in its path: a pair to try, or the reason why they are everybody's. */
const rules: readonly (readonly [RegExp, Rule])[] = [
  [/^fhir \w+ \/fhir\/[^/]+\/:id/, otherPatient],
  [/^fhir \w+ \/fhir\/:type/, 'names a type, no object'],
  [/^fhir \w+ \/api\//, 'administrators of the index and the audit log see all of it'],
  [/^consent \w+ \/api\/consent\/(:id|fhir\/)/, otherConsent],
  [/^consent \w+ \/api\/consent\/patient\//, otherPatientByName],
  [/^consent \w+ \/api\/consent\/admin\//, 'administrators see every organisation'],
  [
    /^consent \w+ \/api\/consent\/demo\//,
    'of the demo, for service accounts; the answer is the same for every facility',
  ],
  [/^referral GET \/api\/referrals\/:id(\/history)?$/, otherReferral],
  [/^referral \w+ \/api\/referrals\/:id/, 'every clinician may read referrals (decision 0401)'],
  [/^referral \w+ \/api\/referrals\/patient\//, otherPatientByName],
  [/^bridge /, 'whoever runs the bridge sees all of it'],
  [/^consent \w+ \/consents\//, onPageOf('clinician', otherConsent)],
  [/^(?:consent|referral) \w+ \/patients\//, 'every clinician may open any patient'],
  [/^referral GET \/referrals\/:id$/, onPageOf('patient', otherReferral)],
  [/^referral \w+ \/referrals\/:id/, 'every clinician may read referrals (decision 0401)'],
  [/^auth \w+ \/portal\/patients\//, 'every clinician may open any patient'],
]

export function foreignAndMissing(world: () => World): void {
  const lines: string[] = []
  const targets = () =>
    world().routes.filter(({ route, door }) => route.path.includes(':') && (door === 'token' || door === 'session'))
  const ruleOf = ({ name }: AttackedRoute) => rules.find(([pattern]) => pattern.test(name))?.[1]
  /** The first reading route of each rule: the others of a rule come to the same query. */
  const onePerRule = () => {
    const reading = targets().filter(({ route }) => route.method === 'GET')
    return new Set(rules.flatMap(([pattern]) => reading.find(({ name }) => pattern.test(name)) ?? []))
  }
  const pairOf = async (target: AttackedRoute): Promise<Pair | undefined> => {
    const rule = ruleOf(target)
    return typeof rule === 'function' ? rule(new OwnObjects(world())) : typeof rule === 'string' ? undefined : rule
  }

  describe('what belongs to others', { timeout: slowMs }, () => {
    afterAll(() => void process.stdout.write(`${['median time, missing : foreign', ...lines].join('\n')}\n`))

    it('is known to this suite for every route that names something', () => {
      expect(targets().filter((target) => ruleOf(target) === undefined)).toEqual([])
    })

    it('is answered to the letter like what never was', async () => {
      const wrong: string[] = []
      let pairs = 0
      for (const target of targets()) {
        const pair = await pairOf(target)
        if (pair === undefined) continue
        pairs++
        const [foreign, missing] = [await ask(target, pair.as, pair.foreign), await ask(target, pair.as, pair.missing)]
        if (foreign !== missing) wrong.push(`${target.name}:\n  foreign ${foreign}\n  missing ${missing}`)
        if (foreign.startsWith('2') && !isSilent(target)) wrong.push(`${target.name}: ${foreign}`)
      }
      expect(wrong).toEqual([])
      expect(pairs).toBeGreaterThan(15)
    })

    it('is still there afterwards', async () => {
      const authorization = await world().bearer()
      const answer = await fetch(`${world().origin('fhir')}/fhir/Patient/kofi-mensah`, { headers: { authorization } })
      expect([answer.status, answer.headers.get('etag')]).toEqual([200, 'W/"1"'])
    })

    it('costs as many statements as what never was', async () => {
      const wrong: string[] = []
      for (const target of onePerRule()) {
        const pair = await pairOf(target)
        if (pair === undefined) continue
        await waitFor(() => isQuiet(world()), { what: 'the attacks before to be written down', deadlineMs: slowMs / 2 })
        const proof = await proofOf(pair.as)
        const [foreign, missing] = await figuresOf(
          [requestOf(target, proof, pair.foreign), requestOf(target, proof, pair.missing)],
          (sent) => world().send('foreign and missing', target, sent),
          () => statements(world()),
        )
        if (foreign.statements !== missing.statements) {
          wrong.push(`${target.name}: ${foreign.statements} and ${missing.statements}`)
        }
        const ratio = missing.medianMs / foreign.medianMs
        lines.push(`${ratio.toFixed(2)}  ${target.name}`)
      }
      expect(wrong).toEqual([])
    })
  })

  async function ask(target: AttackedRoute, as: Pair['as'], values: Pair['foreign']): Promise<string> {
    const { answer } = await world().send('foreign and missing', target, requestOf(target, await proofOf(as), values))
    return letters(answer, values)
  }

  async function proofOf(as: Pair['as']): Promise<Readonly<Record<string, string>>> {
    if (typeof as !== 'string') return { authorization: await world().corridor.bearerFor(as) }
    return { cookie: (await world().people())[as], accept: 'text/html' }
  }
}

/** Deleting what is not there is a success in FHIR; an empty list and the validation of a body tell of nobody. */
const isSilent = ({ route: { method, path } }: AttackedRoute) =>
  method === 'DELETE' || /(:within|\$validate)$/.test(path)

function requestOf(
  target: AttackedRoute,
  proof: Readonly<Record<string, string>>,
  values: Pair['foreign'],
): Partial<Sent> {
  const good = goodRequest(target)
  const query = good.path.includes('?') ? good.path.slice(good.path.indexOf('?')) : ''
  return { ...good, path: pathOf(target, values) + query, headers: { ...good.headers, ...proof } }
}

/** Everything that a caller could tell two answers apart by, without what names the request itself. */
function letters({ status, headers, text }: Answered, values: Pair['foreign']): string {
  const told = Object.keys(headers).filter((name) => !['content-length', 'date', 'x-request-id'].includes(name))
  const kept = ['content-type', 'etag', 'www-authenticate', 'allow'].map((name) => String(headers[name]))
  const timeless = text
    .replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+Z|\d{1,2} \w{3} \d{4}, [\d:]+ UTC/g, '<time>')
    .replaceAll(String(headers['x-request-id']), '<request>')
  const named = new RegExp(`(?<=/)(${Object.values(values).join('|')})(?=[/"?])`, 'g')
  return `${status} ${told.sort().join()} ${kept.join()} ${timeless.replaceAll(named, '<id>')}`
}

/** Of some looks in a row, none has seen a statement: with much to be written down there are always some. */
async function isQuiet(world: World): Promise<boolean> {
  const before = await statements(world)
  for (let look = 0; look < quietLooks; look++) if ((await statements(world)) !== before) return false
  return true
}

const quietLooks = 5

async function statements(world: World): Promise<number> {
  const metrics = await (await fetch(`${world.origin('auth')}/actuator/prometheus`)).text()
  const counts = metrics.matchAll(/^corridor_database_query_seconds_count\S* (\d+)/gm)
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
}
