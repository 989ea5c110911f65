//! Compiles `cpp/` where a C++ compiler exists, and tells the program what it was built from.
//!
//! The program sees the cfg `has_cxx` and these variables, by `env!`:
//!
//! | variable | value |
//! |---|---|
//! | `CHLAB_CXX` | the C++ compiler and its options, or nothing |
//! | `CHLAB_REVISION` | the commit, or `unknown` where the source is not in git |
//! | `CHLAB_DIRTY` | `true` if a file below [`DIRTY`] differs from that commit; `false` where there is none |
//! | `CHLAB_FINGERPRINT` | a hash of the files below [`SOURCE`]: equal for equal source, with or without git |
//! | `CHLAB_RUSTC` | `rustc --version` |
//! | `CHLAB_PROFILE` | Cargo's profile and optimisation level |
//!
//! Debug assertions are not among them: Cargo does not tell a build script. The program asks `cfg!(debug_assertions)`.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What decides what the program computes.
const SOURCE: &[&str] = &["src", "experiments", "cpp", "build.rs", "Cargo.toml", "Cargo.lock"];

/// What must be as committed for a record to name the commit as its source.
const DIRTY: &[&str] = &["src", "experiments", "benches", "cpp", "build.rs", "Cargo.toml", "Cargo.lock"];

fn main() {
    // Cargo takes a watched path that does not exist for a change, at every build.
    for path in DIRTY.iter().filter(|path| Path::new(path).exists()) {
        watch(path);
    }
    identity();
    println!("cargo::rustc-check-cfg=cfg(has_cxx)");
    for name in ["CHLAB_NO_CXX", "CXX", "CXXFLAGS", "CXXSTDLIB"] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    let compiler = if env::var("CHLAB_NO_CXX").is_ok_and(|value| value == "1") { None } else { compile_cpp() };
    match compiler {
        Some(compiler) => {
            println!("cargo::rustc-cfg=has_cxx");
            export("CXX", &compiler);
        }
        None => {
            println!("cargo::warning=no working g++ or clang++: built without the C++ programs of the jump paper");
            export("CXX", "");
        }
    }
}

fn export(name: &str, value: &str) {
    println!("cargo::rustc-env=CHLAB_{name}={value}");
}

fn watch(path: &str) {
    println!("cargo::rerun-if-changed={path}");
}

/// A variable that Cargo sets for build scripts.
fn cargo(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("Cargo sets {name} for build scripts"))
}

/// What a command prints, if it succeeds.
fn output(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn identity() {
    // A tarball may have been unpacked inside another repository: git must know this package.
    let revision = git(&["ls-files", "--error-unmatch", "Cargo.toml"]).and_then(|_| git(&["rev-parse", "HEAD"]));
    let status = [&["status", "--porcelain", "--untracked-files=all", "--"], DIRTY].concat();
    let dirty = revision.is_some() && git(&status).is_none_or(|changes| !changes.is_empty());
    if revision.is_some() {
        watch_head();
    }
    export("REVISION", revision.as_deref().unwrap_or("unknown"));
    export("DIRTY", if dirty { "true" } else { "false" });
    export("FINGERPRINT", &format!("{:016x}", fingerprint(SOURCE)));
    export("RUSTC", &output(Command::new(cargo("RUSTC")).arg("--version")).unwrap_or_else(|| "unknown".into()));
    export("PROFILE", &format!("{}, opt-level {}", cargo("PROFILE"), cargo("OPT_LEVEL")));
}

/// Asks git about the repository of this directory, whatever a hook's environment says, and takes no lock.
fn git(arguments: &[&str]) -> Option<String> {
    let mut command = Command::new("git");
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
        command.env_remove(name);
    }
    output(command.env("GIT_OPTIONAL_LOCKS", "0").args(arguments))
}

/// Builds again after a commit or a checkout: both write HEAD's log, or where logs are off HEAD or its branch.
fn watch_head() {
    let branch = git(&["symbolic-ref", "HEAD"]);
    for name in ["HEAD", "logs/HEAD"].into_iter().chain(branch.as_deref()) {
        // In a worktree these are not below .git.
        if let Some(path) = git(&["rev-parse", "--git-path", name]).filter(|path| Path::new(path).exists()) {
            watch(&path);
        }
    }
}

/// 64-bit FNV-1a over names and contents of all files below `roots`, in the order of their names. Hidden files, such as
/// an editor's, are no source.
fn fingerprint(roots: &[&str]) -> u64 {
    let mut files = Vec::new();
    for root in roots {
        collect(Path::new(root), &mut files);
    }
    files.sort();
    files.iter().fold(0xcbf2_9ce4_8422_2325, |hash, (name, path)| {
        let content = fs::read(path).unwrap_or_else(|error| panic!("{name}: {error}"));
        // With their lengths, so that nothing can pass from one to the next.
        [name.as_bytes(), &content].iter().fold(hash, |hash, part| fnv1a(fnv1a(hash, &part.len().to_le_bytes()), part))
    })
}

fn fnv1a(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// The files at or below `path`, each with its name, whose separators are the same on every system.
fn collect(path: &Path, files: &mut Vec<(String, PathBuf)>) {
    if path.is_file() {
        let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
        files.push((parts.join("/"), path.to_owned()));
    }
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        if !entry.file_name().to_string_lossy().starts_with('.') {
            collect(&entry.path(), files);
        }
    }
}

/// What the sources need of a compiler: C++17 with its library, and IEEE arithmetic in 64 bits, not x87 or -ffast-math.
const PROBE: &str = r#"
#include <cfloat>
#include <map>
#if defined(__FAST_MATH__)
#error "jump needs IEEE arithmetic"
#endif
static_assert(FLT_EVAL_METHOD == 0, "jump needs two roundings to 64 bits");
int main(int argc, char**) {
    std::map<int, int> map;
    const auto [at, is_new] = map.emplace(argc, 0);
    return at->second + !is_new;
}
"#;

/// Compiles `cpp/` into a static library and returns the compiler and its options, or `None` if there is no compiler
/// that can build and link [`PROBE`].
fn compile_cpp() -> Option<String> {
    let mut build = cc::Build::new();
    // The same code in every profile. Neither metadata nor warnings of a compiler that perhaps does not exist.
    build.cpp(true).std("c++17").opt_level(2).debug(false).cargo_metadata(false).cargo_warnings(false);
    build.include("cpp").flag("-ffp-contract=off");
    if cargo("CARGO_CFG_TARGET_ARCH") == "x86" {
        build.flags(["-msse2", "-mfpmath=sse"]);
    }
    let Some((compiler, version)) = working_compiler(&build) else {
        watch_for_compiler();
        return None;
    };
    let out = PathBuf::from(cargo("OUT_DIR"));

    // This script runs after every change of the Rust sources: C++ is compiled only if something of its own changed.
    let stamp = format!("{version} {:?} {:016x}", compiler.to_command(), fingerprint(&["build.rs", "cpp"]));
    let stamp_file = out.join("cpp.stamp");
    if fs::read_to_string(&stamp_file).ok().as_ref() != Some(&stamp) {
        if !compiles_and_links(&compiler, &out) {
            watch_for_compiler();
            return None;
        }
        let mut sources: Vec<_> = fs::read_dir("cpp").into_iter().flatten().flatten().map(|file| file.path()).collect();
        sources.retain(|path| path.extension().is_some_and(|extension| extension == "cpp"));
        sources.sort();
        build.cargo_warnings(true).files(sources).compile("chlab_cpp");
        fs::write(&stamp_file, stamp).expect("OUT_DIR can be written");
    }

    println!("cargo::rustc-link-search=native={}", out.display());
    println!("cargo::rustc-link-lib=static=chlab_cpp");
    println!("cargo::rustc-link-lib={}", standard_library());
    let options = env::var("CXXFLAGS").unwrap_or_default();
    Some(format!("{version} -O2 {}", options.trim()).trim_end().to_owned())
}

/// The compiler that `cc` would call, if it is one that takes g++'s options, and the first line of its version.
fn working_compiler(build: &cc::Build) -> Option<(cc::Tool, String)> {
    let compiler = build.try_get_compiler().ok().filter(|compiler| !compiler.is_like_msvc())?;
    let version = output(compiler.to_command().arg("--version"))?;
    let line = version.lines().next()?.to_owned();
    Some((compiler, line))
}

fn compiles_and_links(compiler: &cc::Tool, out: &Path) -> bool {
    let source = out.join("probe.cpp");
    fs::write(&source, PROBE).expect("OUT_DIR can be written");
    output(compiler.to_command().arg(source).arg("-o").arg(out.join("probe"))).is_some()
}

/// Builds again when a compiler may have been installed: when something changed in a directory of programs.
fn watch_for_compiler() {
    println!("cargo::rerun-if-env-changed=PATH");
    for directory in env::split_paths(&env::var_os("PATH").unwrap_or_default()).filter(|path| path.is_dir()) {
        println!("cargo::rerun-if-changed={}", directory.display());
    }
}

/// The C++ library that the target's compilers link by default.
fn standard_library() -> String {
    env::var("CXXSTDLIB").unwrap_or_else(|_| {
        let libcxx = ["macos", "ios", "freebsd", "openbsd"].contains(&cargo("CARGO_CFG_TARGET_OS").as_str());
        if libcxx { "c++" } else { "stdc++" }.to_owned()
    })
}
