import { defineSetting } from '../setting.ts'
import { readListenAddress, readMetricsToken } from '../setting-values.ts'

/** Who may read the metrics, and where. */
export const metricsSettings = {
  metricsToken: defineSetting({
    flag: null,
    env: 'REEVE_METRICS_TOKEN',
    isSecret: true,
    placeholder: '<token>',
    fallback: '',
    fallbackLabel: 'none',
    help: 'a bearer token that allows reading /metrics',
    read: readMetricsToken,
  }),
  metricsListen: defineSetting({
    flag: 'metrics-listen',
    env: 'REEVE_METRICS_LISTEN',
    placeholder: '<host:port>',
    fallback: '',
    fallbackLabel: 'none',
    help: 'an address of its own for /metrics, such as 127.0.0.1:9464, where everyone who can connect may read it without a token',
    read: readListenAddress,
  }),
}
