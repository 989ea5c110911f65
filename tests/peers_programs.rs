//! The programs that show what was found in crates, as a reader would build them: in a package of their own, with the
//! crates from the registry and nothing of this project.
#![cfg(feature = "peers")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use consistent_hash_lab::peers::findings::{ACCUSATIONS, DOCUMENTED, Profile, package};
use consistent_hash_lab::peers::peers;
use consistent_hash_lab::peers::programs::{FOUND, PROGRAMS, find};
use consistent_hash_lab::verify::limited;

/// As in the manifest of this project.
const CHECKED: &str = "[profile.checked]\ninherits = \"release\"\ndebug-assertions = true\noverflow-checks = true\n";

#[test]
fn every_accusation_has_a_program_and_every_program_an_accusation() {
    let accused: BTreeSet<&str> = ACCUSATIONS.iter().map(|accusation| accusation.program).collect();
    assert_eq!(accused.len(), ACCUSATIONS.len(), "one program for one accusation");
    assert_eq!(accused, PROGRAMS.iter().map(|program| program.name).collect());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/peers/programs");
    let files = fs::read_dir(folder).expect("the programs").map(|file| file.expect("a file").path());
    let files = files.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).filter(|name| name != "mod");
    assert_eq!(files.collect::<BTreeSet<_>>(), accused.iter().map(|name| (*name).to_owned()).collect());
}

#[test]
fn findings_name_crates_and_entries_of_the_survey() {
    let ids: BTreeSet<&str> = peers().map(|peer| peer.id).collect();
    let packages: BTreeSet<&str> = ids.iter().map(|id| package(id)).collect();
    let accused = ACCUSATIONS.iter().map(|accusation| (accusation.package, accusation.explains));
    let documented = DOCUMENTED.iter().map(|documented| (documented.package, documented.explains));
    for (name, explains) in accused.chain(documented) {
        assert!(packages.contains(name), "{name}");
        assert!(explains.iter().all(|(id, _)| ids.contains(id) && package(id) == name), "{name}: {explains:?}");
    }
    for accusation in ACCUSATIONS {
        assert!(accusation.dependencies().len() == 1 + accusation.also.len(), "{}", accusation.program);
    }
}

/// A crate as it was fetched.
fn sources(package: &str) -> PathBuf {
    let line = consistent_hash_lab::peers::findings::dependency(package).expect("a dependency");
    let version = line.split("\"=").nth(1).and_then(|rest| rest.split('"').next()).expect("a pinned version");
    let home = std::env::var_os("CARGO_HOME")
        .map_or_else(|| PathBuf::from(std::env::var_os("HOME").expect("a home")).join(".cargo"), PathBuf::from);
    let registries = fs::read_dir(home.join("registry/src")).expect("fetched crates");
    let folders = registries.map(|folder| folder.expect("a folder").path().join(format!("{package}-{version}")));
    folders.into_iter().find(|folder| folder.is_dir()).expect("the crate was fetched to compile this")
}

/// Text without its breaks and the signs of comments.
fn words(text: &str) -> String {
    let lines = text.lines().map(|line| line.trim().trim_start_matches("///").trim_start_matches("//!"));
    lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

#[test]
fn quotations_are_the_crates() {
    for documented in DOCUMENTED {
        let file = documented.place.split(',').next().expect("a file");
        let path = sources(documented.package).join(file);
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(words(&text).contains(&words(documented.quotation)), "{}: {}", path.display(), documented.quotation);
    }
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    // What is as it was is not compiled again.
    if fs::read_to_string(path).ok().as_deref() != Some(text) {
        fs::write(path, text).expect("a file");
    }
}

/// A package with the programs of one profile; its folder.
fn generate(root: &Path, name: &str, profile: Profile) -> Vec<&'static str> {
    let (mut dependencies, mut programs) = (BTreeSet::new(), Vec::new());
    for accusation in ACCUSATIONS.iter().filter(|accusation| accusation.kind.profile() == profile) {
        let program = find(accusation.program).expect("a program");
        dependencies.extend(accusation.dependencies());
        write(&root.join(name).join("src/bin").join(format!("{}.rs", program.name)), program.source);
        programs.push(program.name);
    }
    let mut manifest =
        format!("[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n");
    for dependency in dependencies {
        writeln!(manifest, "{dependency}").expect("a string");
    }
    write(&root.join(name).join("Cargo.toml"), &manifest);
    programs
}

/// Compiles a package and runs its programs; each that does not show what it is to show.
fn failures(root: &Path, name: &str, cargo_profile: &str, programs: &[&str]) -> Vec<String> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder");
    let built = Command::new(env!("CARGO"))
        .args(["build", "--offline", "--quiet", "--package", name, "--profile", cargo_profile])
        .current_dir(root)
        .env("CARGO_TARGET_DIR", target)
        .status()
        .expect("cargo");
    assert!(built.success(), "the programs of {name} compile");
    programs
        .iter()
        .filter_map(|program| {
            let path = target.join(cargo_profile).join(program);
            match limited::run(&mut Command::new(path), Duration::from_secs(60)).expect("a program") {
                Some(ended) if ended.status.success() && ended.stdout.lines().any(|line| line.starts_with(FOUND)) => {
                    None
                }
                ended => Some(format!("{program}: {ended:?}")),
            }
        })
        .collect()
}

#[test]
fn each_program_shows_what_was_found() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs");
    let released = generate(&root, "found", Profile::Release);
    let debug = generate(&root, "found-debug", Profile::Debug);
    write(
        &root.join("Cargo.toml"),
        &format!("[workspace]\nresolver = \"3\"\nmembers = [\"found\", \"found-debug\"]\n\n{CHECKED}"),
    );
    if !root.join("Cargo.lock").exists() {
        fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.lock"), root.join("Cargo.lock")).expect("a lock");
    }
    let mut failed = failures(&root, "found", "release", &released);
    failed.extend(failures(&root, "found-debug", "checked", &debug));
    assert!(failed.is_empty(), "{failed:#?}");
}
