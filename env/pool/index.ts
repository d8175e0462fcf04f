export { Pool, type PoolOptions } from './pool.ts';
