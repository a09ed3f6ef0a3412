/** Without case, accents and repeated white space: how R4 compares strings. `Müller  José` becomes `muller jose`. */
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
const marks = /\p{M}+/gu

/** Letters that Unicode does not decompose but people leave out on keyboards without them. */
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
}
const special = /[ßæœøłđðþı]/g
