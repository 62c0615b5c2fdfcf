-- Everything a property's pages show, one row a property; `document` is the folded property as JSON.
create table inventory_page (
  id text collate "C" primary key,
  status text collate "C" not null,
  kind text collate "C" not null,
  country text collate "C" not null,
  region text collate "C" not null,
  listed_at bigint not null,
  document bytea not null
);
create index inventory_page_region on inventory_page (region, status);
create index inventory_page_kind on inventory_page (kind, status);

-- Every name a property or a room ever had in an address, and the id it had in its feed. `root` is the property.
create table inventory_name (
  name text collate "C" primary key,
  inventory text collate "C" not null,
  root text collate "C" not null
);

-- Rooms taken of the stock: held until `expires_at` (null: until the payment settles), or sold.
create table inventory_taken (
  room text collate "C" not null,
  payment text collate "C" not null,
  expires_at bigint,
  sold bigint not null,
  primary key (room, payment)
);
