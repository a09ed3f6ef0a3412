import { count } from '../../../packages/views/numbers.ts'

export { count }

/** `8.4 ms`, `1.2 s`: as exact as it matters. */
export function milliseconds(ms: number): string {
  if (ms >= 10_000) return `${Math.round(ms / 1_000)} s`
  if (ms >= 1_000) return `${(ms / 1_000).toFixed(1)} s`
  return `${ms >= 100 ? Math.round(ms) : Number(ms.toFixed(1))} ms`
}

/** `4.2` or `120`. */
export const rate = (perMinute: number): string =>
  perMinute >= 100 ? count(Math.round(perMinute)) : String(Number(perMinute.toFixed(1)))

/** `34 s`, `12 min`, `3 h`, `2 days`: how long ago or for how long. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000))
  if (seconds < 90) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 90) return `${minutes} min`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`
}

/** `1 message`, `2 messages`. */
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`

/** `1.5 MB`. */
export function byteCount(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1_000 ** step
  return `${value >= 100 || step === 0 ? Math.round(value) : Number(value.toFixed(1))} ${units[step] ?? 'B'}`
}
