import { runProgram } from './commands/program.ts'

// Whatever the program creates contains secrets or personal data: nobody else may read it.
process.umask(0o077)

/** Writes the whole text. A closed pipe, as in `reeve openapi | head`, is not an error. */
const writeAll = (stream: NodeJS.WriteStream, text: string): Promise<void> =>
  new Promise((resolve) => {
    stream.once('error', () => resolve())
    stream.write(text, () => resolve())
  })

const { exitCode, out, err } = await runProgram(process.argv.slice(2), process.env)
if (err !== '') await writeAll(process.stderr, err)
if (out !== '') await writeAll(process.stdout, out)
process.exit(exitCode)
