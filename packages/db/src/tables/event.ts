import { id, idOrText, integer, nullable, type Row, text } from './column.ts'

/** A scheduled event. */
export const eventColumns = {
  workspace_id: id(),
  id: id(),
  title: text(),
  description: nullable(text()),
  scheduled_for: integer(),
  ends_at: integer(),
  published: integer(),
  event_type: text<'event' | 'training' | 'shift' | 'meeting' | 'tryout' | 'other'>(),
  image_url: nullable(text()),
  training_start: nullable(integer()),
  training_end: nullable(integer()),
  /** The name of the host: of a member at the time when they were chosen, or any text. */
  training_host: nullable(text()),
  /** The member who hosts the event; null if the host is not a member. */
  host_account_id: nullable(id()),
  experience_id: nullable(text()),
  experience_name: nullable(text()),
  experience_place_id: nullable(text()),
  experience_thumbnail_url: nullable(text()),
  experience_url: nullable(text()),
  created_by: idOrText(),
  created_at: integer(),
  updated_at: integer(),
  version: integer(),
}
export type EventTable = Row<typeof eventColumns>
