/**
 * Without case, accents, repeated white space and what nobody sees: how R4 compares strings. `Müller  José` becomes
 * `muller jose`.
 */
export function fold(text: string): string {
  if (isPlain.test(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .replace(marks, '')
    .toLowerCase()
    .replace(special, (letter) => letters[letter] ?? letter)
    .replace(/\s+/g, ' ')
    .trim()
}

/** Nearly all names: nothing to take apart. */
const isPlain = /^[!-~]+(?: [!-~]+)*$/
/** Beside accents, signs that only tell how a text is drawn: its direction, whether letters join, a stretch between them. */
const marks = /[\p{M}\p{Default_Ignorable_Code_Point}\u0640]+/gu

/**
 * Letters that Unicode does not decompose but people leave out on keyboards without them. A sigma is written otherwise at the
 * end of a word, which the beginning of a name has and the name has not.
 */
const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
}
const special = /[ßæœøłđðþıς]/g
