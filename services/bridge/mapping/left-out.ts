import type { Write } from './mapped.ts'

/**
 * The writes that are left out, because the store has what they are a part of (`unlessStored`). Who refers to such a part
 * means the whole; a part that was taken back is not taken out of where the whole stands.
 * @param references of what is stored, by `fullUrl`; those of what is left out are changed
 */
export function leftOut(writes: readonly Write[], references: Map<string, string>): ReadonlySet<Write> {
  const left = new Set<Write>()
  for (const write of writes) {
    const whole = write.unlessStored === undefined ? undefined : references.get(write.unlessStored)
    if (whole === undefined) continue
    left.add(write)
    if (write.mode === 'amend') references.delete(write.fullUrl)
    else references.set(write.fullUrl, whole)
  }
  return left
}
