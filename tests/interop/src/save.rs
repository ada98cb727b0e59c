//! Burn's modules of known values into files.

use std::path::Path;

use burn::tensor::BoolStore;
use burn_pack::{Bytes, DType, Tensor};
use burn_store::{BurnToPyTorchAdapter, BurnpackStore, ModuleSnapshot, SafetensorsStore};
use serde_json::{Value, json};

use crate::models::{self, Work};
use crate::report::{self, Outcome};

/// Save each model as `<model>.bpk`, `<model>.safetensors` and, in PyTorch's names and layout,
/// `<model>.torch.safetensors`; print what it held.
pub fn run(folder: &Path) -> Outcome<()> {
    for name in models::NAMES {
        let path = folder.join(name);
        let seen = models::with(name, &Save { path: &path })?;
        report::about(&path, || Ok(seen))?;
    }
    Ok(())
}

struct Save<'a> {
    path: &'a Path,
}

impl Work for Save<'_> {
    fn with<M: ModuleSnapshot>(&self, mut module: M) -> Outcome<Value> {
        let known: Outcome<Vec<Tensor>> = module
            .collect(None, None, false)
            .into_iter()
            .enumerate()
            .map(|(number, tensor)| known(number, tensor))
            .collect();
        module.apply(known?, None, None, false);

        let burnpack = self.path.with_extension("bpk");
        module.save_into(&mut BurnpackStore::from_file(burnpack))?;
        let burn = SafetensorsStore::from_file(self.path.with_extension("safetensors"));
        let torch = SafetensorsStore::from_file(self.path.with_extension("torch.safetensors"));
        for mut store in [burn, torch.with_to_adapter(BurnToPyTorchAdapter)] {
            module
                .save_into(&mut store)
                .map_err(|error| error.to_string())?;
        }
        Ok(json!({ "tensors": report::tensors(module.collect(None, None, false))? }))
    }
}

/// The tensor with values that tell its place: 1000 times its number, plus the number of the element.
fn known(number: usize, tensor: Tensor) -> Outcome<Tensor> {
    let elements = (0..tensor.shape.num_elements()).map(|element| 1000 * number + element);
    let bytes: Vec<u8> = match tensor.dtype {
        DType::F32 => elements.flat_map(|n| (n as f32).to_le_bytes()).collect(),
        DType::I32 => elements.flat_map(|n| (n as i32).to_le_bytes()).collect(),
        DType::I64 => elements.flat_map(|n| (n as i64).to_le_bytes()).collect(),
        DType::Bool(BoolStore::Native) => elements.map(|n| (n % 2) as u8).collect(),
        other => return Err(format!("{}: no known values of {other:?}", tensor.name).into()),
    };
    let bytes = Bytes::from_bytes_vec(bytes);
    Ok(Tensor::new(
        tensor.name,
        tensor.dtype,
        tensor.shape,
        tensor.param_id,
        bytes,
    ))
}
