/** Hears of every record that is merged from now on, as soon as it is; gives back what ends it. */
export type MergeNews = (hear: (patientIds: readonly string[]) => void) => () => void
