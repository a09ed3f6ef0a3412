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
    expect(readBearer(headers)).toEqual({ is: 'none' })
  })

  it.each([
    ['two headers', ['Bearer a.b.c', 'Bearer d.e.f'], '', 'Send the Authorization header only once.'],
    ['two headers, one of them empty', ['Bearer a.b.c', ''], '', 'Send the Authorization header only once.'],
    ['two tokens in one header', ['Bearer a.b.c, Bearer d.e.f'], '', 'Write the Authorization header as "Bearer"'],
    ['no token', ['Bearer'], '', 'Write the Authorization header as "Bearer"'],
    ['a tab before the token', ['Bearer\ta.b.c'], '', 'Write the Authorization header as "Bearer"'],
    ['a token with a space', ['Bearer a b'], '', 'Write the Authorization header as "Bearer"'],
    ['a token with a line break', ['Bearer a\nb'], '', 'Write the Authorization header as "Bearer"'],
    ['the token in the query', [], 'access_token=a.b.c', 'Send the access token in the Authorization header'],
    [
      'the token in the query too',
      ['Bearer a.b.c'],
      'x=1&access%5Ftoken=a',
      'Send the access token in the Authorization header',
    ],
  ])('is malformed with %s', (_what, headers, query, why) => {
    expect(readBearer(headers, query)).toEqual({ is: 'malformed', why: expect.stringContaining(why) })
  })
})
