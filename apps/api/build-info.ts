/** What a build says about itself. The same commit always gives the same, so that builds are reproducible. */
export interface BuildInfo {
  /** The hash of the commit, with `-dirty` if files differ from it; `unknown` outside a Git repository. */
  readonly commit: string
  /** `SOURCE_DATE_EPOCH`, or else the time of the commit, in UTC; `unknown` without both. */
  readonly time: string
}

/**
 * Reads what is built.
 * @param folder in the repository
 * @param env `SOURCE_DATE_EPOCH` is in seconds. Source: https://reproducible-builds.org/specs/source-date-epoch/
 * @throws Error if `SOURCE_DATE_EPOCH` is not a number of seconds
 */
export function readBuildInfo(folder: string, env: Readonly<Record<string, string | undefined>>): BuildInfo {
  const commit = runGit(folder, 'rev-parse', 'HEAD')
  const isDirty = commit !== null && runGit(folder, 'status', '--porcelain') !== ''
  const seconds = env.SOURCE_DATE_EPOCH || runGit(folder, 'log', '-1', '--format=%ct')
  if (seconds !== null && !/^\d{1,11}$/.test(seconds))
    throw new Error('SOURCE_DATE_EPOCH must be a number of seconds since 1970, such as 1767225600.')
  return {
    commit: commit === null ? 'unknown' : `${commit}${isDirty ? '-dirty' : ''}`,
    time: seconds === null ? 'unknown' : new Date(Number(seconds) * 1000).toISOString().replace('.000Z', 'Z'),
  }
}

/** @returns the output without the final newline; null if Git is not installed or the folder is in no repository */
function runGit(folder: string, ...args: string[]): string | null {
  if (Bun.which('git') === null) return null
  const { success, stdout } = Bun.spawnSync(['git', ...args], { cwd: folder, stderr: 'ignore' })
  return success ? stdout.toString().trimEnd() : null
}
