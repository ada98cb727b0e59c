//! Random containers by Burn's writer, and what was meant by each.

use std::path::Path;

use burn_pack::{DType, Tensor};
use serde_json::{Map, Value, json};

use crate::containers::{self, Parts};
use crate::draw::Draw;
use crate::report::{self, Outcome};

/// Write `count` containers into `folder`; print what each holds, its tensors in the order of their data.
pub fn run(folder: &Path, seed: u64, count: usize) -> Outcome<()> {
    let mut draw = Draw::new(seed);
    for number in 0..count {
        let parts = containers::parts(&mut draw);
        let path = folder.join(format!("{number:05}.bpk"));
        parts.writer().write_to_file_in_place(&path)?;
        report::about(&path, || meant(parts))?;
    }
    Ok(())
}

fn meant(parts: Parts) -> Outcome<Value> {
    let scalars = parts.scalars.iter();
    let scalars: Map<_, _> = scalars
        .map(|(name, scalar)| (name.clone(), report::scalar(scalar)))
        .collect();
    let tensors: Outcome<Vec<Value>> = parts.tensors.into_iter().map(tensor).collect();
    Ok(json!({ "metadata": parts.metadata, "scalars": scalars, "tensors": tensors? }))
}

/// A tensor, and where it is quantized also the length that its scheme asks for.
fn tensor(tensor: Tensor) -> Outcome<Value> {
    let size = matches!(tensor.dtype, DType::QFloat(_))
        .then(|| containers::size(tensor.dtype, &tensor.shape));
    let mut value = report::tensor(tensor)?;
    value["scheme_nbytes"] = json!(size);
    Ok(value)
}
