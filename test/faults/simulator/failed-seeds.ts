/** Worlds in which a promise was once broken. What was wrong is said beside each, and none of them may fail again. */
export const failedSeeds: readonly (readonly [seed: number, what: string])[] = [
  [175, 'work that was being claimed was freed as unknown, and ran twice at once'],
  [773, 'the same between two copies: the older run wrote last'],
  [1424, 'the same'],
  [26, 'a claim whose COMMIT was not answered left its message under the name of a living copy'],
  [36, 'the same'],
  [49, 'a message that was acknowledged as queued became an error because consent could not be asked'],
  [401389215, 'a copy whose lease had ended worked on until its next beat, and wrote after the one that took over'],
  [52, 'a message that was stored when its time was over was sent again, and nobody was told of it'],
  [354291778, 'a claim was answered when its name had ended, ran on, and wrote after the one that took over'],
  [
    700033143,
    'a claim that was never heard of was not missed, because one that had ended was still thought to be there',
  ],
  [923346742, 'an end that was given up was committed when the next run had begun, which others then did as well'],
]
