import type { Route } from '../../../packages/http/route.ts'
import { signInRoutes } from '../../../packages/sign-in/routes.ts'
import type { PageDeps } from './deps.ts'
import { changePage, keepChange } from './change-draft.tsx'
import { inboxPage, minePage } from './show-list.tsx'
import { patientPage } from './show-patient.tsx'
import { referralPage, takeStep, takeTaskStep } from './show-referral.tsx'
import { gateFragment, keepDraft, newPage } from './write-referral.tsx'

export const referralPages: readonly Route<PageDeps>[] = [
  ...signInRoutes,
  inboxPage,
  minePage,
  patientPage,
  newPage,
  gateFragment,
  keepDraft,
  changePage,
  keepChange,
  referralPage,
  takeTaskStep,
  takeStep,
]
