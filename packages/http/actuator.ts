import { Type, type Static } from 'typebox'
import type { Clock } from '../clock/clock.ts'
import { forbidden, unauthenticated } from '../faults/fault.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Caller } from '../tokens/caller.ts'
import { reply } from './answer.ts'
import { plainText } from './content.ts'
import { HealthMonitor, type Health, type HealthCheck, type HealthPart } from './health.ts'
import { route, type Route } from './route.ts'
import { anyone, anyoneKnownBySignature, anyoneKnownIfPossible, sameScope, type ScopeMatches } from './who.ts'

export interface ActuatorOptions {
  /** What the service needs to do its work, by name: readiness and health. */
  readonly checks?: Readonly<Record<string, HealthCheck>>
  /** How its own parts are, by name: health alone. */
  readonly parts?: Readonly<Record<string, HealthPart>>
  /** Instead of both, where somebody else asks the same monitor. */
  readonly monitor?: HealthMonitor
  /** What `/actuator/info` tells of the build. */
  readonly build?: { readonly time: string; readonly git?: Static<typeof Git> }
}

interface ActuatorDeps {
  readonly name: string
  readonly title: string
  readonly version: string
  readonly clock: Clock
  readonly metrics: Metrics
  readonly scopeMatches?: ScopeMatches
}

const Status = Type.Enum(['UP', 'DOWN'])
const StatusOnly = Type.Object({ status: Status })
const Details = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]))
const HealthView = Type.Object({
  status: Status,
  components: Type.Optional(
    Type.Record(Type.String(), Type.Object({ status: Status, details: Type.Optional(Details) })),
  ),
})

const Git = Type.Object({
  commit: Type.Object({ id: Type.String(), time: Type.Optional(Type.String()) }),
  dirty: Type.Optional(Type.Boolean({ description: 'Some of it was not committed yet.' })),
})
const InfoView = Type.Object({
  build: Type.Object({
    artifact: Type.String(),
    name: Type.String(),
    version: Type.String(),
    time: Type.Optional(Type.String()),
  }),
  git: Type.Optional(Git),
})

/** The operational addresses that every service answers, in the shape that Spring made customary. */
export function actuatorRoutes(options: ActuatorOptions, deps: ActuatorDeps): Route[] {
  const { name, title, version, metrics, scopeMatches = sameScope } = deps
  const { checks = {}, parts = {} } = options
  const monitor = options.monitor ?? new HealthMonitor({ checks, parts, clock: deps.clock })
  const common = { tags: ['Operations'] } as const
  return [
    route({
      ...common,
      method: 'GET',
      path: '/actuator/health',
      who: anyoneKnownIfPossible,
      summary: 'Whether the service is well; with an ADMIN token, each part of it',
      output: { 200: HealthView, 503: HealthView },
      run: async ({ caller }) => {
        const { status, components } = await monitor.current()
        return answerOf(caller?.roles.has('ADMIN') === true ? { status, components } : { status })
      },
    }),
    route({
      ...common,
      method: 'GET',
      path: '/actuator/health/liveness',
      who: anyone,
      summary: 'Whether the process answers',
      output: { 200: StatusOnly },
      run: () => ({ status: 'UP' as const }),
    }),
    route({
      ...common,
      method: 'GET',
      path: '/actuator/health/readiness',
      who: anyone,
      summary: 'Whether the service and what it needs can take work',
      output: { 200: StatusOnly, 503: StatusOnly },
      run: async () => answerOf({ status: (await monitor.isReady()) ? 'UP' : 'DOWN' }),
    }),
    route({
      ...common,
      method: 'GET',
      path: '/actuator/info',
      who: anyone,
      summary: 'Which version of the service this is',
      output: { 200: InfoView },
      run: () => {
        const { time, git } = options.build ?? {}
        const build = { artifact: `corridor-${name}`, name: title, version, ...(time === undefined ? {} : { time }) }
        return { build, ...(git === undefined ? {} : { git }) }
      },
    }),
    route({
      ...common,
      method: 'GET',
      path: '/actuator/prometheus',
      who: anyoneKnownBySignature,
      summary: 'Metrics in the Prometheus text format; from elsewhere than this machine with ADMIN or system/*.read',
      output: { 200: plainText(metrics.contentType) },
      run: ({ caller, request }) => {
        if (!request.isLoopback) mayReadMetrics(caller, scopeMatches)
        return metrics.text()
      },
    }),
  ]
}

function answerOf(view: { status: 'UP' | 'DOWN'; components?: Health['components'] }) {
  return view.status === 'UP' ? reply(200, view) : reply(503, view)
}

function mayReadMetrics(caller: Caller | undefined, matches: ScopeMatches): void {
  if (caller === undefined) throw unauthenticated('Send an access token: Authorization: Bearer <token>.')
  if (caller.roles.has('ADMIN') || matches(caller.scope, 'system/*.read')) return
  throw forbidden('The metrics are for the role ADMIN or the scope system/*.read.', { code: 'insufficient_scope' })
}
