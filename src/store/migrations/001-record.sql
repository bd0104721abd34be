-- The record of Gavel. Values of ours are json, not jsonb: kept byte for byte, and texts of others may hold \u0000.

CREATE TABLE gavel.deliveries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  hook_id text NOT NULL,
  delivery_id text NOT NULL,
  event text NOT NULL,
  action text,
  payload json NOT NULL,
  received_at timestamptz NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  -- Not to be taken before: a claim moves it into the future, a failure moves it by its back-off.
  due_at timestamptz NOT NULL DEFAULT now(),
  claim uuid,
  done_at timestamptz,
  failed_at timestamptz,
  error text,
  UNIQUE (hook_id, delivery_id)
);
CREATE INDEX deliveries_open ON gavel.deliveries (id) WHERE done_at IS NULL AND failed_at IS NULL;

CREATE TABLE gavel.chains (
  id text PRIMARY KEY,
  -- The order in which chains were opened.
  place bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  hook_id text NOT NULL,
  delivery_id text NOT NULL,
  repository_id bigint NOT NULL,
  item_number integer NOT NULL,
  trigger json NOT NULL,
  pinned json NOT NULL,
  next_sequence integer NOT NULL DEFAULT 0,
  started_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  outcome text,
  UNIQUE (hook_id, delivery_id)
);
-- The slot: one chain at a time for an item. It is free as soon as its chain has an end.
CREATE UNIQUE INDEX chains_slot ON gavel.chains (repository_id, item_number) WHERE ended_at IS NULL;
CREATE INDEX chains_of_item ON gavel.chains (repository_id, item_number, place);

CREATE TABLE gavel.events (
  chain_id text NOT NULL REFERENCES gavel.chains (id),
  sequence integer NOT NULL,
  key text NOT NULL,
  at timestamptz NOT NULL,
  event json NOT NULL,
  PRIMARY KEY (chain_id, sequence),
  UNIQUE (chain_id, key)
);

CREATE TABLE gavel.decisions (
  chain_id text NOT NULL REFERENCES gavel.chains (id),
  -- The last event that was seen; -1 where there was none.
  sequence integer NOT NULL,
  decision json NOT NULL,
  version text NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (chain_id, sequence)
);

CREATE TABLE gavel.blobs (
  chain_id text NOT NULL REFERENCES gavel.chains (id),
  name text NOT NULL,
  bytes_raw integer NOT NULL,
  -- Deflated by us.
  data bytea NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (chain_id, name)
);
ALTER TABLE gavel.blobs ALTER COLUMN data SET STORAGE EXTERNAL;

CREATE TABLE gavel.spending (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  chain_id text NOT NULL REFERENCES gavel.chains (id),
  role text NOT NULL,
  run integer NOT NULL,
  turn integer NOT NULL,
  model text NOT NULL,
  tokens_max bigint NOT NULL,
  -- NULL: unknown, which is never free.
  usd_max numeric,
  reserved_at timestamptz NOT NULL DEFAULT now(),
  settled_at timestamptz,
  input_tokens bigint,
  output_tokens bigint,
  cached_input_tokens bigint,
  usd numeric
);
CREATE INDEX spending_of_chain ON gavel.spending (chain_id);

-- Processes that work on this database, each alive until its lease runs out.
CREATE TABLE gavel.executors (
  id text PRIMARY KEY,
  host text NOT NULL,
  pid integer NOT NULL,
  state text NOT NULL DEFAULT 'live',
  started_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
