const wordPattern = /[\p{L}\p{N}@$/_]+/gu;

/** The words of a text: letters, digits, `@`, `$`, `/` and `_` make words, case does not count. */
export function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(wordPattern) ?? [];
}

/** The words that say what is asked for, as stems; names and numbers (whatever holds a digit) are left out. */
export function stemsOf(text: string): readonly string[] {
  return wordsOf(text)
    .filter((word) => !/\d/.test(word))
    .map(stem);
}

/** The names in a text: words of letters and digits, such as `river17`, `@maple20` or `notes/sage31`. */
export function namesIn(text: string): readonly string[] {
  return wordsOf(text)
    .filter((word) => word.length >= 4 && /\d/.test(word) && /\p{L}/u.test(word))
    .map((word) => word.replace(/^@/, ''));
}

/** Crude, but the same for `token` and `tokens`, `respawn` and `respawned`, `listing` and `listed`. */
function stem(word: string): string {
  const short = word.replace(/(?:ing|ed|es|s)$/, '');
  return short.length >= 3 ? short : word;
}
