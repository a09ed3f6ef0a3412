import { describe, expect, it } from 'vitest'
import { seal, unseal } from './sealed.ts'

describe('what is sealed for a browser', () => {
  const text = '{"user":"Nurse Ábebe"}'

  it('opens with its secret alone', () => {
    const sealed = seal(text, 'a secret of the browser')
    expect(unseal(sealed, 'a secret of the browser')).toBe(text)
    expect(() => unseal(sealed, 'a secret of another')).toThrow('unable to authenticate')
  })

  it('opens as it was sealed before, too', () => {
    const sealed = 'hTTHpcKgD-K8QjQiSkPEtWGXs8xwx3foLRPipfNeRaI1AW9uYKm8FUVFNBY6BUL9MG3m'
    expect(unseal(sealed, 'a secret of the browser')).toBe(text)
  })
})
