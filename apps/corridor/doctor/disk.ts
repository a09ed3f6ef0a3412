import { statfs } from 'node:fs/promises'
import { isAbsolute, relative, resolve } from 'node:path'
import { inTheWay } from '../../../packages/files/in-the-way.ts'
import type { Configuration } from '../configuration.ts'
import { bad, good, warning, type Finding } from './finding.ts'
import { isWritableFolder, nearestExisting } from './nearest-existing.ts'

const enoughBytes = 5e9

/** The data directory, where a start needs one, can be written and has room. */
export async function checkDisk(configuration: Configuration): Promise<Finding[]> {
  const { dataDir, diskFreeBytesMin: leastBytes } = configuration
  const place = await nearestExisting(resolve(dataDir))
  if (place !== resolve(dataDir) && liesElsewhere(configuration)) {
    return [good('Data directory', 'none, and none is needed: the database and the keys lie elsewhere')]
  }
  const found = await inTheWay(resolve(dataDir))
  if (found !== undefined) {
    return [bad('Data directory', found.is, `${found.remedy}, or set CORRIDOR_DATA_DIR to another folder.`)]
  }
  if (!(await isWritableFolder(place))) {
    return [
      bad(
        'Data directory',
        `${place} cannot be written`,
        'Give this user the right to write there, or set CORRIDOR_DATA_DIR.',
      ),
    ]
  }
  const { bavail, bsize } = await statfs(place)
  const free = bavail * bsize
  const says = `${(free / 1e9).toFixed(1)} GB free at ${place}`
  const writable = good('Data directory', `${resolve(dataDir)} can be written`)
  if (free < leastBytes)
    return [
      writable,
      bad('Disk', says, `Free at least ${(leastBytes / 1e9).toFixed(1)} GB; a full disk stops the database.`),
    ]
  if (free < enoughBytes)
    return [writable, warning('Disk', says, 'A day at one message a second takes about 3 GB; plan for more.')]
  return [writable, good('Disk', says)]
}

/** Whether nothing that a start writes would go into the data directory, as in a container. */
function liesElsewhere({ dataDir, database, auth }: Configuration): boolean {
  const path = relative(resolve(dataDir), resolve(auth.keyDirectory))
  return database.url !== undefined && (path.startsWith('..') || isAbsolute(path))
}
