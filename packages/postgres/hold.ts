import { readFile, rm } from 'node:fs/promises'
import { conflict } from '../faults/fault.ts'
import { prepareDataDir } from './data-dir.ts'
import { layoutOf } from './layout.ts'
import { tryLock } from './lock.ts'
import { writeDurably } from './write-durably.ts'

/** A data directory that belongs to this process until it is released or the process ends. */
interface HeldDataDir {
  release(): Promise<void>
}

/**
 * One Corridor holds a data directory; further processes of a deployment share its database by `database.url`. The
 * hold is a lock of the operating system, so the death of the holder, however sudden, ends it.
 */
export async function holdDataDir(dataDir: string): Promise<HeldDataDir> {
  const layout = layoutOf(dataDir)
  await prepareDataDir(layout.dataDir)
  const lock = tryLock(layout.holdLock)
  if (lock === undefined) throw held(layout.dataDir, await holderOf(layout.holder))
  await noteHolder(layout.holder)
  return {
    async release() {
      await rm(layout.holder, { force: true })
      lock.release()
    },
  }
}

/**
 * Only for the sentence below; whether the directory is held, the lock alone says. So it is not here that a disk without
 * room stops a start: whoever needs the room says so.
 */
async function noteHolder(path: string): Promise<void> {
  try {
    await writeDurably(path, `${process.pid}\n`, 0o644)
  } catch {
    await rm(path, { force: true })
  }
}

async function holderOf(path: string): Promise<string> {
  const pid = (await readFile(path, 'utf8').catch(() => '')).trim()
  return /^\d+$/.test(pid) ? pid : 'unknown'
}

function held(dataDir: string, pid: string) {
  return conflict(
    `The data directory ${dataDir} is held by another running Corridor (process ${pid}). ` +
      'Stop it, or set CORRIDOR_DATA_DIR to another folder.',
    { code: 'DATA_DIR_HELD' },
  )
}
