import { statfs } from 'node:fs/promises'
import type { HealthPart } from '../../../packages/http/health.ts'

/** Whether the disk of the data directory has room. Where there is no such directory, nothing is kept on this disk. */
export const diskSpace =
  ({
    dataDir,
    diskFreeBytesMin: threshold,
  }: {
    readonly dataDir: string
    readonly diskFreeBytesMin: number
  }): HealthPart =>
  async () => {
    const disk = await statfs(dataDir).catch(nothingIsThere)
    if (disk === undefined) return { status: 'UP', details: { exists: false } }
    const [total, free] = [disk.blocks * disk.bsize, disk.bavail * disk.bsize]
    return { status: free < threshold ? 'DOWN' : 'UP', details: { exists: true, total, free, threshold } }
  }

function nothingIsThere(thrown: unknown): undefined {
  if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return undefined
  throw thrown
}
