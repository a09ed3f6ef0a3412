import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { RunAs } from './run-as.ts'

/** Whether the permission bits let the user into the folder and every folder above it. */
export async function mayEnter(folder: string, runAs: RunAs): Promise<boolean> {
  if (runAs.uid === undefined) return true
  for (let path = resolve(folder); ; path = dirname(path)) {
    const found = await stat(path)
    const bit = found.uid === runAs.uid ? 0o100 : found.gid === runAs.gid ? 0o010 : 0o001
    if ((found.mode & bit) === 0) return false
    if (path === dirname(path)) return true
  }
}
