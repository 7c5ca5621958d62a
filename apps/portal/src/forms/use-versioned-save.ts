import { useRef } from 'react'
import { type ApiError, isVersionMismatch } from '../api/error.ts'

interface Options<Entry> {
  /** What the dialog was opened with. Later versions, which live updates bring, do not replace what the user has seen. */
  readonly opened: Entry
  /** Reads what is stored now, after somebody else has changed it; undefined if it no longer exists. */
  readonly readLatest: () => Promise<Entry | undefined>
  /** Compares what the user started from with what is stored now. @returns the error to throw; null if no field changed */
  readonly report: (before: Entry, theirs: Entry) => ApiError | null
}

/**
 * Saves what a dialog edits, for forms with `useEditConflict`.
 * @returns a function that calls `send` with the version that the user has seen, and again with the latest one if only something
 * that the form does not contain has changed. It throws an ApiError that explains a change by someone else.
 */
export function useVersionedSave<Entry>({ opened, readLatest, report }: Options<Entry>) {
  const base = useRef(opened)
  return async function save<Result>(send: (edited: Entry) => Promise<Result>): Promise<Result> {
    const edited = base.current
    try {
      return await send(edited)
    } catch (error) {
      if (!isVersionMismatch(error)) throw error
      const latest = await readLatest()
      if (latest === undefined) throw error
      base.current = latest
      const reported = report(edited, latest)
      if (reported) throw reported
      return save(send)
    }
  }
}
