import { describe, expect, it } from 'vitest'
import { edit, MessageBuilder } from './builder.ts'
import { standardDelimiters } from './delimiters.ts'
import { raw, repeated } from './field-value.ts'
import { parseMessage } from './parse.ts'

describe('building', () => {
  it('writes values, components, sub-components, repetitions and nulls', () => {
    const text = new MessageBuilder()
      .add('MSH', { 3: 'APP', 9: ['ADT', 'A01'], 10: 42 })
      .add('PID', { 3: repeated([['1', undefined, undefined, ['H', '1.2', 'ISO']], '2']), 5: ['DOE', null], 8: null })
      .add('NTE', [1, '', 'a|b'])
      .add('ZZZ', [raw('x^y~z'), undefined])
      .text()
    expect(text.split('\r')).toEqual([
      'MSH|^~\\&|APP||||||ADT^A01|42',
      'PID|||1^^^H&1.2&ISO~2||DOE^""|||""',
      'NTE|1||a\\F\\b',
      'ZZZ|x^y~z',
      '',
    ])
  })

  it('lets raw text be one field only', () => {
    const text = new MessageBuilder()
      .add('MSH')
      .add('ZZZ', [raw('a|b\rPID|1')])
      .text()
    expect(text).toBe('MSH|^~\\&\rZZZ|a\\F\\b\\X0D\\PID\\F\\1\r')
  })

  it.each(['', 'pid', 'PIDX', 'P|D', 'A\rB'])('refuses the segment name %j', (name) => {
    expect(() => new MessageBuilder().add(name)).toThrow(/is not a segment name/)
  })

  it.each([
    { ...standardDelimiters, component: '|' },
    { ...standardDelimiters, field: 'A' },
    { ...standardDelimiters, escape: '\r' },
  ])('refuses delimiters that are none', (delimiters) => {
    expect(() => new MessageBuilder({ delimiters })).toThrow(/must be different punctuation/)
  })
})

describe('editing', () => {
  const original = 'MSH|^~\\&|A\r\nPID|1||a^b~c\n\nOBX|1\rOBX|2'
  const message = parseMessage(original)

  it('without a change gives the same bytes', () => {
    expect(Buffer.from(edit(message).bytes()).toString()).toBe(original)
  })

  it.each([
    ['PID-3[1].2', 'x', 'MSH|^~\\&|A\r\nPID|1||a^b~c^x\n\nOBX|1\rOBX|2'],
    ['PID-5.2.2', 'x', 'MSH|^~\\&|A\r\nPID|1||a^b~c||^&x\n\nOBX|1\rOBX|2'],
    ['OBX[1]-3', 'x', 'MSH|^~\\&|A\r\nPID|1||a^b~c\n\nOBX|1\rOBX|2||x'],
    ['ZZZ-1', 'x', `${original}\rZZZ|x\r`],
    ['MSH-4', 'x|y', 'MSH|^~\\&|A|x\\F\\y\r\nPID|1||a^b~c\n\nOBX|1\rOBX|2'],
    ['PID-1', null, 'MSH|^~\\&|A\r\nPID|""||a^b~c\n\nOBX|1\rOBX|2'],
  ] as const)('sets %s', (path, value, text) => {
    expect(edit(message).set(path, value).text()).toBe(text)
  })

  it('counts the fields of a header as such, however its name is written', () => {
    for (const name of ['MSH', 'msh', 'Msh']) {
      const written = parseMessage(`${name}|^~\\&|A|B|C|D\rPID|1`)
      expect(edit(written).set('MSH-5', 'x').text()).toBe(`${name}|^~\\&|A|B|x|D\rPID|1`)
    }
  })

  it('sets whole fields and takes segments out', () => {
    const text = edit(message)
      .setField('PID-3', repeated(['x', ['y', 'z']]))
      .remove('OBX', 0)
      .text()
    expect(text).toBe('MSH|^~\\&|A\r\nPID|1||x~y^z\n\nOBX|2')
    expect(edit(message).remove('OBX').message().has('OBX')).toBe(false)
  })

  it('takes one out of more segments than a call may have arguments', () => {
    const builder = new MessageBuilder().add('MSH', {}).add('PID')
    for (let count = 0; count < 600_000; count++) builder.add('NTE')
    expect(builder.remove('PID').text().split('\r')).toHaveLength(600_002)
  })

  it('writes more repetitions than a call may have arguments', () => {
    const numbers = repeated(Array.from({ length: 600_000 }, (_, index) => index))
    expect(new MessageBuilder().add('PID', { 3: numbers }).text().split('~')).toHaveLength(600_000)
  })

  it('leaves the delimiters alone', () => {
    expect(() => edit(message).set('MSH-2', '*')).toThrow(/holds the delimiters/)
  })

  it('leaves the message as it was', () => {
    edit(message).set('PID-1', '9')
    expect(message.get('PID-1')).toBe('1')
  })
})
