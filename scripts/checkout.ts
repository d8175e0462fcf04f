import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder of package.json: sources lie one folder below it, built files two. */
export function checkoutRoot(): string {
  const folders = ['..', '../..'].map((path) => fileURLToPath(new URL(path, import.meta.url)));
  const root = folders.find((folder) => existsSync(`${folder}/package.json`));
  if (root === undefined) throw new Error('Cannot find package.json above the program');
  return root.replace(/\/$/, '');
}

/** The version in package.json. */
export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(`${checkoutRoot()}/package.json`, 'utf8')) as { version: string };
  return version;
}

/** A program of the Python venv that set-up makes. */
export function venvProgram(name: string): string {
  return `${checkoutRoot()}/trainer-bridge/python/.venv/bin/${name}`;
}
