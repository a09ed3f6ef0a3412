/** A text as R4 takes it for a string: without control characters and half characters. Undefined where it says nothing. */
export function stringOf(text: string | null): string | undefined {
  const plain = text?.replaceAll(/[\0-\u0008\u000b\u000c\u000e-\u001f]/g, '').toWellFormed() ?? ''
  return plain.trim() === '' ? undefined : plain
}
