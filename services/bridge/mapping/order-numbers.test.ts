import { expect, it } from 'vitest'
import { OrderNumbers } from './order-numbers.ts'

const number = (value: string) => ({ system: 'urn:placer', value })

it('knows a number as taken by every order but the one that has it', () => {
  const numbers = new OrderNumbers()
  numbers.set('first', [number('1'), number('2')])
  expect(numbers.isTaken(number('1'), 'first')).toBe(false)
  expect(numbers.isTaken(number('1'), 'second')).toBe(true)
  expect(numbers.isTaken(number('3'), 'second')).toBe(false)
  expect(numbers.isTaken({ value: '1' }, 'second')).toBe(false)
})

it('knows a number that two orders have as taken for both', () => {
  const numbers = new OrderNumbers()
  numbers.set('first', [number('1')])
  numbers.set('second', [number('1')])
  expect(numbers.isTaken(number('1'), 'first')).toBe(true)
  expect(numbers.isTaken(number('1'), 'second')).toBe(true)
})

it('forgets the numbers that an order had before it was written anew', () => {
  const numbers = new OrderNumbers()
  numbers.set('first', [number('1')])
  numbers.set('first', [number('2')])
  expect(numbers.isTaken(number('1'), 'second')).toBe(false)
  expect(numbers.isTaken(number('2'), 'second')).toBe(true)
})
