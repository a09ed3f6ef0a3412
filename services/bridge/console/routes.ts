import type { Route } from '../../../packages/http/route.ts'
import { signInRoutes } from '../../../packages/sign-in/routes.ts'
import type { ConsoleDeps } from './deps.ts'
import { deadLettersPage, retryRunPage, retryRunProgress, startRetryRun } from './dead-letters-route.tsx'
import { decideReview, reviewPage } from './review-route.tsx'
import { searchPage } from './search-route.tsx'
import { retryMessage, transactionPage } from './transaction-route.tsx'
import { mapIt, unmappedPage } from './unmapped-route.tsx'
import { overviewPage } from './show-overview.tsx'

/** The pages of the operator’s console, in the order of its tabs. */
export const consolePages: readonly Route<ConsoleDeps>[] = [
  ...signInRoutes,
  overviewPage,
  searchPage,
  transactionPage,
  retryMessage,
  deadLettersPage,
  startRetryRun,
  retryRunPage,
  retryRunProgress,
  unmappedPage,
  mapIt,
  reviewPage,
  decideReview,
]
