//! A module imports only from those above it in the list of the crate's documentation: read from the sources.

use std::fs;
use std::path::{Path, PathBuf};

/// The modules, in the order of the list in `lib.rs`.
fn floors() -> Vec<String> {
    let listed = include_str!("lib.rs").lines().filter_map(|line| line.strip_prefix("//! | "));
    let names = listed.filter_map(|line| line.split('`').nth(1)).map(str::to_owned);
    names.collect()
}

/// The Rust files of a module: `name.rs` and all below `name/`.
fn sources(path: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        sources(&entry.path(), files);
    }
    if path.is_file() && path.extension().is_some_and(|extension| extension == "rs") {
        files.push(path.to_owned());
    }
}

/// The modules that a source names, without its comments and its tests.
fn imports(source: &str) -> Vec<String> {
    let code = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let code: Vec<&str> = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let named = code.join("\n");
    let paths = named.split("crate::").skip(1).flat_map(|path| match path.strip_prefix('{') {
        Some(list) => list.split('}').next().unwrap_or_default().split(',').map(str::trim).collect(),
        None => vec![path],
    });
    paths.map(|path| path.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect()).collect()
}

#[test]
fn no_arrow_goes_upwards() {
    let floors = floors();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut upwards = Vec::new();
    for (floor, name) in floors.iter().enumerate() {
        let mut files = Vec::new();
        sources(&root.join(name), &mut files);
        sources(&root.join(format!("{name}.rs")), &mut files);
        assert!(!files.is_empty(), "{name} is listed in lib.rs and has no source");
        for file in files.iter().filter(|file| !file.ends_with("tests.rs")) {
            let source = fs::read_to_string(file).expect("a source");
            let above = imports(&source).into_iter().filter(|import| floors[floor + 1..].contains(import));
            upwards.extend(above.map(|import| format!("{} imports {import}", file.display())));
        }
    }
    assert_eq!(upwards, Vec::<String>::new());
}

#[test]
fn every_module_is_listed() {
    let floors = floors();
    let modules = include_str!("lib.rs").lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    assert!(floors.len() > 10);
    for module in modules {
        assert!(floors.iter().any(|floor| floor == module), "{module} is not in the list of lib.rs");
    }
}

#[test]
fn imports_are_found() {
    let source = "use crate::text::table;\n// crate::report\nuse crate::{verify, chart};\n#[cfg(test)]\nmod tests {\ncrate::study";
    assert_eq!(imports(source), ["text", "verify", "chart"]);
}
