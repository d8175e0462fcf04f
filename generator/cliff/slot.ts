/** The template that stands for the N-th secret of an episode. */
export function slot(index: number): string {
  return `{{slot:${index}}}`;
}
