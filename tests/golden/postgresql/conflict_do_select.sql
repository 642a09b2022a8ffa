INSERT INTO users (mail) SELECT mail FROM signups
ON CONFLICT (mail) DO SELECT FOR UPDATE WHERE users.mail <> '' RETURNING id, mail;
