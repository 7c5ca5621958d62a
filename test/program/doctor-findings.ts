import { expect } from 'bun:test'
import type { Instance } from '../support/instance.ts'
import { runReeve } from '../support/program.ts'

interface ReportedFinding {
  readonly check: string
  readonly verdict: string
  readonly found: string
  readonly advice: string | null
  readonly records?: readonly {
    readonly id: string
    readonly kind: string
    readonly caseNumber: number
    readonly fields: readonly string[]
  }[]
}

/** Runs the doctor on the storage of the instance, which a server has open. */
export async function runDoctorOn(instance: Instance) {
  const { dataDir, databaseUrl } = instance.storage
  const env = databaseUrl === null ? {} : { REEVE_DATABASE_URL: databaseUrl }
  const { exitCode, out, err } = await runReeve(['doctor', '--json'], { dataDir, env })
  expect(err).toBe('')
  const { findings } = JSON.parse(out) as { findings: ReportedFinding[] }
  return {
    exitCode,
    find(check: string): ReportedFinding {
      const found = findings.find((finding) => finding.check === check)
      if (!found) throw new Error(`there is no finding ${check}: ${out}`)
      return found
    },
  }
}
