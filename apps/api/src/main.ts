import { restartToKeepFreedMemory } from './freed-memory.ts'

// Whatever the program creates contains secrets or personal data: nobody else may read it.
process.umask(0o077)

/** Writes the whole text. @returns the code of the error if it could not be written. A closed pipe, as in `reeve openapi | head`, is none */
const writeAll = (stream: NodeJS.WriteStream, text: string): Promise<string | null> =>
  new Promise((resolve) => {
    const end = (error?: Error | null) => {
      const { code = null } = (error ?? {}) as { code?: string }
      resolve(code === 'EPIPE' ? null : code)
    }
    stream.once('error', end)
    stream.write(text, end)
  })

const args = process.argv.slice(2)
if (args[0] === 'serve') restartToKeepFreedMemory(process.env)
// Not loaded by a process that restarts.
const { runProgram } = await import('./command-line/program.ts')

const { exitCode, out, err } = await runProgram(args, process.env)
if (err !== '') await writeAll(process.stderr, err)
const problem = out === '' ? null : await writeAll(process.stdout, out)
// The command has run: its result, such as an API key that is shown once, is lost.
if (problem !== null)
  await writeAll(
    process.stderr,
    `The command was carried out, but its output could not be written (${problem}).\n`,
  )
process.exit(problem === null ? exitCode : 1)
