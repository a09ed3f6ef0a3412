import { describe, expect, it } from 'vitest'
import { fold } from './fold.ts'

describe('folding a string', () => {
  it.each([
    ['Peter', 'peter'],
    ['Müller', 'muller'],
    ['MULLER', 'muller'],
    ['José  María\tGarcía', 'jose maria garcia'],
    [' O’Brien ', 'o’brien'],
    ['Straße', 'strasse'],
    ['Łukasz Ørsted', 'lukasz orsted'],
    ['ﬁne', 'fine'],
    ['Nguyễn Văn Đức', 'nguyen van duc'],
    ['Нина', 'нина'],
    ['ΝΙΚΟΣ', 'νικοσ'],
    ['Νίκος', 'νικοσ'],
    ['ΝΙΚΟΣΤΑΣ', 'νικοστασ'],
    ['\u200fمُحَمَّد\u200e', 'محمد'],
    ['محـمد', 'محمد'],
    ['علی\u200cرضا', 'علیرضا'],
    ['\u2067Amina\u2069 \u200fDi\u00adallo\ufeff', 'amina diallo'],
    ['', ''],
  ])('makes %j to %j', (text, folded) => {
    expect(fold(text)).toBe(folded)
    expect(fold(folded)).toBe(folded)
  })
})
