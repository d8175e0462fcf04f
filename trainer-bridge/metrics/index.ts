export { MetricsServer } from './metrics-server.ts';
export { ServiceMetrics } from './service-metrics.ts';
