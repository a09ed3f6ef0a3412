import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { declareUsers } from '../../../../services/auth/registration/declare.ts'
import { isPasswordHash, PasswordHasher } from '../../../../services/auth/secrets/password.ts'
import { runCommandLine } from '../../command-line.ts'

const password = 'correct horse battery'

/** @param answers what is typed at each prompt; all of it at once where nobody types */
async function run(answers: readonly string[], options: { readonly isTyped: boolean }) {
  const input = Object.assign(new PassThrough(), { isTTY: options.isTyped })
  const waiting = [...answers]
  let [out, err] = ['', '']
  const terminal = {
    ...{ isInteractive: options.isTyped, hasColour: false },
    out: (text: string) => void (out += text),
    err: (text: string) => {
      err += text
      if (text.endsWith(': ')) input.write(waiting.shift())
    },
  }
  if (!options.isTyped) input.end(answers.join(''))
  const signals = { first: () => new Promise<string>(() => {}) }
  const code = await runCommandLine(['users', 'hash-password'], { terminal, signals, environment: {}, input })
  return { code, out: out.trimEnd(), err }
}

describe('corridor users hash-password', () => {
  it.each([
    ['is typed twice', [`${password}\r`, `${password}\r`], true],
    ['is typed with a slip that is mended', [`${password}x\u007f\r`, `${password}\r`], true],
    ['comes from a pipe', [`${password}\n`], false],
  ])(
    'prints what a declared user takes for the password that %s, and never shows it',
    async (_how, answers, isTyped) => {
      const { code, out, err } = await run(answers, { isTyped })
      expect(code).toBe(0)
      expect(isPasswordHash(out)).toBe(true)
      expect(await new PasswordHasher().verify(password, out)).toBe(true)
      expect(
        declareUsers([{ username: 'a', fhirUser: 'Practitioner/a', roles: ['ADMIN'], passwordHash: out }]),
      ).toHaveLength(1)
      expect(err).not.toContain('horse')
    },
  )

  it.each([
    ['two that differ', [`${password}\r`, 'another one, mistyped\r'], true, 'These were two different passwords.'],
    ['one that is too short', ['eleven char\r', 'eleven char\r'], true, 'must have at least 12 characters.'],
    ['nothing from a pipe', [''], false, 'must have at least 12 characters.'],
    ['who leaves with Ctrl-C', ['\u0003'], true, 'No password was given.'],
  ])('refuses %s', async (_what, answers, isTyped, says) => {
    const { code, out, err } = await run(answers, { isTyped })
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain(says)
  })
})
