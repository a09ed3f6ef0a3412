import type { Outputs } from '../../../packages/http/answer.ts'
import { routeFor, type Input, type Route, type RouteOptions } from '../../../packages/http/route.ts'
import type { ReferralDeps } from '../deps.ts'

const route = routeFor<ReferralDeps>()

/** A route of this service. */
export function referralRoute<const In extends Input, const Out extends Outputs, Known>(
  options: Omit<RouteOptions<In, Out, Known, ReferralDeps>, 'tags'>,
): Route<ReferralDeps> {
  return route({ ...options, tags: ['Referrals'] })
}
