import type { Answer, notificationEndpoints } from '@tessera/protocol';
import type { Preference } from './rules.ts';

export function preferenceView({
  category,
  isEnabled,
}: Preference): Answer<typeof notificationEndpoints.updatePreference> {
  return {
    notification_category_id: category.id,
    notification_category_name: category.name,
    enabled: isEnabled,
    can_disable: category.canDisable,
  };
}
