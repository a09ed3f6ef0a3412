import type { Route } from '../../../packages/http/route.ts'
import type { AuthDeps } from '../deps.ts'
import { appsPage, revokeApp, revokeSignIn } from './apps.tsx'
import { authorizeByForm, authorizeByLink, resumeAuthorize } from './authorize.ts'
import { brands } from './brands.ts'
import { developmentConsole } from './development-console.tsx'
import { oauthConfigurationRoute, openidConfigurationRoute, smartConfigurationRoute, styleRoute } from './discovery.ts'
import { consent, consentPage, pickPatient, pickPatientPage } from './interactions.tsx'
import { keySet } from './key-set.ts'
import { login, loginPage, logout, logoutPage } from './login.tsx'
import { portal, portalLaunch, portalPatient } from './portal.tsx'
import { introspectRoute, revocationsRoute, revokeRoute, userinfoRoutes } from './token-care.ts'
import { token } from './token.ts'

/** Every route, in the order of the specification's table, then what it leaves to us. */
export const authRoutes = (deps: AuthDeps): readonly Route<AuthDeps>[] => [
  smartConfigurationRoute,
  authorizeByLink,
  token,
  keySet,
  revokeRoute,
  portal,
  portalLaunch,
  loginPage,
  ...developmentConsole(deps),
  authorizeByForm,
  resumeAuthorize,
  pickPatientPage,
  pickPatient,
  consentPage,
  consent,
  login,
  logoutPage,
  logout,
  portalPatient,
  appsPage,
  revokeSignIn,
  revokeApp,
  introspectRoute,
  ...userinfoRoutes,
  revocationsRoute,
  openidConfigurationRoute,
  oauthConfigurationRoute,
  styleRoute,
  brands,
  ...deps.portalAssets.routes,
]
