import { routeFor } from '../../../packages/http/route.ts'
import type { ImmunizationDeps } from '../deps.ts'

/** A route of this service. */
export const appRoute = routeFor<ImmunizationDeps>()
