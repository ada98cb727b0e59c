//! What Burn's stores write and take of a model by the options that they are given.
//!
//! Each line of stdin is a JSON object: `model` says which, `file` where, and `options` is a list of
//! [option, argument...]. What is asked is in `do`: "save", "load".

use std::io::{self, BufRead as _};
use std::path::Path;

use burn_store::{
    BurnToPyTorchAdapter, BurnpackStore, KeyRemapper, ModuleSnapshot, PathFilter,
    PyTorchToBurnAdapter, SafetensorsStore,
};
use serde_json::{Value, json};

use crate::models::{self, Work};
use crate::report::{self, Outcome};

/// Answer each line of stdin by one line.
pub fn run() -> Outcome<()> {
    report::silence_panics();
    for line in io::stdin().lock().lines() {
        let asked: Value = serde_json::from_str(&line?)?;
        let path = text(&asked["file"]);
        report::about(Path::new(&path), || {
            models::with(&text(&asked["model"]), &Ask { asked: &asked })
        })?;
    }
    Ok(())
}

struct Ask<'a> {
    asked: &'a Value,
}

impl Work for Ask<'_> {
    fn with<M: ModuleSnapshot>(&self, mut module: M) -> Outcome<Value> {
        let path = text(&self.asked["file"]);
        let done = match path.ends_with(".bpk") {
            true => {
                let mut store = BurnpackStore::from_file(&path);
                for option in options(self.asked) {
                    store = burnpack(store, &option);
                }
                ask(&mut module, &mut store, self.asked)
            }
            false => {
                let mut store = SafetensorsStore::from_file(&path);
                for option in options(self.asked) {
                    store = safetensors(store, &option);
                }
                ask(&mut module, &mut store, self.asked)
            }
        };
        done
    }
}

fn ask<M: ModuleSnapshot, S: burn_store::ModuleStore>(
    module: &mut M,
    store: &mut S,
    asked: &Value,
) -> Outcome<Value> {
    if asked["do"] == json!("save") {
        module.save_into(store).map_err(|error| error.to_string())?;
        return Ok(json!({ "saved": true }));
    }
    let result = module.load_from(store).map_err(|error| error.to_string())?;
    Ok(json!({ "applied": result.applied, "skipped": result.skipped }))
}

fn options(asked: &Value) -> Vec<Vec<String>> {
    let listed = asked["options"].as_array().into_iter().flatten();
    listed
        .map(|option| option.as_array().into_iter().flatten().map(text).collect())
        .collect()
}

fn burnpack(store: BurnpackStore, option: &[String]) -> BurnpackStore {
    match option[0].as_str() {
        "empty_filter" => store.with_filter(PathFilter::new()),
        "regex" => store.with_regex(&option[1]),
        "rename" => store.with_remap_pattern(&option[1], option[2].as_str()),
        "to_pytorch" => store.with_to_adapter(BurnToPyTorchAdapter),
        "from_pytorch" => store.with_from_adapter(PyTorchToBurnAdapter),
        "partial" => store.allow_partial(true),
        "overwrite" => store.overwrite(true),
        other => panic!("no option called {other}"),
    }
}

fn safetensors(store: SafetensorsStore, option: &[String]) -> SafetensorsStore {
    match option[0].as_str() {
        "empty_filter" => store.filter(PathFilter::new()),
        "regex" => store.with_regex(&option[1]),
        "rename" => store.remap(
            KeyRemapper::new()
                .add_pattern(&option[1], option[2].as_str())
                .expect("a pattern"),
        ),
        "to_pytorch" => store.with_to_adapter(BurnToPyTorchAdapter),
        "from_pytorch" => store.with_from_adapter(PyTorchToBurnAdapter),
        "partial" => store.allow_partial(true),
        "overwrite" => store.overwrite(true),
        other => panic!("no option called {other}"),
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_string()
}
