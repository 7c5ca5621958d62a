import { runProgram } from './commands/program.ts'

/** Writes all of a text. Whoever reads may have gone away, as `reeve openapi | head` does; that is no failure. */
const writeAll = (stream: NodeJS.WriteStream, text: string): Promise<void> =>
  new Promise((resolve) => {
    stream.once('error', () => resolve())
    stream.write(text, () => resolve())
  })

const { exitCode, out, err } = await runProgram(process.argv.slice(2), process.env)
if (err !== '') await writeAll(process.stderr, err)
if (out !== '') await writeAll(process.stdout, out)
process.exit(exitCode)
