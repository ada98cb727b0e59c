//! What Burn's readers see in files.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use burn_pack::{Reader, Tensor};
use burn_store::{ModuleStore, SafetensorsStore};
use serde_json::{Map, Value, json};

use crate::report::{self, Outcome};

/// Report on each file: on stdin's lines where no path is given.
pub fn run(paths: &[&str]) -> Outcome<()> {
    report::silence_panics();
    if paths.is_empty() {
        for line in io::stdin().lines() {
            one(Path::new(&line?))?;
        }
    }
    for path in paths {
        for file in files(Path::new(path))? {
            one(&file)?;
        }
    }
    Ok(())
}

/// The files in a folder, by name; a path that is none is all there is.
pub fn files(path: &Path) -> io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let entries: io::Result<Vec<_>> = path.read_dir()?.map(|entry| Ok(entry?.path())).collect();
    let mut found: Vec<_> = entries?.into_iter().filter(|file| file.is_file()).collect();
    found.sort();
    Ok(found)
}

fn one(path: &Path) -> io::Result<()> {
    if is_safetensors(path) {
        report::about(path, || safetensors(path))
    } else {
        report::about(path, || burnpack(path))
    }
}

fn is_safetensors(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "safetensors")
}

fn burnpack(path: &Path) -> Outcome<Value> {
    let reader = Reader::from_file_exact(path)?;
    let metadata = json!(reader.metadata());
    let scalars = reader.scalars().iter();
    let scalars: Map<_, _> = scalars
        .map(|(name, scalar)| (name.clone(), report::scalar(scalar)))
        .collect();
    let tensors = report::tensors(reader.into_tensors()?)?;
    Ok(json!({ "metadata": metadata, "scalars": scalars, "tensors": tensors }))
}

fn safetensors(path: &Path) -> Outcome<Value> {
    let mut store = SafetensorsStore::from_file(path);
    let held: &BTreeMap<String, Tensor> = store.get_all_tensors().map_err(|e| e.to_string())?;
    let tensors = report::tensors(held.values().cloned().collect())?;
    Ok(json!({ "tensors": tensors }))
}
