//! On macOS a linker must be told that some names are found later, in the interpreter.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
