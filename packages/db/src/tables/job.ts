import { integer, type Row, text } from './column.ts'

/** A periodic job that one process runs for the whole instance. */
export const jobColumns = {
  name: text(),
  /** When a process last started it. */
  begun_at: integer(),
}
export type JobTable = Row<typeof jobColumns>
