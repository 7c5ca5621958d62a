import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { registry } from '@reeve/api/commands/registry'
import { runPromtool } from '../support/metrics.ts'
import { GRAFANA_FOLDER } from '../support/prometheus.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type AlertCase, alertCases } from './alert-cases.ts'

/** Twice promtool, on a busy machine. */
setDefaultTimeout(60_000)

const RULES = join(GRAFANA_FOLDER, 'reeve-alerts.yaml')

interface Rule {
  readonly alert: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly remedy: string }
}

const { groups } = Bun.YAML.parse(readFileSync(RULES, 'utf8')) as { groups: { rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)

/** Runs `promtool test rules`: whether the alert fires with these series, at the time of the case. */
async function expectAlert(
  { alert, every = '1m', at }: AlertCase,
  series: AlertCase['firing'],
  fires: boolean,
) {
  const folder = temporaryFolder()
  const file = join(folder.path, 'rules-test.yaml')
  const test = {
    rule_files: [RULES],
    evaluation_interval: every,
    tests: [
      {
        interval: every,
        input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
        promql_expr_test: [
          {
            expr: `count(ALERTS{alertname="${alert}",alertstate="firing"})`,
            eval_time: at,
            exp_samples: fires ? [{ labels: '{}', value: 1 }] : [],
          },
        ],
      },
    ],
  }
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(test))
  const { exitCode, output } = await runPromtool(['test', 'rules', file])
  folder.remove()
  expect({ alert, fires, exitCode, output }).toEqual({
    alert,
    fires,
    exitCode: 0,
    output: expect.stringContaining('SUCCESS'),
  })
}

describe('every alert fires when it should, and only then', () => {
  test.each(alertCases.map((alertCase) => [`${alertCase.alert} at ${alertCase.at}`, alertCase] as const))(
    '%s',
    async (_, alertCase) => {
      await expectAlert(alertCase, alertCase.firing, true)
      await expectAlert(alertCase, alertCase.quiet, false)
    },
  )

  test('each has such a test', () => {
    expect([...new Set(alertCases.map(({ alert }) => alert))]).toEqual(rules.map(({ alert }) => alert))
  })
})

test('every alert has a severity, a summary, and a remedy that names a command', () => {
  const known = new Set(registry.map(({ name }) => name))
  for (const { alert, labels, annotations } of rules) {
    expect({ alert, severity: labels.severity }).toEqual({
      alert,
      severity: expect.stringMatching(/^(critical|warning|info)$/),
    })
    expect(annotations.summary).toEndWith('.')
    expect(annotations.remedy).toMatch(/`[^`]+`/)
    for (const [, command = ''] of annotations.remedy.matchAll(/`reeve ([a-z]+(?: [a-z-]+)?)/g))
      expect({ alert, command, isKnown: known.has(command) }).toEqual({ alert, command, isKnown: true })
  }
})
