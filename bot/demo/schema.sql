CREATE TABLE regions ( -- Sales regions; every customer belongs to one
  region_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE, -- Name of the region
  opened_on DATE NOT NULL -- Day on which the company began to sell there
);

CREATE TABLE products ( -- Everything that was ever sold
  product_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE, -- Product name
  category TEXT NOT NULL, -- Furniture, Hardware, Lighting, Paper, Software or Supplies
  unit_cost DECIMAL(10,2) NOT NULL, -- What one unit costs the company, in EUR
  list_price DECIMAL(10,2) NOT NULL, -- Price of one unit when it was launched, in EUR
  launched_on DATE NOT NULL, -- First day on sale
  is_active BOOLEAN NOT NULL -- 0 when it is no longer sold
);

CREATE TABLE customers ( -- Companies that buy; all names are made up
  customer_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL, -- Company name
  region_id INTEGER NOT NULL REFERENCES regions (region_id),
  country TEXT NOT NULL, -- Country of the head office
  industry TEXT, -- NULL where the customer did not say
  "accountTier" TEXT NOT NULL, -- Basic, Plus or Enterprise; mixed case, so PostgreSQL wants quotes
  acquisition_channel TEXT NOT NULL, -- How the customer was won
  signed_up_on DATE NOT NULL -- Day on which the account was opened
);

CREATE TABLE orders ( -- One row an order
  order_id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers (customer_id),
  ordered_at DATETIME NOT NULL, -- Moment of the order, UTC
  channel TEXT NOT NULL, -- web, phone, partner or marketplace
  status TEXT NOT NULL, -- delivered, returned or cancelled
  shipped_on DATE, -- NULL when it was cancelled before it left
  order_total DECIMAL(12,2) NOT NULL -- Sum of the revenue of its lines, in EUR
);

CREATE TABLE order_lines ( -- One row for each product of an order
  order_line_id INTEGER PRIMARY KEY,
  order_id INTEGER NOT NULL REFERENCES orders (order_id),
  product_id INTEGER NOT NULL REFERENCES products (product_id),
  quantity INTEGER NOT NULL, -- Units ordered
  unit_price DECIMAL(10,2) NOT NULL, -- Price of one unit on that day, before discount, in EUR
  discount DECIMAL(4,2) NOT NULL, -- Share taken off: 0.10 is 10 %
  revenue DECIMAL(12,2) NOT NULL -- Net revenue in EUR: quantity x unit price less discount; 0 when cancelled
);

CREATE TABLE refunds ( -- Money given back
  refund_id INTEGER PRIMARY KEY,
  order_id INTEGER NOT NULL REFERENCES orders (order_id),
  requested_on TEXT NOT NULL, -- Day of the request as text, DD/MM/YYYY
  refunded_on DATE, -- Day of the payment; NULL while it is open
  reason TEXT NOT NULL, -- Why the customer wanted it
  amount DECIMAL(12,2) NOT NULL -- Amount in EUR
);

CREATE TABLE subscriptions ( -- Service plans; at most one a customer
  subscription_id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL UNIQUE REFERENCES customers (customer_id),
  plan TEXT NOT NULL, -- Care, Care Plus or Care Premium
  monthly_fee DECIMAL(10,2) NOT NULL, -- Fee a month in EUR
  started_on DATE NOT NULL, -- First day
  ended_on DATE, -- Day on which it churned; NULL while it runs
  end_reason TEXT -- Why it ended; NULL while it runs
);

CREATE TABLE support_tickets ( -- Questions and complaints of customers
  ticket_id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers (customer_id),
  opened_at DATETIME NOT NULL, -- Moment it came in, UTC
  closed_at DATETIME, -- NULL while it is open
  topic TEXT NOT NULL, -- billing, delivery, defect, login or other
  priority TEXT NOT NULL, -- low, normal or high; some rows are written in capitals
  satisfaction INTEGER -- 1 (bad) to 5 (good); NULL where the customer did not answer
);

CREATE TABLE sales_targets ( -- Planned revenue by region and month
  region_id INTEGER NOT NULL REFERENCES regions (region_id),
  month DATE NOT NULL, -- First day of the month
  target DECIMAL(12,2) NOT NULL, -- Planned revenue in EUR
  PRIMARY KEY (region_id, month)
);
