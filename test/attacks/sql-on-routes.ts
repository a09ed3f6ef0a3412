import { beforeAll, describe, expect, it } from 'vitest'
import { propertiesOf } from '../../packages/http/input.ts'
import { pathOf, type AttackedRoute } from './world/attacked-route.ts'
import { goodRequest } from './world/good-request.ts'
import { sqlPayloads } from './sql-payloads.ts'
import type { World } from './world/world.ts'
import { slowMs } from './world/slow.ts'

/** Every parameter of every path and query × SQL, and every search parameter of FHIR. */
export function sqlOnRoutes(world: () => World): void {
  describe('SQL in a parameter', { timeout: slowMs }, () => {
    let headers: Readonly<Record<string, string>>
    beforeAll(async () => {
      headers = { authorization: await world().bearer(), cookie: (await world().people()).admin }
    })
    const targets = () =>
      world().routes.filter(({ route }) => route.readsOwnInput !== true && !/\/(events|logout)$/.test(route.path))

    /** Which answer it gives is the route's affair; that it is none of the database's is ours. */
    const tryAt = async (target: AttackedRoute, path: string): Promise<string[]> => {
      const good = goodRequest(target)
      const { faults } = await world().send('SQL in a parameter', target, {
        ...good,
        path,
        headers: { ...good.headers, ...headers },
      })
      return faults.map((fault) => `${target.name} ${path}: ${fault}`)
    }

    it('of a query or a path is a text like any other', async () => {
      const wrong: string[] = []
      let at = 0
      for (const target of targets()) {
        const { query = {}, params = {} } = target.route.input ?? {}
        for (const name of Object.keys(propertiesOf(query))) {
          for (const payload of target.door === 'token' ? sqlPayloads : someOf(sqlPayloads, at++)) {
            wrong.push(...(await tryAt(target, `${pathOf(target)}?${new URLSearchParams({ [name]: payload })}`)))
          }
        }
        for (const name of Object.keys(propertiesOf(params))) {
          for (const payload of someOf(sqlPayloads, at++)) {
            wrong.push(...(await tryAt(target, pathOf(target, { [name]: percent(payload) }))))
          }
        }
      }
      expect(wrong).toEqual([])
    })

    it('of a FHIR search finds what the same text without it finds: nothing, or the refusal of the value', async () => {
      const search = world().route('fhir GET /fhir/:type')
      const wrong: string[] = []
      for (const question of fhirQuestions) {
        for (const payload of sqlPayloads) {
          const path = `/fhir/${question}${percent(payload)}`
          const { answer, faults } = await world().send('SQL in a FHIR search', search, { path, headers })
          wrong.push(...faults.map((fault) => `${path}: ${fault}`))
          const found = answer.status === 200 && /"mode":"match"/.test(answer.text)
          if (found) wrong.push(`${path} finds something`)
        }
      }
      expect(wrong).toEqual([])
    })

    it('leaves every table where it was', async () => {
      const search = world().route('fhir GET /fhir/:type')
      const { answer } = await world().send('SQL in a FHIR search', search, { path: '/fhir/Patient?_count=1', headers })
      expect(answer.text).toContain('"mode":"match"')
      expect(world().corridor.log.events('request failed')).toEqual([])
    })
  })
}

/** A sixth of them, another one each time: what is asked for in the path of a page comes to the same few statements. */
const someOf = (payloads: readonly string[], turn: number) => payloads.filter((_, at) => at % 6 === turn % 6)

/** Half of a character pair has no UTF-8; a browser sends its replacement. */
const percent = (text: string) => encodeURIComponent(text.toWellFormed())

/** One of each kind of parameter: text, token, date, reference, number, quantity, uri, chain, reverse chain, sort. */
const fhirQuestions = [
  ...[
    'Patient?name=',
    'Patient?family:exact=',
    'Patient?identifier=',
    'Patient?identifier=http://x|',
    'Patient?birthdate=',
  ],
  ...['Patient?_id=', 'Patient?_tag=', 'Patient?_has:Observation:patient:code=', 'Patient?general-practitioner.name='],
  ...['Observation?patient=', 'Observation?patient.name=', 'Observation?value-quantity=', 'Observation?code='],
  ...[
    'Encounter?length=',
    'ValueSet?url=',
    'ValueSet?url:below=',
    'Subscription?criteria=',
    'Patient?name:contains=zz',
  ],
]
