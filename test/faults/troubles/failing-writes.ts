import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Client } from 'pg'
import type { Random } from '../../../packages/clock/ids.ts'
import { temporaryDataDir } from '../../../packages/postgres/fixtures/temporary-data-dir.ts'
import { logWriters, superuser, untilGone, type LogTrouble } from './log-trouble.ts'

const run = promisify(execFile)

/**
 * The log cannot be written from a place a little ahead of where it is: the kernel refuses the writes of the processes
 * that run now (a limit on the size of files, EFBIG). PostgreSQL takes it for what any failed write of its log is, an end
 * of everything; those that it starts afterwards may write again.
 */
export async function failingWrites(random: Random): Promise<LogTrouble> {
  const owned = await temporaryDataDir({ isOnDisk: true })
  return {
    dataDir: owned.dataDir,
    how: 'writes of the log were refused',
    isStandIn: false,
    lastWords: /could not write to log file .* File too large/,
    prepare: () => Promise.resolve(),
    async strike(superuserUrl) {
      await using client = await superuser(superuserUrl)
      const limit = (await placeInSegment(client)) + random.below(aheadBytes)
      const pids = await logWriters(client)
      for (const pid of pids) await setLimit(pid, limit).catch(ifItHasEnded)
      await untilGone(pids)
    },
    // What was written before the refusal is as safe as ever.
    cutPower: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose](),
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
async function setLimit(pid: number, bytes: number): Promise<void> {
  const { uid, gid } = await stat(`/proc/${pid}`)
  await run('prlimit', ['--pid', String(pid), `--fsize=${bytes}`, '--core=0'], { uid, gid })
}

function ifItHasEnded(error: unknown): void {
  if (!(error instanceof Error) || !/No such process|ENOENT/.test(error.message)) throw error
}
