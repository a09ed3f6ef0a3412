import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, statfs, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

const roomBytes = 1_024 * 1_048_576

/**
 * A disk that promises more than it has, as thinly provisioned ones do: once it is exhausted, writes to new places still
 * go well, for they only reach the memory of the kernel, and forcing them to the disk fails. As on every Linux, that is
 * said once; asked a second time, the kernel calls the same writes safe.
 */
export class ThinDisk implements AsyncDisposable {
  readonly dataDir: string
  /** A place beside it, which keeps whatever is written there. */
  readonly soundPlace: string
  readonly #folder: string
  readonly #backing: string
  readonly #mounted: string

  /** Undefined where this user may not mount anything. */
  static async mount(): Promise<ThinDisk | undefined> {
    const disk = new ThinDisk(await mkdtemp(join(tmpdir(), 'corridor-thin-disk-')))
    try {
      await disk.#make()
      return disk
    } catch {
      await disk[Symbol.asyncDispose]()
      return undefined
    }
  }

  private constructor(folder: string) {
    this.#folder = folder
    this.soundPlace = folder
    this.#backing = join(folder, 'backing')
    this.#mounted = join(folder, 'mounted')
    this.dataDir = join(this.#mounted, 'data')
  }

  async #make(): Promise<void> {
    const image = join(this.#backing, 'image')
    for (const folder of [this.#backing, this.#mounted]) await mkdir(folder)
    await run('mount', ['-t', 'tmpfs', '-o', `size=${roomBytes}`, 'tmpfs', this.#backing])
    await writeFile(image, '')
    await truncate(image, roomBytes)
    // Without a journal of its own: one that fails makes the whole file system read-only, which is another fault.
    await run('mkfs.ext4', ['-q', '-O', '^has_journal', image])
    await this.#plugIn()
  }

  /** From here on nothing reaches a place of the disk that was not written before. */
  async exhaust(): Promise<void> {
    for (let tries = 1; ; tries++) {
      const { blocks, bfree, bsize } = await statfs(this.#backing)
      try {
        // A little more than is used; that is gone with the next commits.
        return await this.#resize((blocks - bfree) * bsize + 256 * 1_024)
      } catch (error) {
        // More was written meanwhile, and a disk cannot be smaller than what is on it.
        if (tries === 20) throw error
      }
    }
  }

  relieve(): Promise<void> {
    return this.#resize(roomBytes)
  }

  async #resize(bytes: number): Promise<void> {
    await run('mount', ['-o', `remount,size=${bytes}`, this.#backing])
  }

  /**
   * New places count as written before they are. Otherwise (dioread_nolock, the default) the note that a place was written
   * is lost with a write that failed, and what is written there later, and well, is zeros after the next mount: a fault of
   * the file system that no database can answer.
   */
  async #plugIn(): Promise<void> {
    await run('mount', ['-o', 'loop,dioread_lock', join(this.#backing, 'image'), this.#mounted])
    for (const folder of [this.#folder, this.#mounted]) await chmod(folder, 0o755)
  }

  /** What the kernel only remembers is gone afterwards. Nobody may have a file open on it. */
  async plugInAgain(): Promise<void> {
    await run('umount', [this.#mounted])
    await this.#plugIn()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const folder of [this.#mounted, this.#backing]) await run('umount', ['--lazy', folder]).catch(() => {})
    await rm(this.#folder, { recursive: true, force: true })
  }
}
