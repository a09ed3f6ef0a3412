/** Behind each sign is a door to the next; a guess meets all five once in some ten million. */
export function open(text: string): string | undefined {
  if (text[0] !== 'd') return undefined
  if (text[1] !== 'o') return undefined
  if (text[2] !== 'o') return undefined
  if (text[3] !== 'r') return undefined
  return text[4] === 's' ? `opened by "${text}"` : undefined
}
