import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { metricDefinitions } from '@reeve/api/metrics/definitions'
import { formatMetricRow } from '../support/metrics.ts'
import { ROOT } from '../support/program.ts'

test('the reference of the metrics is that of the program', () => {
  const text = readFileSync(join(ROOT, 'docs/monitoring.md'), 'utf8')
  const rows = text.split('\n').filter((line) => /^\| `(reeve|process)_/.test(line))
  expect(rows).toEqual(
    Object.entries(metricDefinitions).map(([name, definition]) => formatMetricRow(name, definition)),
  )
})
