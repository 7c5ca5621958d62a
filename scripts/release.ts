import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type BuildInfo, readBuildInfo } from '../apps/api/build-info.ts'
import { dependencies as runtimes } from '../release/package.json'
import { findTargets } from './release/targets.ts'
import { BUN, install, installRuntimes, ROOT, run, type Step } from './step.ts'

const HELP = `Builds the files of a release into dist/release.

  --target <name>  builds only this target; can be repeated
  --out <folder>   the folder to write to
  --allow-dirty    also builds files that are not committed, to try a build`

const steps: readonly Step[] = [
  install,
  installRuntimes,
  {
    title: 'Build the portal and the TypeScript client',
    // Without the cache, so that a release depends on nothing but the commit.
    command: [
      ...[join(ROOT, 'node_modules/.bin/turbo'), 'run', 'build', '--force'],
      ...['--filter=@reeve/portal', '--filter=@reeve/client'],
    ],
    advice: 'The last lines above show the cause. Run `bun run build` to repeat the build.',
  },
]

/** @throws Error if this is not the version of Bun whose runtimes are in the release: bytecode is valid for one version only */
function assertSameBun(): void {
  const required = runtimes['@oven/bun-linux-x64']
  if (Bun.version === required) return
  throw new Error(
    `This is Bun ${Bun.version}, but a release is built with ${required}. Run \`npx bun@${required} run release\`.`,
  )
}

/** @throws Error if the build would not depend on a commit only */
function assertCommitted({ commit, time }: BuildInfo, allowDirty: boolean): void {
  if (time === 'unknown')
    throw new Error(
      'A release is built from a Git commit. Clone the repository, or set SOURCE_DATE_EPOCH to try a build.',
    )
  if (!allowDirty && !/^[0-9a-f]+$/.test(commit))
    throw new Error(
      'The work tree has changes that are not committed (see `git status`). Commit them, or try a build with --allow-dirty.',
    )
}

async function release(): Promise<void> {
  const { values } = parseArgs({
    options: {
      target: { type: 'string', multiple: true, default: [] },
      out: { type: 'string', default: join(ROOT, 'dist/release') },
      'allow-dirty': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(HELP)
  const targets = findTargets(values.target)
  const build = readBuildInfo(ROOT, process.env)
  assertSameBun()
  assertCommitted(build, values['allow-dirty'])
  for (const step of steps) if (!(await run(step)).ok) throw new Error(`${step.title}: failed`)

  const out = resolve(values.out)
  // In a process of its own: one that started before the installation does not find the packages.
  const script = join(import.meta.dir, 'release/write.ts')
  const child = Bun.spawn([BUN, script, out, ...targets.map(({ name }) => name)], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if ((await child.exited) !== 0) process.exit(1)
  console.log(`\nThe files are in ${out}. Check them with \`sha256sum --check SHA256SUMS\`.`)
}

try {
  await release()
} catch (error) {
  console.error(`✗ ${(error as Error).message}`)
  process.exit(1)
}
