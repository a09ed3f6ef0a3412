import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { beforeAbort } from './before-abort.ts'

const never = new Promise<string>(() => {})

describe('work before an abort', () => {
  it('gives its value, or its failure, and leaves nothing at the signal', async () => {
    const { signal } = new AbortController()
    expect(await beforeAbort(Promise.resolve('done'), signal)).toBe('done')
    await expect(beforeAbort(Promise.reject(new Error('failed')), signal)).rejects.toThrow('failed')
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('is given up when the signal comes, for the reason that it has', async () => {
    const ending = new AbortController()
    const { signal } = ending
    const waiting = beforeAbort(never, signal)
    ending.abort(new Error('the lease is lost'))
    await expect(waiting).rejects.toThrow('the lease is lost')
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('is not waited for when the signal came before', async () => {
    await expect(beforeAbort(never, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
  })

  it('may fail after it was given up, and nobody minds', async () => {
    const work = Promise.withResolvers<string>()
    await expect(beforeAbort(work.promise, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
    work.reject(new Error('too late to tell'))
    // The turn in which a rejection without anybody to handle it would end the run.
    await new Promise((resolve) => void setImmediate(resolve))
  })
})
