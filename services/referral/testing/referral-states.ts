import { openDatabase, type Database } from '../../../packages/sql/database.ts'
import { silentLog } from '../../../packages/log/log.ts'
import { sql } from '../../../packages/sql/sql.ts'
import type { ReferralStatus, TaskStatus } from '../transitions.ts'
import { amara, fullDraft, type AnyBody, type CallApi } from './referral-api.ts'

export interface SentReferral {
  readonly id: number
  readonly taskId: number
}

/** A draft that was sent, with its one task. */
export async function sentReferral(call: CallApi, draft: object = fullDraft): Promise<SentReferral> {
  const { body: made } = await call('POST /api/referrals', amara, draft)
  await call(`POST /api/referrals/${made.id}/send`, amara)
  const { body: tasks } = await call<AnyBody[]>(`GET /api/referrals/${made.id}/tasks`, amara)
  return { id: made.id, taskId: tasks[0]?.id ?? 0 }
}

/** Puts a referral and its task into any state, past the rules: for the tables that try every pair. */
export class States implements AsyncDisposable {
  readonly #database: Database

  private constructor(database: Database) {
    this.#database = database
  }

  static async of(databaseUrl: string): Promise<States> {
    return new States(await openDatabase({ url: databaseUrl, poolMax: 2, log: silentLog }))
  }

  get database(): Database {
    return this.#database
  }

  async put({ id, taskId }: SentReferral, referral: ReferralStatus, task: TaskStatus): Promise<void> {
    await this.#database.run(sql`update referral.referrals set status = ${referral}, attention = null where id = ${id}`)
    await this.#database.run(
      sql`update referral.tasks set status = ${task}, rejection_reason = null where id = ${taskId}`,
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#database.close()
  }
}
