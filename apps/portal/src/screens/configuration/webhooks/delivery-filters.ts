import { type Filters, oneOf } from '../../../app/filter-parsers.ts'

/** The filters of the deliveries in the URL's search parameters. */
export const deliveryFilterParsers = { state: oneOf('delivered', 'pending', 'failed') }

export type DeliveryFilters = Filters<typeof deliveryFilterParsers>
