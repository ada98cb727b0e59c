"""A model's report as one HTML page: its parts find facts, `page` joins them."""
