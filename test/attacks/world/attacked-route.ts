import { serviceNames, type ServiceName } from '../../../apps/corridor/service-names.ts'
import type { Route } from '../../../packages/http/route.ts'
import { unreachable } from '../../../packages/faults/fault.ts'
import type { TestCorridor } from '../../../packages/testkit/test-corridor.ts'

/** A route of a running Corridor, as it is declared. Whatever is declared is attacked. */
export interface AttackedRoute {
  /** `consent POST /api/consent/:id/revoke` */
  readonly name: string
  readonly service: ServiceName
  readonly origin: string
  readonly route: Route<never>
  readonly door: Door
}

/** How a caller is let in: by nobody, by a token, by the cookie of a session, or by a token if one is there. */
export type Door = 'open' | 'token' | 'session' | 'either'

export function attackedRoutes(corridor: TestCorridor): readonly AttackedRoute[] {
  return serviceNames.flatMap((service) =>
    corridor.routes(service).map((route) => ({
      name: `${service} ${route.method} ${route.path}`,
      service,
      origin: new URL(corridor.url(service)).origin,
      route,
      door: doorOf(route),
    })),
  )
}

function doorOf({ who }: Route<never>): Door {
  switch (who.kind) {
    case 'anyone':
    case 'loopback':
      return 'open'
    case 'either':
    case 'perhaps':
      return 'either'
    case 'guard':
      return 'session'
    case 'signedIn':
    case 'roles':
    case 'scopes':
    case 'allowed':
      return 'token'
    default:
      return unreachable(who.kind)
  }
}

/** The path with every parameter filled in: by the values given, else with a word that names nothing. */
export function pathOf({ route }: AttackedRoute, values: Readonly<Record<string, string>> = {}): string {
  return route.path
    .split('/')
    .map((step) => {
      if (!step.startsWith(':')) return step
      const name = step.slice(1)
      return typesByName[name] ?? values[name] ?? 'none-of-these'
    })
    .join('/')
}

/** Parameters of the FHIR API that are the name of a type. */
const typesByName: Readonly<Record<string, string>> = { type: 'Patient', within: 'Observation' }
