import { join } from 'node:path'

/** A child process that exchanges lines with this one, and ends when this one does. */
export interface ChildProcess {
  readonly send: (line: string) => void
  /** The next line that it prints. @throws with its error output if it ends first */
  readonly nextLine: () => Promise<string>
  /** Closes its input, upon which it ends. */
  readonly close: () => Promise<void>
}

/** Settings of the memory allocator in the environment of a measurement are those of the server. */
const withoutAllocatorSettings = (env: NodeJS.ProcessEnv) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('MIMALLOC_')))

/** Starts a program of this folder with an argument that is passed as JSON. */
export function startChild(file: string, argument: object): ChildProcess {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, '..', file), JSON.stringify(argument)], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
    env: withoutAllocatorSettings(process.env),
  })
  const stderr = new Response(child.stderr).text()
  const lines = readLines(child.stdout)
  return {
    send(line) {
      child.stdin.write(`${line}\n`)
      child.stdin.flush()
    },
    async nextLine() {
      const { value, done } = await lines.next()
      if (!done) return value
      throw new Error((await stderr).trim() || `${file} ended with ${await child.exited}`)
    },
    async close() {
      child.stdin.end()
      await child.exited
    },
  }
}

/** The lines of a stream, as they arrive. */
export async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let buffer = ''
  for await (const chunk of stream) {
    const lines = (buffer + decoder.decode(chunk, { stream: true })).split('\n')
    buffer = lines.pop() ?? ''
    yield* lines
  }
}
