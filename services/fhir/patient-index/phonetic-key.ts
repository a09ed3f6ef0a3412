/**
 * How a folded name sounds, roughly, in at most five letters. It only has to bring records together that are then
 * compared properly, so it errs on the side of too much alike: voiced and voiceless stops are one, h is silent, vowels
 * count only at the beginning. Names in other scripts keep their first letters.
 */
export function phoneticKey(name: string): string {
  const letters = name.replaceAll(' ', '')
  if (!isLatin.test(letters)) return letters.replace(longVowels, '').slice(0, lengthMax)
  let sound = letters
  for (const [pattern, replacement] of sounds) sound = sound.replace(pattern, replacement)
  const begin = sound.slice(0, 1).replace(/[aeiou]/, 'a')
  const rest = sound.slice(1).replace(/[aeiou]/g, '')
  return (begin + rest).replace(/(.)\1+/g, '$1').slice(0, lengthMax)
}

const lengthMax = 5
const isLatin = /^[a-z]+$/

/** Arabic and Hebrew write long vowels or leave them out; their first letter is kept whatever it is. */
const longVowels = /(?<=.)[\u0627\u0648\u064a\u0649\u0629\u0647\u05d0\u05d5\u05d9]/g

/** In this order: what spans several letters first. */
const sounds: readonly (readonly [RegExp, string])[] = [
  [/^[kgp]n/, 'n'],
  [/^wr/, 'r'],
  [/^ps/, 's'],
  [/ght/g, 't'],
  [/ph/g, 'f'],
  [/sch|tch|sh|ch|cz|sz|zh|dj|dg|tj/g, 'x'],
  [/c(?=[eiy])/g, 's'],
  [/ck|kh|gh|qu?|c/g, 'k'],
  [/th|d/g, 't'],
  [/z/g, 's'],
  [/ou|oo|u/g, 'o'],
  [/[wv]/g, 'f'],
  [/[jg]/g, 'k'],
  [/[yh]/g, ''],
]
