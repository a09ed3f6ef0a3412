/** The cause of what was never read as a whole: its beginning is all there is, and to run that would lose the rest. */
export const tooLargeCode = 'MESSAGE_TOO_LARGE'

/**
 * Whether an operator may have it run again: what failed, and a message under the control id of another, which was told
 * `AA` and worked on by nobody: what it says is nowhere else.
 */
export const isToBeRun = (status: string, hasOtherContent: boolean): boolean =>
  status === 'ERROR' || (status === 'DUPLICATE' && hasOtherContent)
