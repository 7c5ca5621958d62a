import type { Progress } from './command.ts'

const CLEAR_LINE = '\r\x1b[K'

/** Writes steps to a stream, and progress within a step if it is a terminal. Writes nothing if quiet. */
export function createProgress(stream: NodeJS.WriteStream, isQuiet: boolean): Progress {
  let isPartial = false
  const clear = () => {
    if (isPartial) stream.write(CLEAR_LINE)
    isPartial = false
  }
  return {
    step(text) {
      if (isQuiet) return
      clear()
      stream.write(`${text}\n`)
    },
    update(text) {
      if (isQuiet || !stream.isTTY) return
      clear()
      if (text === '') return
      stream.write(`  ${text}`)
      isPartial = true
    },
  }
}
