import type { Route } from '../../../packages/http/route.ts'
import { signInRoutes } from '../../../packages/sign-in/routes.ts'
import { acknowledgeIt, alertsPage } from './alerts/alerts-route.tsx'
import { breakersNow, breakersPage, resetAllBreakers } from './breakers-route.tsx'
import { channelNow, channelPage, channelsNow, channelsPage, switchChannel } from './channels/channels-route.tsx'
import type { ConsoleDeps } from './deps.ts'
import {
  deadLettersPage,
  retryRunPage,
  retryRunProgress,
  startRetryRun,
  stopRetryRun,
} from './dead-letters/dead-letters-route.tsx'
import { overviewNow, overviewPage } from './overview/overview-route.tsx'
import { decideReview, reviewPage } from './review/review-route.tsx'
import { searchPage } from './search/search-route.tsx'
import { deliveriesPage, sendAgain, sendAllAgain, subscriptionsPage } from './subscriptions-route.tsx'
import { retryMessage, transactionNow, transactionPage } from './transaction/transaction-route.tsx'
import { mapIt, oneCodePage, unmappedPage } from './unmapped-route.tsx'

/** The pages of the operator’s console, in the order of its tabs. */
export const consolePages: readonly Route<ConsoleDeps>[] = [
  ...signInRoutes,
  overviewPage,
  overviewNow,
  searchPage,
  transactionPage,
  transactionNow,
  retryMessage,
  deadLettersPage,
  startRetryRun,
  retryRunPage,
  retryRunProgress,
  stopRetryRun,
  channelsPage,
  channelsNow,
  channelPage,
  channelNow,
  switchChannel,
  breakersPage,
  breakersNow,
  resetAllBreakers,
  alertsPage,
  acknowledgeIt,
  subscriptionsPage,
  deliveriesPage,
  sendAgain,
  sendAllAgain,
  unmappedPage,
  oneCodePage,
  mapIt,
  reviewPage,
  decideReview,
]
