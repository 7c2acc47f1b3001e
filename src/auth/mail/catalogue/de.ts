import type { Catalogue } from "./catalogue.ts";
import { germanLinks } from "./links.de.ts";
import { germanOrganizations } from "./organizations.de.ts";

export const german: Catalogue = {
  language: "de",
  dates: "de-DE",
  greeting: { named: "Guten Tag {name},", plain: "Guten Tag," },
  labels: { passkey: "Passkey", when: "Wann", device: "Gerät", address: "IP-Adresse" },
  unknownDevice: "Unbekanntes Gerät",
  unknownTeam: "einem Team",
  copy: "Falls die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse:",
  footer: "Diese Mail von {product} betrifft die Sicherheit Ihres Kontos. Werbung verschickt {product} nicht.",
  letters: {
    ...germanLinks,
    ...germanOrganizations,
    password_changed: {
      subject: "Ihr Passwort für {product} wurde geändert",
      lead: "Das Passwort Ihres Kontos bei {product} wurde geändert. Alle anderen Geräte wurden abgemeldet.",
      button: "Passwort zurücksetzen",
      otherwise: "Waren Sie das, ist alles in Ordnung. Wenn nicht, setzen Sie das Passwort sofort zurück.",
    },
    password_reset: {
      subject: "Ihr Passwort für {product} wurde zurückgesetzt",
      lead: "Das Passwort Ihres Kontos bei {product} wurde mit einem Link aus einer Mail zurückgesetzt. Alle Geräte wurden abgemeldet.",
      button: "Passwort zurücksetzen",
      otherwise:
        "Waren Sie das, ist alles in Ordnung. Wenn nicht, liest jemand Ihre Mails: Sichern Sie zuerst Ihr Postfach und setzen Sie das Passwort dann noch einmal zurück.",
    },
    first_password_chosen: {
      subject: "Ihr Konto bei {product} hat jetzt ein Passwort",
      lead: "Das erste Passwort Ihres Kontos bei {product} wurde mit einem Link aus einer Mail gewählt. Von nun an melden Sie sich damit an.",
      button: "Passwort zurücksetzen",
      otherwise:
        "Waren Sie das, ist alles in Ordnung. Wenn nicht, liest jemand Ihre Mails: Sichern Sie zuerst Ihr Postfach und setzen Sie das Passwort dann zurück.",
    },
    email_change_requested: {
      subject: "Ihre E-Mail-Adresse für {product} soll geändert werden",
      lead: "Jemand, der bei Ihrem Konto von {product} angemeldet ist, möchte dafür eine andere E-Mail-Adresse. Sie gilt, sobald sie bestätigt ist.",
      button: "Änderung stoppen",
      validity:
        "Das geht bis {until}. Danach sind alle Geräte abgemeldet, und Sie erhalten eine Mail, mit der Sie ein neues Passwort wählen.",
      otherwise:
        "Waren Sie das, müssen Sie nichts tun. Wenn nicht, stoppen Sie die Änderung gleich: Jemand kennt Ihr Passwort.",
    },
    email_changed: {
      subject: "Ihre E-Mail-Adresse für {product} wurde geändert",
      lead: "Ihr Konto bei {product} hat jetzt eine andere E-Mail-Adresse. Diese hier gehört nicht mehr dazu.",
      button: "Änderung zurücknehmen",
      validity:
        "Das geht bis {until}. Danach sind alle Geräte abgemeldet, und Sie erhalten eine Mail, mit der Sie ein neues Passwort wählen.",
      otherwise: "Waren Sie das, müssen Sie nichts tun. Wenn nicht, machen Sie die Änderung gleich rückgängig.",
    },
    refresh_reused: {
      subject: "Sie wurden bei {product} zur Sicherheit abgemeldet",
      lead: "Eine Anmeldung bei Ihrem Konto von {product} wurde an zwei Orten zugleich benutzt, als wäre sie kopiert worden. Sie wurde beendet.",
      button: "Konto ansehen",
      otherwise:
        "Wenn Sie sich das nicht erklären können, ändern Sie Ihr Passwort und beenden Sie Anmeldungen, die Sie nicht kennen.",
    },
    account_locked: {
      subject: "Die Anmeldung bei {product} ist für kurze Zeit gesperrt",
      lead: "Für Ihr Konto bei {product} wurde mehrmals nacheinander ein falsches Passwort eingegeben. Die Anmeldung mit Passwort ist deshalb für kurze Zeit gesperrt. Wo Sie angemeldet sind, bleiben Sie es.",
      button: "Passwort zurücksetzen",
      otherwise:
        "Waren Sie das nicht, müssen Sie nichts tun: Kein Passwort hat gestimmt. Waren Sie es, hebt ein neues Passwort die Sperre sofort auf.",
    },
    logins_blocked: {
      subject: "Die Anmeldung bei {product} ist für unbekannte Browser gesperrt",
      lead: "Für Ihr Konto bei {product} wurde hundertmal nacheinander ein falsches Passwort eingegeben. Das Passwort gilt jetzt nur noch in einem Browser, in dem Sie schon angemeldet waren. In jedem anderen wird auch das richtige abgelehnt, als wäre es falsch. Wo Sie angemeldet sind, bleiben Sie es.",
      button: "Passwort zurücksetzen",
      otherwise:
        "Kein Passwort hat gestimmt, also ist niemand in Ihr Konto gekommen. Um die Sperre zu beenden, melden Sie sich in einem Browser an, in dem Sie schon angemeldet waren, oder wählen Sie ein neues Passwort.",
    },
    registration_attempted: {
      subject: "Sie haben schon ein Konto bei {product}",
      lead: "Jemand wollte sich mit dieser E-Mail-Adresse registrieren. Zu ihr gibt es bei {product} schon ein Konto. Geändert wurde nichts.",
      button: "Anmelden",
      otherwise:
        "Waren Sie das, melden Sie sich an oder fordern Sie dort ein neues Passwort an. Wenn nicht, müssen Sie nichts tun.",
    },
    address_claimed: {
      subject: "Ihre Adresse wurde bei {product} für ein anderes Konto angegeben",
      lead: "Jemand wollte ein anderes Konto bei {product} auf diese E-Mail-Adresse umstellen. Sie gehört zu Ihrem Konto, deshalb wurde nichts geändert.",
      otherwise: "Sie müssen nichts tun. Waren Sie das, melden Sie sich bei dem Konto an, das die Adresse schon hat.",
    },
    account_deleted: {
      subject: "Ihr Konto bei {product} wurde gelöscht",
      lead: "Ihr Konto bei {product} wurde gelöscht, mit allem, was dazugehörte. Niemand kann sich mehr damit anmelden, und es lässt sich nicht wiederherstellen.",
      otherwise:
        "Waren Sie das, ist alles in Ordnung. Wenn nicht, konnte sich jemand als Sie anmelden: Ändern Sie dieses Passwort überall, wo Sie es sonst noch benutzen, und sagen Sie den Betreibern von {product} Bescheid.",
    },
    first_totp_added: {
      subject: "Ihr Konto bei {product} hat jetzt eine Authenticator-App",
      lead: "Bei der Anmeldung bei {product} wird jetzt neben dem Passwort ein Code aus einer Authenticator-App verlangt.",
      button: "Rückgängig machen",
      validity:
        "Rückgängig machen können Sie es bis {until}. Sie wählen dann ein neues Passwort, alle Geräte werden abgemeldet, und die Anmeldung in zwei Schritten ist wieder aus.",
      otherwise:
        "Waren Sie das, bewahren Sie Ihre Wiederherstellungscodes gut auf; mehr ist nicht zu tun. Wenn nicht, kennt jemand Ihr Passwort: Machen Sie es jetzt rückgängig.",
    },
    first_passkey_added: {
      subject: "Ihr Konto bei {product} hat einen neuen Passkey",
      lead: "Zu Ihrem Konto bei {product} ist ein Passkey hinzugekommen. Wer ihn hat, kann sich damit anmelden.",
      button: "Rückgängig machen",
      validity:
        "Rückgängig machen können Sie es bis {until}. Sie wählen dann ein neues Passwort, alle Geräte werden abgemeldet, und die Anmeldung in zwei Schritten ist wieder aus.",
      otherwise:
        "Waren Sie das, ist nichts zu tun. Wenn nicht, kann sich jemand anderes als Sie anmelden: Machen Sie es jetzt rückgängig.",
    },
    totp_added: {
      subject: "Ihr Konto bei {product} hat jetzt eine Authenticator-App",
      lead: "Bei der Anmeldung bei {product} wird jetzt neben dem Passwort ein Code aus einer Authenticator-App verlangt.",
      button: "Konto ansehen",
      otherwise:
        "Waren Sie das, bewahren Sie Ihre Wiederherstellungscodes gut auf. Wenn nicht, setzen Sie Ihr Passwort sofort zurück. Melden Sie sich dann mit einem Ihrer Passkeys an und entfernen Sie die App. Haben Sie keinen, bitten Sie die Betreiber von {product}, sie zu entfernen: Ohne ihre Codes kommen Sie nicht hinein.",
    },
    totp_removed: {
      subject: "Die Authenticator-App wurde aus Ihrem Konto bei {product} entfernt",
      lead: "Bei der Anmeldung bei {product} wird kein Code aus einer Authenticator-App mehr verlangt.",
      button: "Passwort zurücksetzen",
      otherwise:
        "Waren Sie das, ist alles in Ordnung. Wenn nicht, setzen Sie das Passwort sofort zurück und richten Sie die Anmeldung in zwei Schritten neu ein.",
    },
    passkey_added: {
      subject: "Ihr Konto bei {product} hat einen neuen Passkey",
      lead: "Zu Ihrem Konto bei {product} ist ein Passkey hinzugekommen. Wer ihn hat, kann sich damit anmelden.",
      button: "Konto ansehen",
      otherwise:
        "Waren Sie das, ist alles in Ordnung. Wenn nicht, setzen Sie Ihr Passwort sofort zurück. Melden Sie sich dann mit einem anderen Passkey oder einem Code an und entfernen Sie ihn. Haben Sie nichts davon, bitten Sie die Betreiber von {product}, ihn zu entfernen: Bis dahin gilt er weiter.",
    },
    passkey_removed: {
      subject: "Ein Passkey wurde aus Ihrem Konto bei {product} entfernt",
      lead: "Aus Ihrem Konto bei {product} wurde ein Passkey entfernt. Er öffnet es nicht mehr.",
      button: "Passwort zurücksetzen",
      otherwise:
        "Waren Sie das, ist alles in Ordnung. Wenn nicht, setzen Sie das Passwort sofort zurück und sehen Sie Ihre Passkeys durch.",
    },
    passkey_copied: {
      subject: "Ein Passkey Ihres Kontos bei {product} wurde vielleicht kopiert",
      lead: "Ein Passkey Ihres Kontos bei {product} wurde gezeigt und abgelehnt: Er hatte weniger Anmeldungen gezählt als beim letzten Mal. Das deutet auf eine Kopie hin.",
      button: "Konto ansehen",
      otherwise:
        "Entfernen Sie den zuletzt benutzten Passkey und legen Sie einen neuen an. Haben Sie sich gerade nicht angemeldet, hat jemand anderes eine Kopie, oder hatte das Gerät in der Hand, das ihn verwahrt.",
    },
    personal_token_created: {
      subject: "Für Ihr Konto bei {product} wurde ein persönliches Token erstellt",
      lead: "Für Ihr Konto bei {product} wurde ein persönliches Token namens „{about}“ erstellt. Wer es hat, kann überall in Ihrem Namen handeln, wo solche Token angenommen werden.",
      button: "Token ansehen",
      otherwise:
        "Wenn Sie das waren, ist alles in Ordnung. Wenn nicht, widerrufen Sie es auf Ihrer Kontoseite und ändern Sie Ihr Passwort.",
    },
    recovery_codes_made: {
      subject: "Neue Wiederherstellungscodes für Ihr Konto bei {product}",
      lead: "Für Ihr Konto bei {product} gibt es neue Wiederherstellungscodes. Die bisherigen gelten nicht mehr.",
      button: "Konto ansehen",
      otherwise:
        "Waren Sie das, ist alles in Ordnung. Wenn nicht, ändern Sie Ihr Passwort und lassen Sie sich noch einmal neue Codes geben.",
    },
    recovery_code_used: {
      subject: "Ein Wiederherstellungscode Ihres Kontos bei {product} wurde benutzt",
      lead: "Für Ihr Konto bei {product} wurde einer Ihrer Wiederherstellungscodes benutzt, anstelle einer Authenticator-App oder eines Passkeys. Er gilt jetzt nicht mehr. Noch übrige Codes: {about}.",
      button: "Konto ansehen",
      otherwise:
        "Waren Sie das, lassen Sie sich neue Codes geben, bevor keiner mehr übrig ist. Wenn nicht, kennt jemand Ihre Codes: Ändern Sie Ihr Passwort und lassen Sie sich sofort neue geben.",
    },
    factors_reset: {
      subject: "Die Anmeldung in zwei Schritten wurde bei {product} zurückgesetzt",
      lead: "Authenticator-App, Passkeys und Wiederherstellungscodes wurden von den Betreibern aus Ihrem Konto bei {product} entfernt. Alle Geräte wurden abgemeldet.",
      button: "Anmelden",
      otherwise:
        "Haben Sie darum gebeten, melden Sie sich an und richten Sie die Anmeldung in zwei Schritten neu ein. Wenn nicht, setzen Sie Ihr Passwort zurück und fragen Sie die Betreiber von {product} nach dem Grund.",
    },
    factors_taken_back: {
      subject: "Die Anmeldung in zwei Schritten ist bei {product} wieder aus",
      lead: "Authenticator-App, Passkeys und Wiederherstellungscodes wurden aus Ihrem Konto bei {product} entfernt, mit dem Link der Mail, die davon berichtet hat, und ein neues Passwort wurde gewählt. Alle Geräte wurden abgemeldet.",
      button: "Anmelden",
      otherwise:
        "Waren Sie das, melden Sie sich an und sehen Sie Ihre verknüpften Anmeldungen durch. Richten Sie danach selbst die Anmeldung in zwei Schritten ein. Wenn nicht, liest jemand Ihre Mails: Sichern Sie zuerst das Postfach und setzen Sie dann das Passwort zurück.",
    },
    email_change_undone: {
      subject: "Die E-Mail-Adresse Ihres Kontos bei {product} wurde zurückgeändert",
      lead: "Das Konto bei {product} mit dieser E-Mail-Adresse hat wieder seine frühere Adresse. Wem jenes Postfach gehört, hat die Änderung zurückgenommen. Mit dieser Adresse kann sich niemand mehr anmelden.",
      otherwise: "Haben Sie das nicht erwartet, melden Sie sich mit der früheren Adresse an.",
    },
    username_changed: {
      subject: "Ihr Benutzername bei {product} wurde geändert",
      lead: "Der Name, mit dem Sie sich bei {product} anmelden, wurde geändert. Der bisherige gilt nicht mehr, und 30 Tage lang bekommt ihn niemand anderes.",
      button: "Passwort zurücksetzen",
      otherwise: "Waren Sie das, müssen Sie nichts tun. Wenn nicht, setzen Sie Ihr Passwort sofort zurück.",
    },
    take_back_ended: {
      subject: "Ein Link zu Ihrem Konto bei {product} gilt nicht mehr",
      lead: "Wir hatten Ihnen einen Link geschickt, der die Anmeldung in zwei Schritten bei Ihrem Konto von {product} zurücknimmt. Jemand, der angemeldet ist und den zweiten Schritt benutzt hat, hat ihn beendet.",
      button: "Passwort zurücksetzen",
      otherwise:
        "Waren Sie das, müssen Sie nichts tun. Wenn nicht, setzen Sie das Passwort jetzt zurück: In der ersten Woche wird dabei entfernt, was eingerichtet wurde.",
    },
    identity_linked: {
      subject: "Eine Anmeldung wurde mit Ihrem Konto bei {product} verknüpft",
      lead: "{about} wurde mit Ihrem Konto bei {product} verknüpft. Wer sich dort anmeldet, ist auch hier angemeldet.",
      button: "Konto ansehen",
      validity:
        "Sie können das bis {until} zurücknehmen. Sie wählen dann ein neues Passwort, alle Geräte werden abgemeldet, und die Verknüpfung wird entfernt.",
      otherwise: "Waren Sie das, müssen Sie nichts tun. Wenn nicht, kennt jemand Ihr Passwort: Nehmen Sie es zurück.",
      reject: "Das war ich nicht",
    },
    identity_unlinked: {
      subject: "Eine Anmeldung wurde von Ihrem Konto bei {product} getrennt",
      lead: "{about} wurde von Ihrem Konto bei {product} getrennt und öffnet es nicht mehr.",
      button: "Passwort zurücksetzen",
      otherwise: "Waren Sie das, ist alles in Ordnung. Wenn nicht, setzen Sie das Passwort sofort zurück.",
    },
  },
};
