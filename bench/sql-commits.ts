import { systemIds } from '../packages/clock/ids.ts'
import { silentLog } from '../packages/log/log.ts'
import { Batcher } from '../packages/sql/batcher.ts'
import { openDatabase, type Database } from '../packages/sql/database.ts'
import { sql } from '../packages/sql/sql.ts'
import { benchmark } from './harness/benchmark.ts'
import { startDurableDatabase } from './harness/durable-database.ts'
import { repeat } from './harness/repeat.ts'

interface World extends AsyncDisposable {
  readonly database: Database
  readonly batcher: Batcher<Message, true>
}

interface Message {
  readonly id: string
  readonly raw: string
}

/** Callers that each wait for their own message to be durable before they bring the next, as MLLP connections do. */
const callers = 64
const raw = 'x'.repeat(1_024)
const nextMessage = (): Message => ({ id: systemIds.timeUuid(), raw })

export default benchmark<World>({
  name: 'sql-commits',
  title: `${callers} callers make one row of 1 KiB durable each: own commits against group commit`,
  unit: 'rows/s',
  async setup({ progress }) {
    await using stack = new AsyncDisposableStack()
    const { url } = stack.use(await startDurableDatabase(progress))
    const database = await openDatabase({ url, poolMax: 16, log: silentLog })
    stack.defer(() => database.close())
    await database.run(sql`create table bench_messages (id uuid primary key, raw text not null)`)
    const batcher = new Batcher<Message, true>({ writers: 2, write: (messages) => writeAll(database, messages) })
    const owned = stack.move()
    return { database, batcher, [Symbol.asyncDispose]: () => owned.disposeAsync() }
  },
  variants: {
    'single commits': ({ database }, round) =>
      repeat(round, callers, () => {
        const { id, raw: text } = nextMessage()
        return database.run(sql`insert into bench_messages (id, raw) values (${id}, ${text})`)
      }),
    'grouped commits': ({ batcher }, round) => repeat(round, callers, () => batcher.submit(nextMessage())),
  },
})

async function writeAll(database: Database, messages: readonly Message[]): Promise<true[]> {
  const ids = messages.map(({ id }) => id)
  const raws = messages.map((message) => message.raw)
  const insert = sql`insert into bench_messages (id, raw) select * from unnest(${ids}::uuid[], ${raws}::text[])`
  await database.transaction((tx) => tx.commitWith([insert]))
  return messages.map(() => true)
}
