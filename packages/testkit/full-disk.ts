import { execFile } from 'node:child_process'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A folder in which names can be made, and no byte can be written any more. */
interface FullDisk extends AsyncDisposable {
  readonly folder: string
}

/** A file system of its own; undefined for a user who may mount none. */
export async function fullDisk(): Promise<FullDisk | undefined> {
  const place = await mkdtemp(join(tmpdir(), 'corridor-full-'))
  const isMounted = await run('mount', ['-t', 'tmpfs', '-o', 'size=64k,mode=700', 'tmpfs', place]).then(
    () => true,
    () => false,
  )
  const leave = () => rm(place, { recursive: true, force: true })
  if (!isMounted) {
    await leave()
    return undefined
  }
  await fill(join(place, 'ballast'))
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
