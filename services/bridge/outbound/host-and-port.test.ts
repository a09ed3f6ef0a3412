import { expect, it } from 'vitest'
import { hostAndPort } from './host-and-port.ts'

it.each([
  ['http://lab.example/hook', 'lab.example:80'],
  ['https://lab.example/hook', 'lab.example:443'],
  ['https://lab.example:443/hook', 'lab.example:443'],
  ['http://lab.example:443/hook', 'lab.example:443'],
  ['mllp://LAB.example:2575', 'lab.example:2575'],
  ['https://[::1]/', '[::1]:443'],
])('%s leads to %s: who is away there may be somewhere else', (address, place) => {
  expect(hostAndPort(new URL(address))).toBe(place)
})
