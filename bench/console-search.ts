import type { TransactionFilter } from '../services/bridge/store/transactions.ts'
import { searchTransactions } from '../services/bridge/store/search-transactions.ts'
import { benchmark, type Round } from './harness/benchmark.ts'
import { repeat } from './harness/repeat.ts'
import { logWorld, type LogWorld } from './console-search/world.ts'

const transactions = 1_000_000

/** What somebody looks for at the search page; the last words differ from search to search, as people do. */
const filters: Readonly<Record<string, (number: number) => TransactionFilter>> = {
  nothing: () => ({}),
  'control id': (number) => ({ controlId: `C${(number * 7_919) % transactions}` }),
  'patient in the store': (number) => ({ patientId: `p${(number * 31) % 50_000}` }),
  'patient number of the sender': (number) => ({ patientId: `mrn-${(number * 31) % 50_000}` }),
  facility: (number) => ({ facilityCode: `FAC${number % 40}` }),
  type: (number) => ({ messageType: ['ADT^A01', 'ORU^R01', 'MDM^T02'][number % 3] ?? '' }),
  channel: (number) => ({ channelId: ['adt', 'oru', 'mdm'][number % 3] ?? '' }),
  'status failed': () => ({ status: 'ERROR' }),
  'error code': () => ({ errorCode: 'UNKNOWN_FACILITY' }),
  'status succeeded': () => ({ status: 'SUCCESS' }),
  'status duplicate': () => ({ status: 'DUPLICATE' }),
  'one day': (number) => ({ from: dayOf(number), to: dayOf(number) }),
  'facility, failed, one week': (number) => ({
    facilityCode: `FAC${number % 40}`,
    status: 'ERROR',
    from: '2026-03-01',
    to: '2026-03-07',
  }),
  'facility, type, succeeded': (number) => ({
    facilityCode: `FAC${number % 40}`,
    messageType: 'ORU^R01',
    status: 'SUCCESS',
  }),
  'text that many hold': () => ({ q: 'Okafor' }),
  'text that nobody holds': () => ({ q: 'Zzyzx' }),
}

const dayOf = (number: number): string => `2026-03-${String(1 + (number % 28)).padStart(2, '0')}`

export default benchmark<LogWorld>({
  name: 'console-search',
  title: `What each filter of the console's search page costs among ${transactions} transactions`,
  unit: 'searches/s',
  setup: ({ progress }) => logWorld(transactions, progress),
  variants: Object.fromEntries(
    Object.entries(filters).map(([name, filter]) => [
      name,
      (world: LogWorld, round: Round) => search(filter, world, round),
    ]),
  ),
  seconds: 1,
})

const search = (filter: (number: number) => TransactionFilter, { database }: LogWorld, round: Round) =>
  repeat(round, 1, (number) => searchTransactions(filter(number), { number: 0, offset: 0, size: 20 }, database))
