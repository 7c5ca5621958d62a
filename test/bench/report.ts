/** One row of the table: what was measured, against what, and whether it passed. */
export interface Line {
  readonly promise: string
  readonly work: string
  readonly reeve: string
  readonly compared: string
  readonly ratio: number
  readonly bound: string
  readonly kept: boolean
}

/** A row that passes if the ratio is at least `bound`. */
export const createMinLine = (bound: number, line: Omit<Line, 'bound' | 'kept'>): Line => ({
  ...line,
  bound: `≥ ${bound}`,
  kept: line.ratio >= bound,
})

/** A row that passes if the ratio is at most `bound`. */
export const createMaxLine = (bound: number, line: Omit<Line, 'bound' | 'kept'>): Line => ({
  ...line,
  bound: `≤ ${bound}`,
  kept: line.ratio <= bound,
})

export const formatRate = (value: number): string => `${Math.round(value).toLocaleString('en')}/s`

/** The rows as a Markdown table. */
export function formatTable(lines: readonly Line[]): string {
  const rows = lines.map((line) => [
    line.promise,
    line.work,
    line.reeve,
    line.compared,
    line.ratio.toFixed(2),
    line.bound,
    line.kept ? 'kept' : 'MISSED',
  ])
  return [
    '| | work | Reeve | compared with | ratio | promise | |',
    '|---|---|---|---|---|---|---|',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n')
}
