import { join, resolve } from 'node:path'

/** Where everything of the embedded PostgreSQL lies inside Corridor's data directory; README.md says what each is for. */
export interface Layout {
  readonly dataDir: string
  readonly cluster: string
  readonly password: string
  readonly port: string
  readonly log: string
  readonly binaries: string
  readonly startLock: string
  readonly holdLock: string
  readonly holder: string
  readonly restoring: string
}

export function layoutOf(dataDir: string): Layout {
  const root = resolve(dataDir)
  return {
    dataDir: root,
    cluster: join(root, 'postgres'),
    password: join(root, 'postgres.password'),
    port: join(root, 'postgres.port'),
    log: join(root, 'postgres.log'),
    binaries: join(root, 'postgres.binaries'),
    startLock: join(root, 'postgres.lock'),
    holdLock: join(root, 'corridor.lock'),
    holder: join(root, 'corridor.pid'),
    restoring: join(root, 'corridor.restoring'),
  }
}

/** The beginning of the names of clusters that are still being made; a leftover is an interrupted first start. */
export const unfinishedPrefix = 'postgres.new-'
