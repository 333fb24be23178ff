//! What the README says the program prints, it prints.
//!
//! A binary of its own, since it runs in another folder than the other tests.

#[test]
fn examples_in_the_readme_are_true() {
    std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .expect("the root of the repository");
    trycmd::TestCases::new()
        .default_bin_path(trycmd::cargo::cargo_bin!("npuzzle"))
        .env("NPUZZLE_CACHE", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
        .case("README.md");
}
