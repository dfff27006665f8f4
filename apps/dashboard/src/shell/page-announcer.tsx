import { useEffect, useState } from 'react';

/** Tells screen readers the title of the page after a navigation, of which the browser says nothing. */
export function PageAnnouncer() {
  const [title, setTitle] = useState('');
  useEffect(() => {
    const observer = new MutationObserver(() => setTitle(document.title));
    observer.observe(document.head, { childList: true, characterData: true, subtree: true });
    return () => observer.disconnect();
  }, []);
  return (
    <p role="status" className="tss:sr-only">
      {title}
    </p>
  );
}
