-- The tables of an archive. Those of the first part are made of events alone (see
-- `event`), so that they can be made again from the WARC files; times are
-- milliseconds since 1970, UTC. `ids` are given in the order of the events.

CREATE TABLE feeds (
    id INTEGER PRIMARY KEY,
    url TEXT NOT NULL UNIQUE,
    added INTEGER NOT NULL,
    state TEXT NOT NULL,             -- active, paused, ended, removed
    typed INTEGER NOT NULL DEFAULT 1,   -- a person gave this address, no redirect
    title TEXT NOT NULL DEFAULT '',
    why TEXT NOT NULL DEFAULT '',    -- of `ended` and `paused`
    listed_title TEXT NOT NULL DEFAULT '',  -- what a list says of it
    listed_home TEXT,
    folders TEXT NOT NULL DEFAULT '[]',     -- JSON: paths of names
    rules TEXT NOT NULL DEFAULT '{}',       -- JSON: see `feed::ItemRules`
    named TEXT NOT NULL                     -- its name in those of its entries: its first address
) STRICT;

-- The answers of feeds that were kept.
CREATE TABLE answers (
    id INTEGER PRIMARY KEY,
    feed INTEGER NOT NULL REFERENCES feeds(id),
    at INTEGER NOT NULL,
    file INTEGER NOT NULL, place INTEGER NOT NULL, length INTEGER NOT NULL
) STRICT;
CREATE INDEX answers_feed ON answers(feed, id);

-- Feeds that moved or ended.
CREATE TABLE notices (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,              -- see `EventKind`
    feed TEXT NOT NULL,              -- its address then
    why TEXT NOT NULL                -- where it moved, or why it ended
) STRICT;

CREATE TABLE items (
    feed INTEGER NOT NULL REFERENCES feeds(id),
    item TEXT NOT NULL,              -- its name: see `item_names`
    entry TEXT NOT NULL,             -- the name of its entry in served feeds, for ever
    page INTEGER REFERENCES pages(id),  -- NULL: it links to none
    link TEXT NOT NULL,              -- empty without one
    title TEXT NOT NULL,
    summary TEXT NOT NULL,
    published TEXT,
    authors TEXT NOT NULL,           -- JSON: names
    tags TEXT NOT NULL,              -- JSON: categories
    image TEXT,
    digest TEXT NOT NULL,
    first_seen INTEGER NOT NULL,
    answer INTEGER REFERENCES answers(id),  -- the one that says this; NULL: it was not kept
    number INTEGER NOT NULL UNIQUE,  -- of its entry, for ever: see `item_names`
    PRIMARY KEY (feed, item)
) STRICT, WITHOUT ROWID;
CREATE INDEX items_page ON items(page, digest);

CREATE TABLE pages (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    url TEXT NOT NULL,
    site TEXT NOT NULL,
    first_seen INTEGER NOT NULL,
    article INTEGER REFERENCES articles(id),
    visits INTEGER NOT NULL DEFAULT 0,
    failures INTEGER NOT NULL DEFAULT 0,  -- in a row
    next_visit INTEGER,                   -- NULL: not again, unless its feed says something new
    named INTEGER NOT NULL DEFAULT 0,     -- by a feed that neither rests nor was removed; others are not visited
    last_visit INTEGER,
    status TEXT,
    sha256 TEXT,
    etag TEXT,
    last_modified TEXT,
    raw INTEGER REFERENCES fetches(id)    -- the visit that brought its bytes
) STRICT;
CREATE INDEX pages_due ON pages(next_visit) WHERE next_visit IS NOT NULL AND named = 1;
CREATE INDEX pages_new ON pages(id) WHERE visits = 0 AND next_visit IS NOT NULL AND named = 1;
CREATE INDEX pages_article ON pages(article);
CREATE INDEX pages_site ON pages(site, last_visit);

CREATE TABLE fetches (
    id INTEGER PRIMARY KEY,
    page INTEGER NOT NULL REFERENCES pages(id),
    url TEXT NOT NULL,
    at INTEGER NOT NULL,
    http_status INTEGER,
    kind TEXT NOT NULL,              -- response, resource, revisit, failed
    record TEXT NOT NULL DEFAULT '', -- its id
    sha256 TEXT,
    content_type TEXT,
    status TEXT NOT NULL,
    confidence REAL,
    error TEXT,
    digest TEXT,                     -- of its payload, as the record states it
    file INTEGER, place INTEGER, length INTEGER
) STRICT;
CREATE INDEX fetches_page ON fetches(page);

CREATE TABLE articles (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    url TEXT NOT NULL,
    site TEXT NOT NULL,
    first_seen INTEGER NOT NULL,
    versions INTEGER NOT NULL DEFAULT 0,
    latest INTEGER,                  -- versions.id
    dated INTEGER NOT NULL DEFAULT 0,   -- published, but not after it was first seen
    text_sha256 TEXT NOT NULL
) STRICT;
CREATE INDEX articles_text ON articles(site, text_sha256);
CREATE INDEX articles_order ON articles(site, first_seen, key);
CREATE INDEX articles_dated ON articles(dated DESC);

CREATE TABLE versions (
    id INTEGER PRIMARY KEY,
    article INTEGER NOT NULL REFERENCES articles(id),
    number INTEGER NOT NULL,
    at INTEGER NOT NULL,
    raw INTEGER REFERENCES fetches(id),
    text_sha256 TEXT NOT NULL,
    words INTEGER NOT NULL,
    status TEXT NOT NULL,
    wrapper TEXT,                    -- sha256 of its file
    record TEXT NOT NULL,            -- the article's record as JSON, without its text
    file INTEGER, place INTEGER, length INTEGER,   -- its text
    changed INTEGER NOT NULL,        -- grows with each new version and each new reading of one
    pictured INTEGER NOT NULL,       -- 0: its pictures were not asked for, 1: they came or failed, 2: it has none
    UNIQUE (article, number)
) STRICT;
CREATE INDEX versions_at ON versions(at);
CREATE INDEX versions_changed ON versions(changed);
CREATE INDEX versions_pictured ON versions(pictured, at);

-- Visits whose reading is doubtful: see `doubts`.
CREATE TABLE doubts (
    id INTEGER PRIMARY KEY,
    site TEXT NOT NULL,
    article INTEGER NOT NULL REFERENCES articles(id),
    raw INTEGER NOT NULL REFERENCES fetches(id),
    at INTEGER NOT NULL,
    wrapper TEXT                     -- of the latest version then: sha256 of its file
) STRICT;
CREATE INDEX doubts_site ON doubts(site, id);
CREATE INDEX doubts_article ON doubts(article, at);

-- The further pages that a version was read on.
CREATE TABLE parts (
    version INTEGER NOT NULL REFERENCES versions(id),
    nth INTEGER NOT NULL,
    page INTEGER NOT NULL REFERENCES pages(id),
    fetch INTEGER REFERENCES fetches(id),   -- NULL: it could not be had yet
    PRIMARY KEY (version, nth)
) STRICT, WITHOUT ROWID;
CREATE INDEX parts_page ON parts(page);

-- Pictures, style sheets and fonts, as they came.
CREATE TABLE requisites (
    id INTEGER PRIMARY KEY,
    url TEXT NOT NULL,               -- by which a page names it
    target TEXT NOT NULL,            -- that answered
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,              -- response, revisit
    record TEXT NOT NULL,            -- its id
    sha256 TEXT NOT NULL,
    extension TEXT NOT NULL,
    digest TEXT NOT NULL,            -- of its payload, as the record states it
    file INTEGER NOT NULL, place INTEGER NOT NULL, length INTEGER NOT NULL
) STRICT;
CREATE INDEX requisites_url ON requisites(url);
CREATE INDEX requisites_sha256 ON requisites(sha256);

-- The pictures of a version.
CREATE TABLE pictures (
    version INTEGER NOT NULL REFERENCES versions(id),
    nth INTEGER NOT NULL,
    url TEXT NOT NULL,
    sha256 TEXT,                     -- NULL: it could not be had
    extension TEXT,
    PRIMARY KEY (version, nth)
) STRICT, WITHOUT ROWID;

CREATE TABLE wrappers (
    id INTEGER PRIMARY KEY,
    site TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    yaml TEXT NOT NULL,
    since INTEGER NOT NULL,
    until INTEGER,
    why TEXT NOT NULL
) STRICT;
CREATE INDEX wrappers_site ON wrappers(site, id);

CREATE TABLE verdicts (
    id INTEGER PRIMARY KEY,
    site TEXT NOT NULL,
    at INTEGER NOT NULL,
    verdict TEXT NOT NULL,
    why TEXT NOT NULL
) STRICT;
CREATE INDEX verdicts_site ON verdicts(site, id);

-- All records of pages, and of imports: what is here is not imported again.
CREATE TABLE records (
    id TEXT PRIMARY KEY,
    file INTEGER NOT NULL, place INTEGER NOT NULL, length INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE forgotten (digest TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;

-- What the latest kept answer of a feed says, if that is a feed: of the feed itself, and its
-- items in their order. Read from the answers (see `latest`), not from the events.
CREATE TABLE profiles (
    feed INTEGER PRIMARY KEY REFERENCES feeds(id),
    answer INTEGER NOT NULL REFERENCES answers(id),
    at INTEGER NOT NULL,
    title TEXT NOT NULL,
    description TEXT,
    home TEXT,
    image TEXT,
    language TEXT,
    is_sitemap INTEGER NOT NULL
) STRICT;

CREATE TABLE latest_items (
    feed INTEGER NOT NULL REFERENCES feeds(id),
    nth INTEGER NOT NULL,            -- from 0
    item TEXT NOT NULL,              -- its name
    entry TEXT NOT NULL,
    fields BLOB NOT NULL,            -- JSON, deflated
    PRIMARY KEY (feed, nth)
) STRICT;

-- Up to where the WARC files are in the tables above.
CREATE TABLE files (file INTEGER PRIMARY KEY, length INTEGER NOT NULL) STRICT;

-- The second part: what is lost without harm. A feed is asked once more, a site is
-- watched anew.

CREATE TABLE polls (
    feed INTEGER PRIMARY KEY REFERENCES feeds(id),
    last INTEGER,
    success INTEGER,
    next INTEGER,
    rhythm TEXT,                     -- JSON: see `harvest::schedule`
    failures INTEGER NOT NULL DEFAULT 0,
    error TEXT,
    etag TEXT,
    last_modified TEXT,
    sha256 TEXT,
    moved TEXT                       -- JSON: see `harvest::moved`
) STRICT;
CREATE INDEX polls_next ON polls(next);
CREATE INDEX polls_last ON polls(last);

-- Servers that asked to be left alone for a while.
CREATE TABLE rests (origin TEXT PRIMARY KEY, until INTEGER NOT NULL) STRICT, WITHOUT ROWID;

-- What robots.txt of an origin said.
CREATE TABLE robots (origin TEXT PRIMARY KEY, at INTEGER NOT NULL, text BLOB NOT NULL) STRICT;
CREATE INDEX robots_at ON robots(at);

CREATE TABLE watches (site TEXT PRIMARY KEY, state TEXT NOT NULL) STRICT, WITHOUT ROWID;

PRAGMA user_version = 11;
