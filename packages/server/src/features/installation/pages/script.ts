/** Signs in to project `internal`, creates its first owner, and confirms the login of a command line. */
export const script = `
const form = document.querySelector('form');
const status = document.querySelector('[role=status]');
const field = name => form.elements.namedItem(name)?.value ?? '';
const codeOfLink = new URLSearchParams(location.hash.slice(1)).get('code');
const loginCode = new URLSearchParams(location.search).get('login_code');

async function post(path, body) {
  const headers = {
    'content-type': 'application/json',
    'x-stack-access-type': 'client',
    'x-stack-project-id': 'internal',
    'x-stack-publishable-client-key': form.dataset.key,
  };
  const response = await fetch('/api/v1' + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  const answer = isJson ? JSON.parse(text) : { error: text };
  if (response.ok || answer.code === 'MULTI_FACTOR_AUTHENTICATION_REQUIRED') return answer;
  throw new Error(answer.error);
}

async function signIn() {
  const answer = await post('/auth/password/sign-in', { email: field('email'), password: field('password') });
  if (answer.code === undefined) return answer;
  const code = answer.details.attempt_code;
  return post('/auth/mfa/sign-in', { type: 'totp', totp: field('totp').replace(/\\s/g, ''), code });
}

const work = {
  async owner() {
    await post('/extensions/first-owner', { code: codeOfLink, email: field('email'), password: field('password') });
    return 'You own this installation now.';
  },
  async login() {
    const { refresh_token } = await signIn();
    await post('/auth/cli/complete', { login_code: loginCode, refresh_token });
    return 'Done. The command line goes on by itself; you can close this page.';
  },
};

form?.addEventListener('submit', async event => {
  event.preventDefault();
  const button = form.querySelector('button');
  button.disabled = true;
  status.textContent = '';
  try {
    status.textContent = await work[form.dataset.work]();
    form.hidden = true;
    for (const next of document.querySelectorAll('[data-next]')) next.hidden = false;
  } catch (error) {
    status.textContent = error.message;
    button.disabled = false;
  }
});
`;
