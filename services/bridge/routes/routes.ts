import type { Route } from '../../../packages/http/route.ts'
import { acknowledgeCriticalResult, listCriticalResults } from './alerts.ts'
import { getChannel, getChannelStats, listChannels, pauseChannel, resumeChannel } from './channels.ts'
import { getBreakers, resetBreakers } from './circuit-breaker.ts'
import {
  listDeliveriesFor,
  listDeliveriesOf,
  listOpenDeliveries,
  listSubscriptions,
  resendDeadDeliveries,
  resendDelivery,
} from './deliveries.ts'
import type { AdminDeps } from './deps.ts'
import { watchEvents } from './events.ts'
import { listFramingErrors } from './framing-errors.ts'
import { getAttempts, getTransaction } from './get-transaction.ts'
import { listTransactions } from './list-transactions.ts'
import { listWhoLooked } from './looks.ts'
import { getCards, getSummary } from './patients.ts'
import { retryBatch, retryTransaction } from './retry.ts'
import { getAck, getFhir, getRaw } from './transaction-content.ts'
import { listUnmapped, mapCode } from './unmapped-codes.ts'

/** The admin API. */
export const adminRoutes: readonly Route<AdminDeps>[] = [
  listTransactions,
  getTransaction,
  getRaw,
  getFhir,
  getAck,
  getAttempts,
  retryTransaction,
  retryBatch,
  listWhoLooked,
  listChannels,
  getChannel,
  getChannelStats,
  listFramingErrors,
  pauseChannel,
  resumeChannel,
  getBreakers,
  resetBreakers,
  listUnmapped,
  mapCode,
  listSubscriptions,
  listDeliveriesOf,
  listDeliveriesFor,
  listOpenDeliveries,
  resendDelivery,
  resendDeadDeliveries,
  listCriticalResults,
  acknowledgeCriticalResult,
  getSummary,
  getCards,
  watchEvents,
]
