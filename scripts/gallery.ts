import { writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { makeGallery } from '../generator/index.ts';
import { printJson, progress, runCommand } from './output.ts';

interface GalleryOptions {
  readonly out: string;
  readonly json?: true;
}

export function galleryCommand(): Command {
  return new Command('gallery')
    .description('Shows one sample for each kind of task, as a Markdown page')
    .option('--out <file>', 'file to write, or - for stdout', '-')
    .option('--json', 'one JSON object on stdout at the end; needs --out')
    .action(runCommand(writeGallery));
}

function writeGallery({ out, json }: GalleryOptions): void {
  const page = makeGallery();
  if (out === '-') {
    process.stdout.write(page);
    return;
  }
  writeFileSync(out, page);
  const samples = page.split('\n### ').length - 1;
  progress(`gallery: ${samples} samples in ${out}`);
  if (json === true) printJson({ out, samples });
}
