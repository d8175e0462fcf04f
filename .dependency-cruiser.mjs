const layers = ['env', 'generator', 'rollout', 'trainer-bridge', 'scripts'];

/** A layer may import itself and the layers below; the message names the direction. */
const layerRules = layers.slice(0, -1).map((layer, index) => ({
  name: `layer-${layer}`,
  comment: `${layer}/ must not import ${layers.slice(index + 1).join('/, ')}/: imports run scripts → trainer-bridge → rollout → generator → env`,
  severity: 'error',
  from: { path: `^${layer}/` },
  to: { path: `^(${layers.slice(index + 1).join('|')})/` },
}));

/** Rooms inside env, lowest first: a room may import only rooms before it. */
const rooms = [
  'native',
  'task',
  'sandbox',
  'tmux',
  'terminal',
  'clock',
  'events',
  'evidence',
  'world',
  'grade',
  'pool',
  'episode',
];
const roomRules = rooms.slice(0, -1).map((room, index) => ({
  name: `room-${room}`,
  comment: `env/${room} must not import a higher room (${rooms.slice(index + 1).join(', ')})`,
  severity: 'error',
  from: { path: `^env/${room}/` },
  to: { path: `^env/(${rooms.slice(index + 1).join('|')})/` },
}));

export default {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    ...layerRules,
    ...roomRules,
    {
      name: 'doors-only',
      comment: 'Cross-layer imports go through the layer’s index.ts',
      severity: 'error',
      from: { path: '^(env|generator|rollout|trainer-bridge|scripts)/', pathNot: '\\.(test|conformance)\\.ts$' },
      to: { path: '^(env|generator|rollout|trainer-bridge)/.+', pathNot: ['^$1/', '^[^/]+/index\\.ts$'] },
    },
    {
      name: 'room-doors-only',
      comment: 'Inside env, rooms are entered through their index.ts',
      severity: 'error',
      from: { path: '^env/([^/]+)/', pathNot: '\\.(test|conformance)\\.ts$' },
      to: { path: '^env/[^/]+/.+', pathNot: ['^env/$1/', '^env/[^/]+/index\\.ts$'] },
    },
    {
      name: 'wire-only-in-trainer-bridge',
      comment: 'Only trainer-bridge/ knows ZeroMQ, gRPC and protobuf',
      severity: 'error',
      from: { path: '^(env|generator|rollout|scripts)/' },
      to: { path: 'node_modules/(zeromq|@grpc|protobufjs|grpc-health-check)/' },
    },
    {
      name: 'arrow-only-in-rollout',
      comment: 'Only rollout/ knows Arrow',
      severity: 'error',
      from: { path: '^(env|generator|trainer-bridge|scripts)/', pathNot: '\\.test\\.ts$' },
      to: { path: 'node_modules/apache-arrow/' },
    },
    {
      name: 'scripts-are-leaves',
      severity: 'error',
      from: { pathNot: '^(scripts|tests)/' },
      to: { path: '^scripts/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|build|trainer-bridge/python)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
  },
};
