import { createHash } from 'node:crypto'
import { open, type FileHandle } from 'node:fs/promises'

/** What was read, whatever became of the file since. */
export interface HashedFile {
  readonly bytes: number
  /** Hexadecimal. */
  readonly sha256: string
}

export interface HashOptions {
  readonly stop?: AbortSignal | undefined
  /** Told how many bytes more were read. */
  readonly onBytes?: ((bytes: number) => void) | undefined
}

/** Copies a file into a new one that only its owner may read. After this returns its bytes are on the disk. */
export async function copyHashed(from: string, to: string, options: HashOptions = {}): Promise<HashedFile> {
  await using source = await open(from, 'r')
  await using target = await open(to, 'wx', 0o600)
  const copied = await readThrough(source, (bytes) => writeAll(target, bytes), options)
  await target.sync()
  return copied
}

export async function hashFile(path: string, options: HashOptions = {}): Promise<HashedFile> {
  await using source = await open(path, 'r')
  return await readThrough(source, async () => {}, options)
}

const pieceBytes = 1024 * 1024

async function readThrough(
  source: FileHandle,
  take: (bytes: Buffer) => Promise<void>,
  { stop, onBytes }: HashOptions,
): Promise<HashedFile> {
  const hash = createHash('sha256')
  const { size } = await source.stat()
  // Most files of a database are a few pages long.
  const buffer = Buffer.allocUnsafe(Math.min(Math.max(size, 1), pieceBytes))
  let bytes = 0
  for (;;) {
    stop?.throwIfAborted()
    const { bytesRead } = await source.read(buffer, 0, buffer.length, bytes)
    if (bytesRead === 0) return { bytes, sha256: hash.digest('hex') }
    const piece = buffer.subarray(0, bytesRead)
    hash.update(piece)
    await take(piece)
    bytes += bytesRead
    onBytes?.(bytesRead)
  }
}

async function writeAll(target: FileHandle, bytes: Buffer): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    written += (await target.write(bytes, written)).bytesWritten
  }
}
