MODEL (
  name frozen.prices,
  kind SEED (path '../../seeds/prices.csv'),
  description 'Dated list prices by model and token class. Grain: snapshot, model, token_class.',
  columns (
    snapshot TEXT,
    model TEXT,
    token_class TEXT,
    usd_per_million_tokens DOUBLE,
    dated_on TEXT,
    is_proxy BIGINT,
    zero_price_reason TEXT,
    source TEXT
  ),
  column_descriptions (
    snapshot = 'name of the snapshot',
    model = 'exact model',
    token_class = 'input, cached_input, cache_write or output',
    usd_per_million_tokens = 'list price, USD per 1e6 tokens',
    dated_on = 'date of the snapshot',
    is_proxy = '1 when it is the price of another model standing in',
    zero_price_reason = 'why a price of zero is right',
    source = 'where the price was read'
  ),
  grain (snapshot, model, token_class),
  audits (
    unique_grain(columns := (snapshot, model, token_class)),
    not_null(columns := (snapshot, model, token_class))
  )
);
