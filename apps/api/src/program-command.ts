/** The command that starts this program again: the single-file binary, or the runtime, its options and its script. */
export const programCommand = (): [string, ...string[]] =>
  Bun.main.startsWith('/$bunfs/') ? [process.execPath] : [process.execPath, ...process.execArgv, Bun.main]
