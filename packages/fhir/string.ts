/** All but tab, line feed and carriage return: R4 strings have none. */
export const controlCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/
const everyControlCharacter = new RegExp(controlCharacters, 'g')

/** A text without what R4 strings do not have: control characters, and half characters, which become U+FFFD. */
export const plainText = (text: string): string => text.toWellFormed().replaceAll(everyControlCharacter, '')

/** The same, and undefined where it says nothing. */
export function stringOf(text: string | null): string | undefined {
  const plain = plainText(text ?? '')
  return plain.trim() === '' ? undefined : plain
}
