import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answers } from '../../../packages/faults/answers.ts'
import type { Encounter, Organization, Patient, Resource } from '../../../ports/fhir-store/resources.ts'

/** As much of a FHIR server as the portal meets: searches and reads over a few resources, real HTTP, a token asked for. */
export async function startSmallFhirServer(resources: readonly Resource[] = demoResources) {
  const stored = [...resources]
  const requests: { readonly method: string; readonly url: string; readonly authorization: string }[] = []
  /** While it is so, no call gets an answer: the connection ends. With a status, each gets that. */
  const outage: { is: boolean | number } = { is: false }
  /** Search parameters that it does not know, and what it does with them. */
  const unknown = new Map<string, 'ignored' | 'refused'>()
  const server = createServer((request, response) => {
    if (typeof outage.is === 'number') response.writeHead(outage.is, { 'retry-after': '5' }).end()
    else if (outage.is) request.destroy()
    else void answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // Sound: a server that listens on TCP has an address with a port.
  const { port } = server.address() as AddressInfo

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '', method = '', headers } = request
    requests.push({ method, url, authorization: headers.authorization ?? '' })
    const send = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/fhir+json' }).end(JSON.stringify(body))
    if (headers.authorization?.startsWith('Bearer ') !== true) return void send(answers.unauthenticated.httpStatus, {})
    const { pathname, searchParams } = new URL(url, 'http://fhir')
    const [, , type = '', id] = pathname.split('/')
    const ofType = stored.filter((resource) => resource.resourceType === type)
    const search = (query: URLSearchParams) => {
      const isRefused = [...query.keys()].some((name) => unknown.get(name) === 'refused')
      if (isRefused) return send(answers.incorrect.httpStatus, {})
      for (const name of unknown.keys()) query.delete(name)
      const found = ofType.filter((resource) => matches(resource, query))
      return send(200, pageOf(query.get('_sort') === '-date' ? newestFirst(found) : found, query))
    }
    if (method === 'POST' && id === '_search') return void search(new URLSearchParams(await textOf(request)))
    if (method === 'POST') {
      const tag = new URLSearchParams(String(headers['if-none-exist'])).get('_tag')?.split('|').at(-1)
      const isThere = stored.some(({ meta }) => meta?.tag?.some(({ code }) => code === tag) === true)
      const created = { ...(JSON.parse(await textOf(request)) as Resource), id: `made-${stored.length}` }
      if (!isThere) stored.push(created)
      return void send(isThere ? 200 : 201, created)
    }
    if (id === undefined) return void search(searchParams)
    const one = ofType.find((resource) => resource.id === id)
    return void (one === undefined ? send(answers.missing.httpStatus, {}) : send(200, one))
  }

  return {
    port,
    base: `http://127.0.0.1:${port}/fhir`,
    stored,
    requests,
    outage,
    unknown,
    async [Symbol.asyncDispose](): Promise<void> {
      server.closeAllConnections()
      server.close()
    },
  }
}

export type SmallFhirServer = Awaited<ReturnType<typeof startSmallFhirServer>>

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request as AsyncIterable<Buffer>) text += chunk.toString()
  return text
}

/** The first one; nobody here turns pages. */
function pageOf(found: readonly Resource[], query: URLSearchParams) {
  const rows = Number(query.get('_count') ?? found.length)
  const next = { relation: 'next', url: `?page=2&${query}` }
  return {
    resourceType: 'Bundle',
    type: 'searchset',
    entry: found.slice(0, rows).map((resource) => ({ resource, search: { mode: 'match' } })),
    link: found.length > rows ? [next] : [],
  }
}

const newestFirst = (found: readonly Resource[]) =>
  found.toSorted((a, b) => (startOf(a) < startOf(b) ? 1 : startOf(a) > startOf(b) ? -1 : 0))

const startOf = (resource: Resource): string => (resource as Encounter).period?.start ?? ''

function matches(resource: Resource, search: URLSearchParams): boolean {
  // As FHIR has it: every name that is asked for begins a part of the patient's.
  const hasName = (name: string) => name.split(',').some((one) => hasPart(resource as Patient, one))
  if (!search.getAll('name').every(hasName)) return false
  const numbers = search.get('identifier')?.split(',')
  if (numbers?.some((number) => hasNumber(resource as Patient, number)) === false) return false
  const active = search.get('active')
  if (active !== null && String((resource as Organization).active) !== active) return false
  const links = search.get('link')?.split(',')
  const isLinked = (resource as Patient).link?.some(({ other }) => links?.includes(other.reference ?? '') === true)
  if (links !== undefined && isLinked !== true) return false
  const born = search.get('birthdate')
  if (born !== null && (resource as Patient).birthDate?.startsWith(born) !== true) return false
  if (
    search
      .get('_id')
      ?.split(',')
      .includes(resource.id ?? '') === false
  )
    return false
  const patients = search.get('patient')?.split(',')
  const subject = (resource as Encounter).subject?.reference?.replace('Patient/', '') ?? ''
  return patients?.includes(subject) !== false
}

const hasPart = ({ name: names = [] }: Patient, wanted: string): boolean =>
  names
    .flatMap(({ text = '', family = '', given = [] }) => [text, family, ...given])
    .some((part) => part.toLowerCase().startsWith(wanted.toLowerCase()))

/** `system|` asks for any number of a system. */
const hasNumber = ({ identifier = [] }: Patient, wanted: string): boolean => {
  const [value = '', system] = wanted.split('|').toReversed()
  return identifier.some((one) => (value === '' || one.value === value) && (system ?? one.system) === one.system)
}

const patient = (id: string, given: string, family: string, birthDate: string): Patient => ({
  resourceType: 'Patient',
  id,
  name: [{ use: 'official', given: [given], family }],
  birthDate,
  gender: 'female',
  identifier: [{ system: 'urn:corridor:mrn', value: `MRN-${id.length}`, type: { text: 'MRN' } }],
})

const encounter = (id: string, patientId: string, start: string): Encounter => ({
  resourceType: 'Encounter',
  id,
  status: 'finished',
  class: { code: 'AMB', display: 'ambulatory' },
  subject: { reference: `Patient/${patientId}` },
  period: { start },
})

const organization: Organization = {
  resourceType: 'Organization',
  id: 'central-hospital',
  active: true,
  name: 'Central Hospital',
  telecom: [{ system: 'phone', value: '555 0100' }],
}

const demoResources: readonly Resource[] = [
  patient('amina-diallo', 'Amina', 'Diallo', '1992-05-04'),
  patient('kofi-mensah', 'Kofi', 'Mensah', '1971-11-30'),
  patient('xss', '<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', '2000-01-01'),
  encounter('visit-1', 'amina-diallo', '2026-01-05T09:00:00Z'),
  encounter('visit-2', 'kofi-mensah', '2026-01-06T09:00:00Z'),
  organization,
]
