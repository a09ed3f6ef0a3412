/** How JSX is read, by whoever reads the sources. */
export const jsx = { runtime: 'automatic', importSource: 'preact' } as const
