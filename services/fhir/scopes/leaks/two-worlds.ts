import { SimulatedClock } from '../../../../packages/clock/simulated-clock.ts'
import { fhirWorld, type Called, type FhirWorld } from '../../testing/fhir-world.ts'
import { foreign, foreignDeleted, own, shared, type Resource } from './records.ts'
import { callers, type TokenName } from './tokens.ts'

export interface Request {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * The same store twice: in one of them the other patient exists. Who may not see that patient must get the same answers
 * from both, to the letter: then no resource, no count, no order and no error tells them apart.
 */
export interface TwoWorlds extends AsyncDisposable {
  readonly alone: FhirWorld
  readonly together: FhirWorld
}

export async function twoWorlds(): Promise<TwoWorlds> {
  await using stack = new AsyncDisposableStack()
  const [alone, together] = await Promise.all([world(), world()])
  stack.use(alone)
  stack.use(together)
  await put([...shared, ...own], alone)
  await put([...shared, ...foreign, ...own, foreignDeleted], together)
  await together.call('DELETE', `/Observation/${foreignDeleted.id}`)
  const owned = stack.move()
  return { alone, together, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** Time stands still: a resource is the same in both worlds whenever it was written. */
const world = () => fhirWorld({ clock: new SimulatedClock('2026-01-01T00:00:00Z') })

async function put(resources: readonly Resource[], to: FhirWorld): Promise<void> {
  for (const body of resources) {
    const isLog = body.resourceType === 'AuditEvent'
    const path = isLog ? '/AuditEvent' : `/${body.resourceType}/${body.id}`
    const { status, text } = await to.call(isLog ? 'POST' : 'PUT', path, { body })
    if (status !== 201) throw new Error(`${path} was not created: ${status} ${text}`)
  }
}

/** What a caller can see of an answer, without what differs by chance: address, new ids. */
export interface Seen {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

export async function ask(to: FhirWorld, { method, path, body, headers }: Request, token: TokenName): Promise<Seen> {
  const answer = await to.call(method, path, {
    as: callers[token],
    ...(body === undefined ? {} : { body }),
    ...(headers === undefined ? {} : { headers }),
  })
  return seenOf(answer, to.base)
}

function seenOf({ status, headers, text }: Called, base: string): Seen {
  const ids = new Map<string, string>()
  const plain = (given: string) =>
    given.replaceAll(base, '{base}').replaceAll(newId, (id) => {
      if (!ids.has(id)) ids.set(id, `{new ${ids.size + 1}}`)
      return ids.get(id) ?? ''
    })
  const shown = [...headers].filter(([name]) => !chance.has(name)).map(([name, value]) => [name, plain(value)] as const)
  return { status, headers: Object.fromEntries(shown), text: plain(text) }
}

const newId = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g
/** Those of the connection, and the length of an address that has been taken out. */
const chance = new Set(['date', 'x-request-id', 'traceparent', 'content-length'])
