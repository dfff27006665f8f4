import { lazyPart } from '../lazy/lazy-part.tsx';
import type { MisplacedCardProps, NoticeCardProps } from './notice-cards.tsx';

/** The card for a URL that the handler does not know. */
export const NotFoundCard = /* @__PURE__ */ lazyPart<NoticeCardProps>(
  () => import('../lazy/visit-pages.ts').then(module => module.NotFoundCard),
  () => null,
);

/** The card for a handler that is mounted at another path than the app is configured with. */
export const MisplacedCard = /* @__PURE__ */ lazyPart<MisplacedCardProps>(
  () => import('../lazy/visit-pages.ts').then(module => module.MisplacedCard),
  () => null,
);
