import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from 'pg'
import type { Random } from '../../../packages/clock/ids.ts'
import { layoutOf } from '../../../packages/postgres/layout.ts'
import { failingWrites } from './failing-writes.ts'
import { logWriters, superuser, untilGone, type LogTrouble } from './log-trouble.ts'
import { ThinDisk } from './thin-disk.ts'

/**
 * The log is written and cannot be forced to the disk. That takes a disk of our own; a user who may not mount one sees
 * writes fail instead, and the figures say so.
 */
export async function failingSyncs(random: Random): Promise<LogTrouble> {
  const disk = await ThinDisk.mount()
  if (disk === undefined) {
    const other = await failingWrites(random)
    return { ...other, how: `${other.how}: this user may mount no disk that fails to sync` }
  }
  return {
    dataDir: disk.dataDir,
    how: 'commits could not be forced to the disk',
    lastWords: /could not fdatasync file .* (No space left on device|Input\/output error)/,
    async strike(superuserUrl) {
      await using client = await superuser(superuserUrl)
      await untilFileIsNew(client, join(layoutOf(disk.dataDir).cluster, 'pg_wal'))
      const pids = await logWriters(client)
      try {
        await disk.exhaust()
        await untilGone(pids)
      } finally {
        await disk.relieve()
      }
    },
    cutPower: () => disk.plugInAgain(),
    [Symbol.asyncDispose]: () => disk[Symbol.asyncDispose](),
  }
}

/**
 * Goes on to a file of the log whose places on the disk nobody has needed before, so that the next commits need new
 * ones. Files that are kept for later have theirs, and so have new ones unless they are made without zeros.
 */
async function untilFileIsNew(client: Client, folder: string): Promise<void> {
  await client.query('set wal_init_zero = off')
  for (;;) {
    await client.query('select pg_switch_wal()')
    const { rows } = await client.query<{ file: string }>(
      `select pg_walfile_name(pg_logical_emit_message(true, 'corridor', 'the first in its file')) as file`,
    )
    const { size, blocks } = await stat(join(folder, rows[0]?.file ?? ''))
    if (blocks * 512 < size / 2) return
  }
}
