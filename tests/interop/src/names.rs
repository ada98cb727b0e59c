//! What Burn's filters and remappings make of names.
//!
//! Each line of stdin is a JSON object: `paths`, `patterns` and `all` make a filter, `renames` a remapping of
//! pairs, `indices` says whether gaps are closed up, and `names` is what they are asked about.

use std::io::{self, BufRead as _};
use std::path::Path;

use burn_pack::{Bytes, DType, Tensor};
use burn_store::{KeyRemapper, PathFilter, map_indices_contiguous};
use serde_json::{Value, json};

use crate::report::{self, Outcome};

/// Answer each line of stdin by one line.
pub fn run() -> Outcome<()> {
    report::silence_panics();
    for line in io::stdin().lock().lines() {
        let asked: Value = serde_json::from_str(&line?)?;
        report::about(Path::new(""), || answer(&asked))?;
    }
    Ok(())
}

fn answer(asked: &Value) -> Outcome<Value> {
    let mut filter = PathFilter::new()
        .with_regexes(texts(&asked["patterns"]))
        .with_full_paths(texts(&asked["paths"]));
    if asked["all"] == json!(true) {
        filter = filter.match_all();
    }
    let mut remapper = KeyRemapper::new();
    for pair in asked["renames"].as_array().into_iter().flatten() {
        remapper = remapper
            .add_pattern(texts(pair)[0], texts(pair)[1])
            .map_err(|error| error.to_string())?;
    }
    let names = texts(&asked["names"]);
    let (mut tensors, mut pairs) = remapper.remap(names.iter().map(|name| empty(name)).collect());
    if asked["indices"] == json!(true) {
        (tensors, pairs) = map_indices_contiguous(tensors);
    }
    Ok(json!({
        "text": filter.to_string(),
        "count": filter.criteria_count(),
        "matches": names.iter().map(|name| filter.matches(name)).collect::<Vec<bool>>(),
        "renamed": tensors.into_iter().map(|tensor| tensor.name).collect::<Vec<String>>(),
        "pairs": pairs,
    }))
}

fn texts(value: &Value) -> Vec<&str> {
    let listed = value.as_array().into_iter().flatten();
    listed.filter_map(Value::as_str).collect()
}

fn empty(name: &str) -> Tensor {
    let bytes = Bytes::from_bytes_vec(Vec::new());
    Tensor::new(name.to_string(), DType::F32, [0], None, bytes)
}
