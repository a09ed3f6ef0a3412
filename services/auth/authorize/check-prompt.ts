import { refusal, type Asked, type Refusal } from './asked.ts'

export function checkPrompt({ parameters }: Asked): Refusal | undefined {
  const words = promptsOf(parameters)
  if (words.includes('none') && words.length > 1) return refusal('invalid_request', 'prompt none stands alone.')
  const { max_age: maxAge } = parameters
  return maxAge === undefined || /^\d{1,9}$/.test(maxAge)
    ? undefined
    : refusal('invalid_request', 'max_age must be a number of seconds.')
}

export const promptsOf = (parameters: Asked['parameters']): string[] =>
  (parameters['prompt'] ?? '').split(' ').filter((word) => word !== '')
