import type { Route } from '../../../packages/http/route.ts'
import { verifyRoutes } from '../certificate/verify/verify-routes.tsx'
import type { ImmunizationDeps } from '../deps.ts'
import { immunizations, recommendations, session, summary } from './api.ts'
import { callback } from './callback.ts'
import { certificatePage } from './certificate-page.tsx'
import { certificatePdfDownload } from './certificate-pdf.ts'
import { certificateQr } from './certificate-qr.ts'
import { healthCardDownload, healthCardPage, signedCertificate } from './health-card.tsx'
import { launch } from './launch.tsx'
import { logout } from './logout.ts'
import { dashboard, history, recommendationsPage } from './pages.tsx'

/** In the order of the specification, then what it leaves to us. */
export const immunizationRoutes = (deps: ImmunizationDeps): readonly Route<ImmunizationDeps>[] => [
  immunizations,
  recommendations,
  summary,
  session,
  certificateQr,
  dashboard,
  history,
  recommendationsPage,
  certificatePage,
  launch,
  callback,
  logout,
  certificatePdfDownload,
  healthCardPage,
  healthCardDownload,
  signedCertificate,
  ...verifyRoutes(),
  ...deps.appAssets.routes,
]
