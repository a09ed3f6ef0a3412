/** What one check of the doctor found, in words for the operator. */
export interface Finding {
  readonly check: string
  readonly state: 'good' | 'warning' | 'bad'
  readonly says: string
  /** What to do about it; nothing where all is well. */
  readonly advice?: string
}

export const good = (check: string, says: string): Finding => ({ check, state: 'good', says })
export const warning = (check: string, says: string, advice: string): Finding => ({
  check,
  state: 'warning',
  says,
  advice,
})
export const bad = (check: string, says: string, advice: string): Finding => ({ check, state: 'bad', says, advice })
