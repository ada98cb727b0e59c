//! Files into Burn's modules.
//!
//! A file is called `<model>.<anything>.<format>`; where "torch" is among what stands between, it is
//! loaded through Burn's adapter from PyTorch's names and layout.

use std::path::Path;

use burn_store::{
    ApplyResult, BurnpackStore, IdentityAdapter, ModuleAdapter, ModuleSnapshot,
    PyTorchToBurnAdapter, PytorchStore, SafetensorsStore,
};
use serde_json::{Value, json};

use crate::models::{self, Work};
use crate::read;
use crate::report::{self, Outcome};

/// Load each file of `folder` into a new module; print what came of it and what the module then holds.
pub fn run(folder: &Path) -> Outcome<()> {
    report::silence_panics();
    for path in read::files(folder)? {
        report::about(&path, || {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let model = name.split('.').next().unwrap_or_default();
            models::with(model, &Load { path: &path })
        })?;
    }
    Ok(())
}

struct Load<'a> {
    path: &'a Path,
}

impl Work for Load<'_> {
    fn with<M: ModuleSnapshot>(&self, mut module: M) -> Outcome<Value> {
        let result = match self.path.to_string_lossy().contains(".torch.") {
            true => apply(&mut module, self.path, PyTorchToBurnAdapter)?,
            false => apply(&mut module, self.path, IdentityAdapter)?,
        };
        let errors: Vec<String> = result.errors.iter().map(ToString::to_string).collect();
        Ok(json!({
            "applied": result.applied,
            "skipped": result.skipped,
            "missing": result.missing,
            "unused": result.unused,
            "errors": errors,
            "tensors": report::tensors(module.collect(None, None, false))?,
        }))
    }
}

/// Load what fits: what does not is for the report.
fn apply<M: ModuleSnapshot>(
    module: &mut M,
    path: &Path,
    adapter: impl ModuleAdapter + 'static,
) -> Outcome<ApplyResult> {
    let loaded = match path.extension().and_then(|end| end.to_str()) {
        Some("safetensors") => {
            let store = SafetensorsStore::from_file(path).with_from_adapter(adapter);
            module
                .load_from(&mut store.allow_partial(true).validate(false))
                .map_err(|error| error.to_string())
        }
        Some("pt") => {
            let store = PytorchStore::from_file(path);
            module
                .load_from(&mut store.allow_partial(true).validate(false))
                .map_err(|error| error.to_string())
        }
        _ => {
            let store = BurnpackStore::from_file(path).with_from_adapter(adapter);
            module
                .load_from(&mut store.allow_partial(true).validate(false))
                .map_err(|error| error.to_string())
        }
    };
    Ok(loaded?)
}
