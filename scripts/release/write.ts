import { readBuildInfo } from '../../apps/api/build-info.ts'
import { ROOT } from '../step.ts'
import { writeRelease } from './files.ts'
import { findTargets } from './targets.ts'

/** The last step of `bun run release`. Arguments: the folder, and the names of the targets. */
const [, , out = '', ...names] = process.argv
try {
  await writeRelease(findTargets(names), readBuildInfo(ROOT, process.env), out)
} catch (error) {
  // Bun reports the causes of a failed build in an AggregateError.
  const causes = error instanceof AggregateError ? error.errors.map(String) : []
  console.error([`✗ ${(error as Error).message}`, ...causes].join('\n'))
  process.exit(1)
}
