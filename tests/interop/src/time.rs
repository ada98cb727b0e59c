//! The seconds that Burn's stores take, on the model that its own benchmarks use.

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

use burn::module::Module;
use burn::nn::{Linear, LinearConfig};
use burn::tensor::Device;
use burn_pack::Reader;
use burn_store::{
    BurnpackStore, ModuleSnapshot, PyTorchToBurnAdapter, PytorchStore, SafetensorsStore,
};
use serde_json::{Map, json};

use crate::report::{self, Outcome};

const LAYERS: usize = 20;
const INPUT: usize = 1024;
const WIDTH: usize = 2048;

/// What is timed: its name, the file it starts from, and how it is done.
type Step = (&'static str, &'static str, fn(&Bench) -> Outcome<()>);

const STEPS: [Step; 8] = [
    ("save_burnpack", "", Bench::save_burnpack),
    ("save_safetensors", "", Bench::save_safetensors),
    ("open_burnpack", SAVED_BURNPACK, Bench::open_burnpack),
    ("load_burnpack", SAVED_BURNPACK, Bench::load_burnpack),
    ("load_safetensors", SAFETENSORS, Bench::load_safetensors),
    ("load_pytorch", PYTORCH, Bench::load_pytorch),
    (
        "convert_safetensors",
        SAFETENSORS,
        Bench::convert_safetensors,
    ),
    ("convert_pytorch", PYTORCH, Bench::convert_pytorch),
];
const SAVED_BURNPACK: &str = "saved.bpk";
const SAVED_SAFETENSORS: &str = "saved.safetensors";
const CONVERTED: &str = "converted.bpk";
/// These two, in PyTorch's layout, come from whoever asks.
const SAFETENSORS: &str = "model.safetensors";
const PYTORCH: &str = "model.pt";

/// Print the seconds of every round of every step. A step whose file is not in `folder` is left out.
pub fn run(folder: &Path, rounds: usize) -> Outcome<()> {
    let bench = Bench::new(folder);
    let mut seconds = Map::new();
    for (name, from, step) in STEPS {
        if !bench.path(from).exists() {
            continue;
        }
        step(&bench)?; // to warm up: files are in memory, parameters have their values
        let taken: Outcome<Vec<f64>> = (0..rounds).map(|_| bench.timed(step)).collect();
        seconds.insert(name.to_string(), json!(taken?));
    }
    let size = fs::metadata(bench.path(SAVED_BURNPACK))?.len();
    report::print(&json!({ "seconds": seconds, "nbytes": size }))?;
    Ok(())
}

#[derive(Module, Debug)]
struct Model {
    layers: Vec<Linear>,
}

impl Model {
    /// A model whose parameters get values when they are first asked for.
    fn new() -> Self {
        let device = Device::flex();
        let inputs = (0..LAYERS).map(|number| if number == 0 { INPUT } else { WIDTH });
        Self {
            layers: inputs
                .map(|input| LinearConfig::new(input, WIDTH).init(&device))
                .collect(),
        }
    }
}

struct Bench {
    folder: PathBuf,
    model: Model,
}

impl Bench {
    fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_path_buf(),
            model: Model::new(),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn timed(&self, step: fn(&Bench) -> Outcome<()>) -> Outcome<f64> {
        let start = Instant::now();
        step(self)?;
        Ok(start.elapsed().as_secs_f64())
    }

    fn save_burnpack(&self) -> Outcome<()> {
        self.save(&self.model, SAVED_BURNPACK)
    }

    fn save_safetensors(&self) -> Outcome<()> {
        let store = SafetensorsStore::from_file(self.path(SAVED_SAFETENSORS));
        self.model
            .save_into(&mut store.overwrite(true))
            .map_err(|error| error.to_string())?;
        Ok(())
    }

    fn open_burnpack(&self) -> Outcome<()> {
        black_box(Reader::from_file_exact(self.path(SAVED_BURNPACK))?);
        Ok(())
    }

    fn load_burnpack(&self) -> Outcome<()> {
        let mut store = BurnpackStore::from_file(self.path(SAVED_BURNPACK));
        black_box(Model::new().load_from(&mut store)?);
        Ok(())
    }

    fn load_safetensors(&self) -> Outcome<()> {
        black_box(self.loaded_safetensors()?);
        Ok(())
    }

    fn load_pytorch(&self) -> Outcome<()> {
        black_box(self.loaded_pytorch()?);
        Ok(())
    }

    fn convert_safetensors(&self) -> Outcome<()> {
        self.save(&self.loaded_safetensors()?, CONVERTED)
    }

    fn convert_pytorch(&self) -> Outcome<()> {
        self.save(&self.loaded_pytorch()?, CONVERTED)
    }

    fn loaded_safetensors(&self) -> Outcome<Model> {
        let mut model = Model::new();
        let store = SafetensorsStore::from_file(self.path(SAFETENSORS));
        model
            .load_from(&mut store.with_from_adapter(PyTorchToBurnAdapter))
            .map_err(|error| error.to_string())?;
        Ok(model)
    }

    fn loaded_pytorch(&self) -> Outcome<Model> {
        let mut model = Model::new();
        model
            .load_from(&mut PytorchStore::from_file(self.path(PYTORCH)))
            .map_err(|error| error.to_string())?;
        Ok(model)
    }

    fn save(&self, model: &Model, name: &str) -> Outcome<()> {
        model.save_into(&mut BurnpackStore::from_file(self.path(name)).overwrite(true))?;
        Ok(())
    }
}
