import { ActionCard } from '../components/cards/action-card.tsx';
import { useWaysOn } from '../components/cards/predefined-cards.tsx';
import { PageSurface } from '../components/cards/surface.tsx';
import { useSay } from '../words/say.tsx';

export interface NoticeCardProps {
  fullPage: boolean;
}

export function NotFoundCard({ fullPage }: NoticeCardProps) {
  return (
    <PageSurface fullPage={fullPage}>
      <NotFound />
    </PageSurface>
  );
}

function NotFound() {
  const say = useSay();
  const { goHome } = useWaysOn();

  return (
    <ActionCard title={say('notFound.title')} primaryButtonText={say('action.home')} primaryAction={goHome}>
      <p className="tss:text-pretty">{say('notFound.text')}</p>
    </ActionCard>
  );
}

export interface MisplacedCardProps extends NoticeCardProps {
  handler: string;
  location: string;
}

export function MisplacedCard({ fullPage, handler, location }: MisplacedCardProps) {
  return (
    <PageSurface fullPage={fullPage}>
      <Misplaced handler={handler} location={location} />
    </PageSurface>
  );
}

function Misplaced({ handler, location }: Omit<MisplacedCardProps, 'fullPage'>) {
  const say = useSay();

  return (
    <ActionCard title={say('setup.title')}>
      <p className="tss:text-pretty">{say('setup.text', { handler, location })}</p>
    </ActionCard>
  );
}
