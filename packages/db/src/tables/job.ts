/** Something that is done now and then for a whole instance. */
export interface JobTable {
  name: string
  /** When a process last took it on. */
  begun_at: number
}
