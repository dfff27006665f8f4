import type { Words } from './words.ts';

/** What the pages say in German. */
export const de: Words = {
  'signIn.title': 'Anmelden',
  'signIn.question': 'Neu hier?',
  'signIn.toSignUp': 'Konto anlegen',
  'signIn.submit': 'Anmelden',

  'signUp.title': 'Konto anlegen',
  'signUp.question': 'Schon ein Konto?',
  'signUp.toSignIn': 'Stattdessen anmelden',
  'signUp.submit': 'Konto anlegen',

  'auth.noMethod': 'Für dieses Projekt ist keine Anmeldemethode eingeschaltet.',
  'auth.loading': 'Das Formular wird geladen',

  'field.email': 'E-Mail',
  'field.password': 'Passwort',
  'field.passwordRepeat': 'Passwort wiederholen',
  'field.passwordShow': 'Passwort anzeigen',
  'field.passwordHide': 'Passwort verbergen',
  'field.capsLock': 'Die Feststelltaste ist aktiv.',
  'field.passwordHint': 'Mindestens {min} Zeichen, gern mehrere Wörter.',

  'strength.label': 'Passwortstärke',
  'strength.0': 'Noch nichts eingegeben',
  'strength.1': 'Leicht zu erraten',
  'strength.2': 'Könnte stärker sein',
  'strength.3': 'Gut',
  'strength.4': 'Sehr stark',

  'invalid.emailMissing': 'Gib deine E-Mail-Adresse ein.',
  'invalid.email': 'Gib eine E-Mail-Adresse wie name@example.com ein.',
  'invalid.passwordMissing': 'Gib dein Passwort ein.',
  'invalid.passwordChoose': 'Wähle ein Passwort.',
  'invalid.passwordShort': 'Verwende mindestens {min} Zeichen.',
  'invalid.passwordLong': 'Verwende höchstens {max} Zeichen.',
  'invalid.repeatMissing': 'Wiederhole das Passwort.',
  'invalid.repeatDiffers': 'Die beiden Passwörter sind verschieden.',

  'form.problem': 'Ein Feld braucht deine Aufmerksamkeit.',
  'form.problems': '{count} Felder brauchen deine Aufmerksamkeit.',
  'form.kept': 'Deine Eingaben sind noch da.',

  'signedIn.title': 'Du bist angemeldet',
  'signedIn.text': 'Hier ist nichts weiter zu tun.',
  'signedOut.title': 'Du bist abgemeldet',
  'signedOut.text': 'Komm wieder, wann immer du magst.',
  'signUpDisabled.title': 'Keine neuen Konten',
  'signUpDisabled.text':
    'Dieses Projekt nimmt zurzeit keine neuen Konten an. Wenn du schon eines hast, kannst du dich anmelden.',
  'signOut.working': 'Du wirst abgemeldet',
  'signOut.failed': 'Du bist noch nicht abgemeldet',

  'verifyEmail.title': 'E-Mail-Adresse bestätigen?',
  'verifyEmail.text': 'Bestätige, dass die Adresse, an die unsere E-Mail ging, dir gehört.',
  'verifyEmail.submit': 'Bestätigen',
  'verifyEmail.expired': 'Fordere in deinen Kontoeinstellungen einen neuen an.',
  'emailVerified.title': 'Deine E-Mail-Adresse ist bestätigt',
  'emailVerified.text': 'Hier ist nichts weiter zu tun.',
  'linkInvalid.title': 'Dieser Link funktioniert nicht',
  'linkInvalid.text': 'Vielleicht fehlt ein Teil davon. Öffne ihn noch einmal aus der E-Mail.',
  'linkExpired.title': 'Dieser Link ist abgelaufen',

  'unknownError.title': 'Etwas ist schiefgegangen',
  'unknownError.text': 'Bitte versuche es noch einmal. Wenn es wieder geschieht, wende dich an den Support.',
  'oauthTaken.title': 'Dieses Konto gehört hier jemand anderem',
  'oauthTaken.text': 'Es ist bereits mit einem anderen Benutzer verbunden. Verbinde stattdessen ein anderes Konto.',
  'oauthOther.title': 'Ein anderes Konto ist verbunden',
  'oauthOther.text':
    'Du hast bereits ein anderes Konto dieses Anbieters verbunden. Vielleicht wurde das falsche gewählt.',
  'oauthDenied.title': 'Die Anmeldung wurde abgebrochen',
  'oauthDenied.text':
    'Der Anbieter hat uns nicht hereingelassen, oder du hast abgebrochen. Versuche es einfach noch einmal.',
  'errorPage.code': 'Fehlercode',

  'notFound.title': 'Diese Seite gibt es nicht',
  'notFound.text': 'Vielleicht ist die Adresse vertippt, oder die Seite ist umgezogen.',
  'setup.title': 'Diese Seite ist nicht richtig eingerichtet',
  'setup.text':
    'Der Handler bedient {handler}, wurde aber unter {location} geöffnet. Gib der App die passende Handler-URL.',
  'pageFailed.title': 'Diese Seite konnte nicht geladen werden',

  'userButton.label': 'Kontomenü',
  'userButton.labelUser': 'Kontomenü von {name}',
  'userButton.signedOut': 'Nicht angemeldet',
  'userButton.failed': 'Die Kontodaten konnten nicht geladen werden.',
  'userButton.account': 'Kontoeinstellungen',
  'userButton.theme': 'Zwischen hell und dunkel wechseln',
  'avatar.user': 'Bild von {name}',
  'avatar.nobody': 'Niemand ist angemeldet',

  'action.home': 'Zur Startseite',
  'action.signIn': 'Anmelden',
  'action.signUp': 'Konto anlegen',
  'action.signOut': 'Abmelden',
  'action.retry': 'Noch einmal versuchen',
  'action.cancel': 'Abbrechen',

  'error.unreachable': 'Der Server ist nicht erreichbar. Prüfe deine Verbindung und versuche es noch einmal.',
  'error.offline': 'Du bist offline. Versuche es noch einmal, sobald du verbunden bist.',
  'error.tooManyRequests': 'Zu viele Versuche. Warte ein wenig und versuche es dann noch einmal.',
  'error.unknown': 'Etwas ist schiefgegangen. Bitte versuche es noch einmal.',
  'error.EMAIL_PASSWORD_MISMATCH': 'E-Mail und Passwort passen nicht zusammen.',
  'error.USER_EMAIL_ALREADY_EXISTS': 'Zu dieser E-Mail-Adresse gibt es schon ein Konto. Melde dich stattdessen an.',
  'error.PASSWORD_REQUIREMENTS_NOT_MET': 'Dieses Passwort ist zu leicht zu erraten. Wähle ein anderes.',
  'error.PASSWORD_TOO_SHORT': 'Verwende mindestens {min_length} Zeichen.',
  'error.PASSWORD_TOO_LONG': 'Verwende höchstens {maxLength} Zeichen.',
  'error.PASSWORD_AUTHENTICATION_NOT_ENABLED': 'Die Anmeldung mit Passwort ist für dieses Projekt ausgeschaltet.',
  'error.SIGN_UP_NOT_ENABLED': 'Dieses Projekt nimmt zurzeit keine neuen Konten an.',
  'error.INVALID_TOTP_CODE': 'Der Code ist falsch. Prüfe die Uhrzeit deines Geräts und versuche den nächsten.',
  'error.REDIRECT_URL_NOT_WHITELISTED':
    'Die Adresse dieser Website gehört nicht zu den vertrauenswürdigen Domains des Projekts.',
  'error.SCHEMA_ERROR': 'Der Server hat das nicht angenommen. Prüfe deine Eingaben.',
  'error.PROJECT_NOT_FOUND': 'Dieses Projekt gibt es nicht mehr.',
  'error.INVALID_PUBLISHABLE_CLIENT_KEY':
    'Diese Website ist nicht richtig eingerichtet: Ihr Client-Schlüssel ist ungültig.',
};
