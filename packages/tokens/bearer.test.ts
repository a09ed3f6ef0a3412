import { describe, expect, it } from 'vitest'
import { readBearer } from './bearer.ts'

describe('the bearer token of a request', () => {
  it.each([
    ['as usual', ['Bearer a.b.c']],
    ['with the scheme in another case', ['bEARER a.b.c']],
    ['with spaces around', [' Bearer   a.b.c ']],
  ])('is found %s', (_how, headers) => {
    expect(readBearer(headers)).toEqual({ is: 'token', token: 'a.b.c' })
    expect(readBearer(headers, 'x=1&token=y')).toEqual({ is: 'token', token: 'a.b.c' })
  })

  it.each([
    ['without the header', []],
    ['with an empty header', ['']],
    ['with another scheme', ['Basic YTpi']],
    ['with a scheme that begins alike', ['Bearers a.b.c']],
    ['with a scheme that ends alike', ['XBearer a.b.c']],
  ])('is none %s', (_how, headers) => {
    expect(readBearer(headers)).toEqual({ is: 'none', why: 'Send an access token: Authorization: Bearer <token>.' })
    const inAddress = 'Send the access token in the Authorization header, not in the address.'
    expect(readBearer(headers, 'x=1&access%5Ftoken=a.b.c')).toEqual({ is: 'none', why: inAddress })
  })

  it.each([
    ['in two headers', ['Bearer a.b.c', 'Bearer d.e.f'], '', 'Send the Authorization header only once.'],
    ['in two headers, one of them empty', ['Bearer a.b.c', ''], '', 'Send the Authorization header only once.'],
    ['in the query too', ['Bearer a.b.c'], 'x=1&access%5Ftoken=a', 'Send the access token in the Authorization header'],
  ])('is there twice %s', (_where, headers, query, why) => {
    expect(readBearer(headers, query)).toEqual({ is: 'doubled', why: expect.stringContaining(why) })
  })

  it.each([
    ['two tokens in one header', 'Bearer a.b.c, Bearer d.e.f'],
    ['no token', 'Bearer'],
    ['a tab before the token', 'Bearer\ta.b.c'],
    ['a token with a space', 'Bearer a b'],
    ['a token with a line break', 'Bearer a\nb'],
  ])('is malformed with %s', (_what, header) => {
    const why = expect.stringContaining('Write the Authorization header as "Bearer"')
    expect(readBearer([header])).toEqual({ is: 'malformed', why })
  })
})
