import { execFile } from 'node:child_process'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { inspectPostgres } from '../../../packages/postgres/inspect.ts'
import { giveRoom, takeRoom } from './no-room.ts'

const run = promisify(execFile)

/** A place for a data directory that can be filled to the last byte and freed again. */
export interface SmallDisk extends AsyncDisposable {
  /** What it is: where nothing can be mounted, the database has to play it. */
  readonly how: string
  readonly dataDir: string
  fill(): Promise<void>
  free(): Promise<void>
}

export async function smallDisk(megabytes: number): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'corridor-disk-'))
  const mounted = await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder]).then(
    () => true,
    () => false,
  )
  return mounted ? new MountedDisk(folder) : new PlayedDisk(folder)
}

class MountedDisk implements SmallDisk {
  readonly how = 'a file system of its own'
  readonly dataDir: string
  readonly #folder: string
  readonly #ballast: string

  constructor(folder: string) {
    this.#folder = folder
    this.dataDir = join(folder, 'data')
    this.#ballast = join(folder, 'ballast')
  }

  /** Writes until there is no room for another byte. */
  async fill(): Promise<void> {
    await using file = await open(this.#ballast, 'a')
    for (let bytes = 4 * 1_048_576; bytes >= 1;) {
      const { bytesWritten } = await file.write(Buffer.alloc(bytes, 1)).catch(() => ({ bytesWritten: 0 }))
      if (bytesWritten < bytes) bytes = Math.floor(bytes / 8)
    }
  }

  async free(): Promise<void> {
    await rm(this.#ballast, { force: true })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Lazily: whoever still has a file open on it must not keep the rest from being cleaned up.
    await run('umount', ['--lazy', this.#folder])
    await rm(this.#folder, { recursive: true, force: true })
  }
}

const firstTables = ['bridge.raw_messages']

class PlayedDisk implements SmallDisk {
  readonly how = 'played by the database, because this user may not mount one'
  readonly dataDir: string
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
    this.dataDir = join(folder, 'data')
  }

  fill(): Promise<void> {
    return this.#asOwner((client) => takeRoom(client, firstTables))
  }

  free(): Promise<void> {
    return this.#asOwner((client) => giveRoom(client, firstTables))
  }

  async #asOwner(work: (client: Client) => Promise<void>): Promise<void> {
    const server = await inspectPostgres(this.dataDir)
    if (server.state !== 'running') throw new Error('no PostgreSQL runs on the small disk')
    const client = new Client({ connectionString: server.url })
    await client.connect()
    await work(client)
    await client.end()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
  }
}
