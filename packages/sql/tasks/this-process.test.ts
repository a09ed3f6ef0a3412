import { describe, expect, it } from 'vitest'
import { thisProcess, type Machine } from './this-process.ts'

const bootId = '/proc/sys/kernel/random/boot_id'
const machineId = '/etc/machine-id'
const namespace = '/proc/self/ns/pid'

const boot = '6f8b3f0e-58a5-4b0b-9f5c-0b9f6f1f2a11'
const id = '0123456789abcdef0123456789abcdef'

/** A machine on which these can be read, and nothing else. */
const machineOf = (texts: Readonly<Record<string, string>>, platform = 'linux'): Machine => ({
  ...{ platform, name: 'hub' },
  fileText: (path) => (path === namespace ? undefined : texts[path]),
  linkText: (path) => (path === namespace ? texts[path] : undefined),
})

const seen = { [namespace]: 'pid:[4026531836]' }
const onlyItself = `hub/${process.pid}/${Math.trunc(performance.timeOrigin)}`

describe('where a process is', () => {
  it.each([
    ['by the boot and the namespace', { ...seen, [bootId]: boot, [machineId]: id }, `hub/${boot}/pid:[4026531836]`],
    ['by the machine, where the boot is not shown', { ...seen, [machineId]: id }, `hub/${id}/pid:[4026531836]`],
    ['nowhere else, without either', seen, onlyItself],
    ['nowhere else, where the machine has no id yet', { ...seen, [machineId]: 'uninitialized' }, onlyItself],
    ['nowhere else, without a namespace', { [bootId]: boot, [machineId]: id }, onlyItself],
  ])('is told %s', (_, texts, place) => {
    expect(thisProcess(machineOf(texts)).place).toBe(place)
  })

  it('is its machine where that has only one place', () => {
    expect(thisProcess(machineOf({}, 'darwin')).place).toBe('hub/')
  })

  it('is the same for whoever looks in this process', () => {
    expect(thisProcess().place).toBe(thisProcess().place)
  })
})
