//! What was seen, as JSON.

use std::any::Any;
use std::error::Error;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;

use burn_pack::{Scalar, Tensor};
use serde_json::{Value, json};

pub type Outcome<T> = Result<T, Box<dyn Error>>;

/// Print one line about `path`: the members that `look` returns, or its error, or its panic.
pub fn about(path: &Path, look: impl FnOnce() -> Outcome<Value>) -> io::Result<()> {
    let mut line = match panic::catch_unwind(AssertUnwindSafe(look)) {
        Ok(Ok(seen)) => seen,
        Ok(Err(error)) => json!({ "error": error.to_string() }),
        Err(cause) => json!({ "panic": message(cause.as_ref()) }),
    };
    line["file"] = json!(path.to_string_lossy());
    print(&line)
}

/// Print one line.
pub fn print(line: &Value) -> io::Result<()> {
    writeln!(io::stdout().lock(), "{line}")
}

/// Keep panics off stderr: where they are expected, `about` tells of them.
pub fn silence_panics() {
    panic::set_hook(Box::new(|_| {}));
}

fn message(cause: &(dyn Any + Send)) -> String {
    let text = cause.downcast_ref::<&str>().map(|text| text.to_string());
    text.or_else(|| cause.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_string())
}

/// A tensor with its bytes, which are fetched for that.
pub fn tensor(tensor: Tensor) -> Outcome<Value> {
    let (name, dtype, shape, param_id, bytes) = tensor.into_parts()?;
    Ok(json!({
        "name": name,
        "dtype": dtype,
        "shape": shape.to_vec(),
        "param_id": param_id,
        "bytes": hex(&bytes),
    }))
}

/// Tensors, in the order they are given.
pub fn tensors(listed: Vec<Tensor>) -> Outcome<Value> {
    let values: Outcome<Vec<Value>> = listed.into_iter().map(tensor).collect();
    Ok(Value::Array(values?))
}

/// A scalar as `{kind: value}`; a float by its bits, for JSON has neither NaN nor infinity.
pub fn scalar(scalar: &Scalar) -> Value {
    match scalar {
        Scalar::Float(number) => json!({ "Float": format!("{:016x}", number.to_bits()) }),
        other => json!(other),
    }
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        // Writing to a String can't fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}
