/**
 * Password hashes and their passwords, made by the libraries of the systems that they stand for: Django 5.2 and passlib 1.7, Go's bcrypt
 * (which PocketBase and Supabase use), Keycloak 18 to 26, and the example that Firebase publishes with its variant of scrypt.
 */
export const foreignHashes: readonly { readonly name: string; readonly password: string; readonly hash: string }[] = [
  {
    name: "Django, PBKDF2 with SHA-256",
    password: "a long walk by the sea",
    hash: "pbkdf2_sha256$1000000$rWuoT7tdJbPsJzHrLiaDkl$AfOTiPWBmWcR4wh9YdWuOjT351+B/1RJonmtVSkc9KI=",
  },
  {
    name: "Django, PBKDF2 with SHA-1",
    password: "a long walk by the sea",
    hash: "pbkdf2_sha1$1000000$6sKBi8vrdTY8MNa1LpvsOt$dTLdIzjhmzJyfYfikbphvxyYAH0=",
  },
  {
    name: "Django, Argon2",
    password: "a long walk by the sea",
    hash: "argon2$argon2id$v=19$m=102400,t=2,p=8$U1dVVE9xZnpUS2NYSlJrWkFnSTdVeA$whAsvHEItoW/hfKL+bR2CxCzKJ/uKPTULrlGxkMKazo",
  },
  {
    name: "Django, bcrypt of a SHA-256",
    password: "a long walk by the sea",
    hash: "bcrypt_sha256$$2b$12$0EHXsJeLmsl9aEqE5agUxu8APug.UUjM5DoKaudgFMhtPJa9BHdy2",
  },
  {
    name: "Django, bcrypt",
    password: "a long walk by the sea",
    hash: "bcrypt$$2b$12$3vavSRNDBHLO9LMGs1zY..4ggmZZESxa5G/1k2d45raLjQRYTYI3y",
  },
  {
    name: "Django, scrypt",
    password: "a long walk by the sea",
    hash: "scrypt$16384$xEZsjnSAQrjG85pRg4NyVt$8$5$lApdKtI7FKrCMN1obtcyvQn5aUpwqgT34FPTDx+prSLb+pfVblVo3iWRKQ4paXMfupvzLdbFZ7hC0Bus+VtKJA==",
  },
  {
    name: "passlib, PBKDF2 with SHA-256",
    password: "a long walk by the sea",
    hash: "$pbkdf2-sha256$20000$fc/ZG0MoJUToHQPA.J8Twg$l8pLwXaoGIXpZ1UscxhWK8K43hrBqwBXfJcQAQ18OgM",
  },
  {
    name: "passlib, PBKDF2 with SHA-512",
    password: "a long walk by the sea",
    hash: "$pbkdf2-sha512$20000$ee.9t/YeA.A8J2SMUYrRWg$04z0JHJ1C5Hut8RRw/MquOxmucbdYS3IY.HeMFfH2q7sbCx3GWgJINjvmeP1m6F4hD152TeP2mvFD6QV4hcNqg",
  },
  {
    name: "passlib, PBKDF2 with SHA-1",
    password: "a long walk by the sea",
    hash: "$pbkdf2$20000$t9a61xrDOOdcqxWC8H5P6Q$o8cqVeCNg8yI3IpzgmrSpqt39lM",
  },
  {
    name: "passlib, scrypt",
    password: "a long walk by the sea",
    hash: "$scrypt$ln=14,r=8,p=1$AsDY29vbO0dozbm3tpbyfg$hjE/ZSMDs1g4D6QZcr2c283yNJueXpxsY/1mKsG/J1I",
  },
  {
    name: "passlib, Argon2i",
    password: "a long walk by the sea",
    hash: "$argon2i$v=19$m=8192,t=2,p=2$1Rqj1Dqn1DqnVAqhtLaW8g$joT4NTbUzCSCJ9DEpS1Unk90A9JWFVhyElWG0CNlanY",
  },
  {
    name: "passlib, Argon2d",
    password: "a long walk by the sea",
    hash: "$argon2d$v=19$m=8192,t=2,p=1$LGXsnRPCWGtNCeF8DwFgDA$HQ+btNAy9udEA7fqjxgywnAoF5O5O9/I+l73De9wGkw",
  },
  {
    name: "PocketBase and Supabase, bcrypt of Go",
    password: "a long walk by the sea",
    hash: "$2a$10$Q1t13EvbFsx5PafRqwfxpumFGHMiGxW7/2UiENtvJMrlEOaHznbju",
  },
  {
    name: "Go, bcrypt of 72 bytes",
    password: "éééééééééééééééééééééééééééééééééééé",
    hash: "$2a$10$3Y.cx6keue0CkycsqRTYSuypvRQs5rFofVUdavb4AX.8wlgV45fnq",
  },
  {
    name: "Keycloak, PBKDF2 with SHA-256",
    password: "user1",
    hash: "$pbkdf2-sha256$i=27500,l=64$H1Yjwf5UUIip/deJSkNJ+Q$gI7lGJLNUQfn6xcMUtLp0XnOIF3JdaoAj8IogosYZsDg4Q5cFxG5JkJrKZpR7mIG5MxlH346ikZKsiZovvFKDQ",
  },
  {
    name: "Keycloak, PBKDF2 with SHA-512",
    password: "password",
    hash: "$pbkdf2-sha512$i=210000,l=64$JaBKqx57IIB/dLDTpWBu+Q==$5IL4kCCyOerhaEHfdK1BbjYxO6HitYLRtJOxwD8MUZH5wCgc1edmf35rWiP9sRxEwnQDstxch8twKh08Usi1fQ==",
  },
  {
    name: "Firebase, scrypt as Supabase writes it",
    password: "user1password",
    hash: "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==",
  },
  {
    name: "Keycloak, Argon2id",
    password: "secret",
    hash: "$argon2id$v=19$m=7168,t=5,p=1$LRScGShC7shkdoU5B1UgUQ$xKjWvB9+0sSP6wTqI1JoEI7w+iA0x9VDhPgmrOHRG80",
  },
];
