import { execFile } from 'node:child_process'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

interface FullDisk extends AsyncDisposable {
  readonly folder: string
}

interface DiskRoom {
  /** It takes so many files, and is full then; else no byte can be written any more, and names can be made. */
  readonly files?: number
}

/** A file system of its own; undefined for a user who may mount none. */
export async function fullDisk({ files }: DiskRoom = {}): Promise<FullDisk | undefined> {
  const place = await mkdtemp(join(tmpdir(), 'corridor-full-'))
  const room = files === undefined ? 'size=64k' : `size=1g,nr_inodes=${files}`
  const isMounted = await run('mount', ['-t', 'tmpfs', '-o', `${room},mode=700`, 'tmpfs', place]).then(
    () => true,
    () => false,
  )
  const leave = () => rm(place, { recursive: true, force: true })
  if (!isMounted) {
    await leave()
    return undefined
  }
  if (files === undefined) await fill(join(place, 'ballast'))
  return {
    folder: place,
    async [Symbol.asyncDispose]() {
      await run('umount', ['--lazy', place])
      await leave()
    },
  }
}

async function fill(path: string): Promise<void> {
  await using ballast = await open(path, 'a')
  for (;;) {
    try {
      await ballast.write(Buffer.alloc(4_096, 1))
    } catch {
      return
    }
  }
}
