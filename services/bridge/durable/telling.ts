import type { OutboxMessage } from '../../../packages/sql/outbox.ts'
import { TaskTable } from '../../../packages/sql/task-table.ts'
import type { Finished, FinishPart } from './finished.ts'

/** What others are told about messages that are through. */
export interface Telling {
  messagesOf(finished: readonly Finished[]): readonly OutboxMessage[]
  /** Called after the COMMIT, for whoever delivers them. */
  wake(): void
}

/** Everything that is told, in one statement: two cost the database nearly twice as much. */
export function tellingPart(
  tellings: readonly Telling[],
  deps: ConstructorParameters<typeof TaskTable>[1],
): FinishPart {
  const outbox = new TaskTable('outbox', deps)
  return {
    statement(finished) {
      const messages = tellings.flatMap((telling) => telling.messagesOf(finished))
      if (messages.length === 0) return undefined
      return outbox.insert(messages.map(({ topic, ...rest }) => ({ queue: topic, ...rest }))).statement
    },
    committed() {
      for (const telling of tellings) telling.wake()
    },
  }
}
