/** An address as it may be kept: without user, password and query. Empty for what is no URL. */
export function withoutSecrets(address: string): string {
  if (!URL.canParse(address)) return '';
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`;
}
