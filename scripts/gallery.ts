import { Command } from 'commander';
import { InputError } from '../env/index.ts';
import { makeGallery } from '../generator/index.ts';
import { printJson, progress, runCommand } from './output.ts';
import { writeOutputFile } from './output-file.ts';

interface GalleryOptions {
  readonly out?: string;
  readonly json?: true;
}

export function galleryCommand(): Command {
  return new Command('gallery')
    .description('Shows one sample for each kind of task, as a Markdown page')
    .option('--out <file>', 'file to write (default: the page goes to stdout)')
    .option('--json', 'one JSON object on stdout at the end; needs --out')
    .action(runCommand(writeGallery));
}

function writeGallery({ out, json }: GalleryOptions): void {
  const page = makeGallery();
  if (out === undefined) {
    requireNoJson(json);
    process.stdout.write(page);
    return;
  }
  writeOutputFile(out, page);
  const samples = page.split('\n### ').length - 1;
  progress(`gallery: ${samples} samples in ${out}`);
  if (json === true) printJson({ out, samples });
}

function requireNoJson(json: true | undefined): void {
  if (json === undefined) return;
  throw new InputError({
    code: 'E_OUT',
    what: 'Cannot print the page and JSON on one stdout',
    where: '--json',
    expected: '--out with a file',
    found: 'none',
  });
}
