-- Everything a property's pages show, one row a property; `document` is the folded property as JSON.
create table inventory_page (
  id text primary key,
  status text not null,
  kind text not null,
  country text not null,
  region text not null,
  listed_at integer not null,
  document blob not null
);
create index inventory_page_region on inventory_page (region, status);
create index inventory_page_kind on inventory_page (kind, status);

-- Every name a property or a room ever had in an address, and the id it had in its feed. `root` is the property.
create table inventory_name (
  name text primary key,
  inventory text not null,
  root text not null
) without rowid;

-- Rooms taken of the stock: held until `expires_at` (null: until the payment settles), or sold.
create table inventory_taken (
  room text not null,
  payment text not null,
  expires_at integer,
  sold integer not null,
  primary key (room, payment)
) without rowid;
