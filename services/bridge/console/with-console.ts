import type { Route } from '../../../packages/http/route.ts'
import type { KitWithPages } from '../../../packages/service/service.ts'
import type { Visitor } from '../../../packages/sign-in/session.ts'
import { storeOfVisitor } from '../../../ports/fhir-store/store-of-visitor.ts'
import { httpPatientReviews } from '../../../ports/patient-index/http-patient-reviews.ts'
import type { AdminDeps } from '../routes/deps.ts'
import { adminRoutes } from '../routes/routes.ts'
import { assetAddresses, consoleAssets } from './console-assets.ts'
import type { ConsoleDeps } from './deps.ts'
import { flowFigures } from './overview/flow-figures.ts'
import { consolePages } from './routes.ts'

/** The admin API and the console. */
export function withConsole(
  deps: AdminDeps & Pick<ConsoleDeps, 'index' | 'retell' | 'retryRuns'>,
  kit: KitWithPages,
): { readonly routes: readonly Route<ConsoleDeps>[]; readonly deps: ConsoleDeps } {
  const { pages, addresses } = kit
  const own = consoleAssets()
  const assetUrl = assetAddresses(own, pages.assetUrl)
  const storeOf = (visitor: Visitor) => storeOfVisitor(visitor, kit)
  const { neighbours, outbound } = kit
  const reviewsOf = ({ caller, accessToken }: Visitor) =>
    neighbours.patientReviews?.(caller) ??
    httpPatientReviews({ serviceUrl: (addresses['fhir'] ?? '').replace(/\/fhir$/, ''), outbound, accessToken })
  return {
    routes: [...adminRoutes, ...consolePages, ...own.routes],
    deps: { ...deps, ...pages, assetUrl, addresses, storeOf, reviewsOf, figures: flowFigures(kit) },
  }
}
