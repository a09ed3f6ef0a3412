import { expect, it } from 'vitest'
import { ownPath } from './own-path.ts'

it.each([
  ['/console/messages?q=a%20b&status=ERROR#top', '/console/messages?q=a%20b&status=ERROR#top'],
  ['/console/messages?q=Łódź', '/console/messages?q=%C5%81%C3%B3d%C5%BA'],
  ['/console/messages?q=a b', '/console/messages?q=a%20b'],
  ['/half\ud800', '/half%EF%BF%BD'],
  ['//elsewhere.example', '/'],
  ['/\\elsewhere.example', '/'],
  ['/a\\b', '/'],
  ['https://elsewhere.example', '/'],
  ['/a\r\nset-cookie: b', '/'],
  ['', '/'],
])('after signing in %j leads to %j', (path, own) => {
  expect(ownPath(path)).toBe(own)
  expect(() => new Headers({ location: ownPath(path) })).not.toThrow()
})
