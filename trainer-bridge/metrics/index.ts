export { MetricsServer } from './metrics-server.ts';
export { type MetricSources, ServiceMetrics } from './service-metrics.ts';
