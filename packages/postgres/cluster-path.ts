import { mayEnter } from './may-enter.ts'
import type { RunAs } from './run-as.ts'

/**
 * The name by which PostgreSQL's programs, started inside the cluster's folder, open it.
 *
 * As root the data may lie under a folder that only root may enter (/root). A process keeps the folder it was started
 * in, whoever may enter the folders above, and Linux offers it under this name; so the data stays where the operator
 * put it and nobody's permissions change. Tried with initdb, start, crash recovery and reload of PostgreSQL 18.
 */
export async function clusterPath(cluster: string, runAs: RunAs): Promise<string> {
  const isHidden = process.platform === 'linux' && !(await mayEnter(cluster, runAs))
  return isHidden ? '/proc/self/cwd' : cluster
}
