//! The published Burn crates, asked about the files that this project writes and reads.
//!
//! Every command prints JSON objects, one a line:
//!
//!     interop read [FILE or FOLDER]...    what Burn's readers see; without arguments, of the files named on stdin
//!     interop write FOLDER SEED COUNT     random containers, and what was meant by each
//!     interop load FOLDER                 files into Burn's modules, and what these then hold
//!     interop save FOLDER                 Burn's modules into files, and what they held
//!     interop names                       what filters and remappings make of names, asked on stdin
//!     interop stores                      what stores write and take by their options, asked on stdin
//!     interop time FOLDER ROUNDS          the seconds that Burn's stores take

mod containers;
mod draw;
mod load;
mod models;
mod names;
mod read;
mod report;
mod save;
mod schemes;
mod stores;
mod time;
mod write;

use std::path::Path;
use std::process::ExitCode;

use report::Outcome;

const USAGE: &str = "usage: interop read [FILE or FOLDER]...
       interop write FOLDER SEED COUNT
       interop load FOLDER
       interop save FOLDER
       interop names
       interop stores
       interop time FOLDER ROUNDS";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&words) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
        Err(error) => {
            eprintln!("interop: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Run a command; false where there is none like it.
fn run(words: &[&str]) -> Outcome<bool> {
    match words {
        ["read", paths @ ..] => read::run(paths)?,
        ["write", folder, seed, count] => {
            write::run(Path::new(folder), seed.parse()?, count.parse()?)?
        }
        ["load", folder] => load::run(Path::new(folder))?,
        ["save", folder] => save::run(Path::new(folder))?,
        ["names"] => names::run()?,
        ["stores"] => stores::run()?,
        ["time", folder, rounds] => time::run(Path::new(folder), rounds.parse()?)?,
        _ => return Ok(false),
    }
    Ok(true)
}
