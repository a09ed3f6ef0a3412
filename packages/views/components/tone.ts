/** What a mark means. Colour only repeats what the words beside it say. */
export type Tone = 'neutral' | 'good' | 'warning' | 'bad' | 'info'
