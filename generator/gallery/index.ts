export { makeGallery } from './page.ts';
