import { integer, type Row, text } from './column.ts'

/** Something that is done now and then for a whole instance. */
export const jobColumns = {
  name: text(),
  /** When a process last took it on. */
  begun_at: integer(),
}
export type JobTable = Row<typeof jobColumns>
