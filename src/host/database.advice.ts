/** What mends a database that can't be opened, by what the drivers say of it. */
const advices: readonly (readonly [said: RegExp, advice: string])[] = [
  [
    /EROFS|read-only file system/i,
    "see why its disk is read-only (findmnt -T /var/lib/gatehouse, dmesg), then mount -o remount,rw",
  ],
  [/EACCES|permission denied/i, "chown -R gatehouse:gatehouse /var/lib/gatehouse"],
  [/the disk is full|ENOSPC/i, "make room on its disk (du -axh /var/lib/gatehouse | sort -h | tail)"],
  [
    /does not exist: is DB_DATABASE right/,
    "put the file or its volume back, or correct DB_DATABASE; gatehouse backup:restore brings it back from a backup",
  ],
  [/CONNECTION_REFUSED|nothing listens/, "start the server (systemctl status postgresql), or correct DB_URL"],
  [
    /\(28000\)/,
    "let this user and address in by pg_hba.conf of the server, over TLS, and reload it; or correct DB_URL",
  ],
  [
    /\(28P01\)/,
    "correct the password in /etc/credstore/gatehouse.DB_URL, or set it at the server (\\password in psql)",
  ],
  [/\(53300\)/, "raise max_connections of the server, or the user's limit, or lower DB_POOL"],
  [/\((?:42501|3D000)\)/, "do what it says at the server, as its superuser, or correct DB_URL"],
  [/certificate|ERR_TLS/i, "see sslmode and sslrootcert in DB_URL, and the certificate of the server"],
];

/** Returns what mends a database of which this was said; undefined where nothing particular does. */
export const databaseAdvice = (said: string): string | undefined =>
  advices.find(([pattern]) => pattern.test(said))?.[1];
