/** RFC 6901, taken apart: `/name/0/given` is `name`, `0`, `given`; the whole document is no step at all. */
export type Pointer = readonly string[]

/** No resource that is valid has deeper places. */
export const levelsMax = 100

export function parsePointer(text: string): Pointer | undefined {
  if (text === '') return []
  if (!text.startsWith('/') || /~(?![01])/.test(text)) return undefined
  return text
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

export const isPrefix = (some: Pointer, other: Pointer): boolean => some.every((step, index) => step === other[index])
