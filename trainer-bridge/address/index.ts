export {
  cannotBind,
  formatHostPort,
  isLoopback,
  parseHostPort,
  refuseOpenAddress,
} from './loopback.ts';
