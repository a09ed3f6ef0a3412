import { statfs } from 'node:fs/promises'
import type { Condition, HealthPart } from '../../../packages/http/health.ts'

interface DiskSettings {
  readonly dataDir: string
  readonly diskFreeBytesMin: number
}

/** Whether the disk of the data directory has room. Make it once: a disk that hangs may hold one thread, and no second. */
export function diskSpace(settings: DiskSettings): HealthPart {
  let asked: Promise<Condition> | undefined
  return () =>
    (asked ??= look(settings).finally(() => {
      asked = undefined
    }))
}

async function look({ dataDir, diskFreeBytesMin: threshold }: DiskSettings): Promise<Condition> {
  const disk = await statfs(dataDir).catch(nothingIsThere)
  // Where there is no such directory, nothing is kept on this disk.
  if (disk === undefined) return { status: 'UP', details: { exists: false } }
  const [total, free] = [disk.blocks * disk.bsize, disk.bavail * disk.bsize]
  return { status: free < threshold ? 'DOWN' : 'UP', details: { exists: true, total, free, threshold } }
}

function nothingIsThere(thrown: unknown): undefined {
  if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return undefined
  throw thrown
}
