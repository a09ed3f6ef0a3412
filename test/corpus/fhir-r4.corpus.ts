import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadDefinitions } from '../../packages/fhir/definitions.ts'
import { parseJson } from '../../packages/fhir/parse-json.ts'
import { createExtract } from '../../packages/fhir/search/extract.ts'
import { testCorridor, type TestCorridor } from '../../packages/testkit/test-corridor.ts'
import { queriesFor } from '../../services/fhir/search/testing/queries-for.ts'
import { corpusFiles } from './corpus-files.ts'

/** What may be refused, each with its reason: two examples break R4 themselves, and the audit log is ours to write. */
const refusals: readonly (readonly [file: RegExp, reason: RegExp])[] = [
  [/^MedicationRequest-medrx0301\.json$/, /must refer to Organization, not to Practitioner/],
  [/^Observation-clinical-gender\.json$/, /must refer to .*, not to Encounter/],
  [/^AuditEvent-/, /403 .*AuditEvent/],
]

interface Bundle {
  readonly total?: number
  readonly entry?: readonly { readonly resource: { readonly resourceType: string; readonly id: string } }[]
  readonly link?: readonly { readonly relation: string; readonly url: string }[]
}

describe('FHIR R4 resources of other people', () => {
  let corridor: TestCorridor
  let headers: Record<string, string>
  beforeAll(async () => {
    corridor = await testCorridor({ services: ['auth', 'fhir'] })
    const authorization = await corridor.bearerFor({ role: 'SYSTEM', scope: 'system/*.cruds', expiresInSeconds: 3_000 })
    headers = { authorization, 'content-type': 'application/fhir+json' }
  })
  afterAll(() => corridor[Symbol.asyncDispose]())

  const ask = (path: string, init: RequestInit = {}) =>
    fetch(path.startsWith('http') ? path : `${corridor.url('fhir')}/${path}`, { headers, ...init })

  it('the official examples are kept and found again, or refused for what is wrong with them', async () => {
    const extract = createExtract(await loadDefinitions())
    const refused: string[] = []
    const lost: string[] = []
    const examples = corpusFiles('fhir-r4/official-examples', '.json')
    for (const { name, read } of examples) {
      const text = read().toString('utf8')
      // Sound: every file of the corpus is one resource.
      const resource = parseJson(text) as { resourceType: string; id: string }
      const at = `${resource.resourceType}/${resource.id}`
      const answer = await ask(at, { method: 'PUT', body: text })
      if (answer.status !== 201) {
        refused.push(`${name}: ${answer.status} ${(await answer.text()).slice(0, 300)}`)
        continue
      }
      const queries = queriesFor(extract(resource))
      const found = await Promise.all(
        queries.map(
          async (query) =>
            ((await (await ask(`${resource.resourceType}?${query}&_count=1000`)).json()) as Bundle).entry ?? [],
        ),
      )
      queries.forEach((query, index) => {
        if (found[index]?.some((entry) => entry.resource.id === resource.id) !== true) lost.push(`${at}?${query}`)
      })
    }
    process.stdout.write(
      `${examples.length} examples, ${refused.length} refused\n${refused.map((line) => `  ${line}\n`).join('')}`,
    )
    expect(lost).toEqual([])
    expect(refused.filter((line) => !isExpected(line))).toEqual([])
  })

  it('a bundle of hundreds of entries is one transaction, and its patient’s everything is what was loaded', async () => {
    const files = corpusFiles('fhir-r4/synthea', '.json')
    // Whom the others refer to comes first.
    const ordered = files.toSorted((a, b) => Number(!/Information/.test(a.name)) - Number(!/Information/.test(b.name)))
    for (const { name, read } of ordered) {
      const text = read().toString('utf8')
      const answer = await ask('', { method: 'POST', body: text })
      const outcome = (await answer.json()) as { entry: { response: { status: string; location: string } }[] }
      expect(answer.status, `${name}: ${JSON.stringify(outcome).slice(0, 500)}`).toBe(200)
      const sent = (JSON.parse(text) as { entry: unknown[] }).entry.length
      expect(outcome.entry.length, name).toBe(sent)
      const created = outcome.entry.map(
        ({ response }) => /[A-Z][A-Za-z]+\/[^/]+/.exec(response.location.replace(/.*\/fhir\//, ''))?.[0] ?? '',
      )
      const patient = created.find((at) => at.startsWith('Patient/'))
      // The file of the practitioners and hospitals has no patient.
      const everything = patient === undefined ? new Set(created) : await everythingOf(patient)
      expect(
        created.filter((at) => !everything.has(at)),
        name,
      ).toEqual([])
    }
  })

  async function everythingOf(patient: string): Promise<Set<string>> {
    const found = new Set<string>()
    for (let next: string | undefined = `${patient}/$everything?_count=500`; next !== undefined;) {
      const page = (await (await ask(next)).json()) as Bundle
      for (const { resource } of page.entry ?? []) found.add(`${resource.resourceType}/${resource.id}`)
      next = page.link?.find(({ relation }) => relation === 'next')?.url
    }
    return found
  }
})

function isExpected(line: string): boolean {
  const name = line.slice(0, line.indexOf(':'))
  return refusals.some(([file, reason]) => file.test(name) && reason.test(line))
}
