import { describe, expect, it } from 'vitest'
import { evaluate } from './evaluate.ts'

describe('on five thousand made-up people, three of four queries corrupted copies and the rest strangers', () => {
  const { certain, probable, candidatesPerQuery } = evaluate({ size: 5_000, queries: 1_200, seed: 20_260 })

  it('certain matches are nearly never wrong and find most', () => {
    expect(certain.precision).toBeGreaterThan(0.995)
    expect(certain.recall).toBeGreaterThan(0.84)
  })

  it('what is at least probable finds nearly all', () => {
    expect(probable.precision).toBeGreaterThan(0.95)
    expect(probable.recall).toBeGreaterThan(0.97)
  })

  it('and few records have to be compared', () => {
    expect(candidatesPerQuery).toBeLessThan(10)
  })
})
