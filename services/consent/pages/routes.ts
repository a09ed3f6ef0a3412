import type { Route } from '../../../packages/http/route.ts'
import { signInRoutes } from '../../../packages/sign-in/routes.ts'
import { ask, askPage } from './ask.tsx'
import { changeConsent, changePage } from './change-consent.tsx'
import type { PageDeps } from './deps.ts'
import { revokeConsent, revokePage } from './revoke-consent.tsx'
import { logPage, recordsPage } from './show-admin.tsx'
import { consentLink, patientPage } from './show-patient.tsx'
import { startPage } from './show-start.tsx'
import { newPage, recordConsent } from './write-consent.tsx'

export const consentPages: readonly Route<PageDeps>[] = [
  ...signInRoutes,
  startPage,
  patientPage,
  newPage,
  recordConsent,
  consentLink,
  changePage,
  changeConsent,
  revokePage,
  revokeConsent,
  askPage,
  ask,
  logPage,
  recordsPage,
]
