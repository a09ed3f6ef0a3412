import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import type { Random } from '../../../packages/clock/ids.ts'
import { isRunning } from '../../../packages/testkit/process-state.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'

const run = promisify(execFile)

/**
 * Lets the log of a running PostgreSQL fail at a place a little ahead of where it is: from there on the kernel refuses
 * the writes of the processes that run now (a limit on the size of files, EFBIG). PostgreSQL takes it for what any
 * failed write of its log is, an end of everything; those that it starts afterwards may write again.
 * @returns when the processes that could not write are gone
 */
export async function failWriteOfLog(superuserUrl: string, random: Random): Promise<void> {
  const client = new Client({ connectionString: superuserUrl })
  client.on('error', () => {})
  await client.connect()
  try {
    const limit = (await placeInSegment(client)) + random.below(aheadBytes)
    const pids = await writers(client)
    for (const pid of pids) await setLimit(pid, limit).catch(ifItHasEnded)
    await waitFor(() => pids.every((pid) => !isRunning(Number(pid))), {
      what: 'PostgreSQL to end its processes',
      deadlineMs: 60_000,
    })
  } finally {
    await client.end().catch(() => {})
  }
}

/** A few messages' worth. */
const aheadBytes = 48 * 1_024
const segmentBytes = 16 * 1_024 * 1_024

/** How far the log has come in its file; in the next one where this one has too little left. */
async function placeInSegment(client: Client): Promise<number> {
  const offset = async () => {
    const { rows } = await client.query<{ offset: number }>(
      'select file_offset as offset from pg_walfile_name_offset(pg_current_wal_insert_lsn())',
    )
    return rows[0]?.offset ?? 0
  }
  const now = await offset()
  if (now + 2 * aheadBytes < segmentBytes) return now
  await client.query('select pg_switch_wal()')
  return offset()
}

/** As the user of the process: root in a container may not set what belongs to another. */
async function setLimit(pid: string, bytes: number): Promise<void> {
  const { uid, gid } = await stat(`/proc/${pid}`)
  await run('prlimit', ['--pid', pid, `--fsize=${bytes}`, '--core=0'], { uid, gid })
}

/** Everybody who writes the log for the sake of a session, but for ours. */
async function writers(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ pid: string }>(`
    select pid::text from pg_stat_activity
    where backend_type in ('client backend', 'walwriter') and pid <> pg_backend_pid()`)
  return rows.map(({ pid }) => pid)
}

function ifItHasEnded(error: unknown): void {
  if (!(error instanceof Error) || !/No such process|ENOENT/.test(error.message)) throw error
}
