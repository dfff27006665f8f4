import { lazyPart } from '../lazy/lazy-part.tsx';
import type { MisplacedCardProps, NoticeCardProps } from './notice-cards.tsx';

/** The card for addresses that the handler does not know. */
export const NotFoundCard = /* @__PURE__ */ lazyPart<NoticeCardProps>(
  () => import('./notice-cards.tsx').then(module => module.NotFoundCard),
  () => null,
);

/** The card for a handler that is mounted elsewhere than the app says. */
export const MisplacedCard = /* @__PURE__ */ lazyPart<MisplacedCardProps>(
  () => import('./notice-cards.tsx').then(module => module.MisplacedCard),
  () => null,
);
