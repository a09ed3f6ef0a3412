/** A person's name in its own direction, so that an Arabic name does not reorder the digits beside it. */
export function PersonName({ name }: { readonly name: string }) {
  return <bdi class="name">{name}</bdi>
}
