import classes from './role-badge.module.css'

interface Props {
  readonly role: { readonly name: string; readonly color: string | null }
}

/** A role's color and name. */
export const RoleBadge = ({ role: { name, color } }: Props) => (
  <span className={classes.badge}>
    <RoleDot color={color} />
    <bdi className={classes.name}>{name}</bdi>
  </span>
)

/** A role's color. Decorative: always shown with the name. */
export const RoleDot = ({ color }: { readonly color: string | null }) => (
  <span aria-hidden className={classes.dot} style={{ backgroundColor: color ?? undefined }} />
)
