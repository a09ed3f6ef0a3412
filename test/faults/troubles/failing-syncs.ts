import { appendFile, mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Random } from '../../../packages/clock/ids.ts'
import { layoutOf } from '../../../packages/postgres/layout.ts'
import { failingWrites } from './failing-writes.ts'
import { lastingLogWriter, logWriters, superuser, untilGone, untilItEnds, type LogTrouble } from './log-trouble.ts'
import { ThinDisk } from './thin-disk.ts'

/**
 * The log is written and cannot be forced to the disk. That takes a disk of our own; a user who may not mount one sees
 * writes fail instead, and the figures say so.
 */
export async function failingSyncs(random: Random): Promise<LogTrouble> {
  const disk = await ThinDisk.mount()
  if (disk === undefined) {
    const other = await failingWrites(random)
    return { ...other, isStandIn: true, how: `${other.how}: this user may mount no disk that fails to sync` }
  }
  await keepEventsElsewhere(disk)
  return {
    dataDir: disk.dataDir,
    how: 'commits could not be forced to the disk',
    isStandIn: false,
    lastWords: /could not f(data)?sync file .* (No space left on device|Input\/output error)/,
    prepare: (superuserUrl) => writeLogToNewPlaces(disk.dataDir, superuserUrl),
    async strike(superuserUrl) {
      await using client = await superuser(superuserUrl)
      const pids = await logWriters(client)
      const lasting = await lastingLogWriter(client)
      try {
        await disk.exhaust()
        await untilItEnds(lasting)
      } finally {
        // At once: a recovery that finds no room either is the end of the server.
        await disk.relieve()
      }
      await untilGone(pids)
    },
    cutPower: () => disk.plugInAgain(),
    [Symbol.asyncDispose]: () => disk[Symbol.asyncDispose](),
  }
}

/** What the server says of its ends is counted afterwards, and must not be lost with what could not be forced to the disk. */
async function keepEventsElsewhere({ dataDir, soundPlace }: ThinDisk): Promise<void> {
  await mkdir(dataDir)
  await symlink(join(soundPlace, 'postgres.log'), layoutOf(dataDir).log)
}

/**
 * Files of the log are made without zeros and never used again, so that each commit needs places on the disk that nobody
 * has needed before.
 */
async function writeLogToNewPlaces(dataDir: string, superuserUrl: string): Promise<void> {
  await appendFile(join(layoutOf(dataDir).cluster, 'postgresql.conf'), 'wal_init_zero = off\nwal_recycle = off\n')
  await using client = await superuser(superuserUrl)
  await client.query('select pg_reload_conf()')
  // The file that it has begun with is full of zeros.
  await client.query('select pg_switch_wal()')
}
