import { Text } from '@mantine/core'
import { CopyTextButton } from '../../components/copy-button.tsx'
import classes from './details.module.css'
import { ExternalLink } from './event-image.tsx'

/** The in-game location of an event. */
export interface Experience {
  readonly experienceId: string | null
  readonly experienceName: string | null
  readonly experiencePlaceId: string | null
  readonly experienceThumbnailUrl: string | null
  readonly experienceUrl: string | null
}

/** Whether any field is set. */
export const hasExperience = (experience: Experience): boolean =>
  [
    experience.experienceId,
    experience.experienceName,
    experience.experiencePlaceId,
    experience.experienceThumbnailUrl,
    experience.experienceUrl,
  ].some((value) => value !== null)

/** The experience of an event: name, links and ids to copy. */
export function ExperienceCard({ experience }: { readonly experience: Experience }) {
  const { experienceId, experienceName, experiencePlaceId, experienceThumbnailUrl, experienceUrl } =
    experience
  return (
    <section className={classes.experience} aria-label="Experience">
      <Text size="xs" c="dimmed" fw={600}>
        Experience
      </Text>
      <Text component="bdi" display="block" fw={600}>
        {experienceName ?? 'Unnamed'}
      </Text>
      <dl className={classes.facts}>
        <IdField label="Experience ID" value={experienceId} />
        <IdField label="Place ID" value={experiencePlaceId} />
      </dl>
      <div className={classes.links}>
        {experienceUrl === null ? null : <ExternalLink url={experienceUrl}>Open experience</ExternalLink>}
        {experienceThumbnailUrl === null ? null : (
          <ExternalLink url={experienceThumbnailUrl}>Thumbnail</ExternalLink>
        )}
      </div>
    </section>
  )
}

const IdField = ({ label, value }: { readonly label: string; readonly value: string | null }) =>
  value === null ? null : (
    <div>
      <dt>{label}</dt>
      <dd>
        <code>{value}</code>
        <CopyTextButton value={value} label={label} />
      </dd>
    </div>
  )
