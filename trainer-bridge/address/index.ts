export {
  cannotBind,
  formatHostPort,
  type HostPort,
  isLoopback,
  parseHostPort,
  refuseOpenAddress,
} from './loopback.ts';
