/** Makes something when it is first asked for, and keeps it. */
export function madeOnce<Made>(make: () => Made): () => Made {
  let kept: { readonly made: Made } | undefined
  return () => (kept ??= { made: make() }).made
}
