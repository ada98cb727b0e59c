"""Small models, and values for layers."""
